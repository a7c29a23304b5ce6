//! Lists page by page: each page is a call of its own, protected as any read.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::{Guard, Outcomes};
use crate::error::{CallError, code};
use crate::http::RawReply;
use crate::http::{PageSource, Pages, Position, Tail, Walk};
use crate::wire::DecodeError;
use crate::{Answer, Mapping, Paged};

impl Guard {
    /// The outcomes of a list's pages. Between two pages nothing is held; after an error it is over.
    pub fn pages<Op, M>(&self, mapping: &M, pages: Pages<Op>) -> Outcomes<M::Outcome, M::Rejection>
    where
        Op: Paged,
        Op::Request: 'static,
        M: Mapping<Op> + Clone + 'static,
    {
        let (source, walk) = pages.into_parts();
        let mapping = Arc::new(mapping.clone());
        Outcomes::new(Turning::<M, Op> { guard: self.clone(), mapping, source, walk, fetching: None })
    }

    /// One page through all layers, and what it says about the next one.
    async fn page<Op, M>(self, mapping: Arc<M>, source: Arc<PageSource<Op>>, position: Position) -> Turned<M, Op>
    where
        Op: Paged,
        Op::Request: 'static,
        M: Mapping<Op>,
    {
        let last = Mutex::new(None);
        let fetch = || async {
            let (page, tail) = source.fetch(&position).await?;
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(tail);
            Ok(page)
        };
        let answer = self.repeated::<Op, M, _, _>(&mapping, fetch).await;
        (answer, last.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

type Turned<M, Op> = (Answer<M, Op>, Option<Tail>);

/// The pages of a list on their way to the domain.
struct Turning<M: Mapping<Op>, Op: Paged> {
    guard: Guard,
    mapping: Arc<M>,
    source: Arc<PageSource<Op>>,
    walk: Walk,
    fetching: Option<Fetching<M, Op>>,
}

type Fetching<M, Op> = Pin<Box<dyn Future<Output = Turned<M, Op>> + Send>>;

impl<M: Mapping<Op>, Op: Paged> Turning<M, Op> {
    fn lost(&self, cause: DecodeError, reply: Box<RawReply>) -> CallError<M::Rejection> {
        let at = self.guard.call::<Op>().after_attempts(1).site(code::UNDECODABLE);
        CallError::Undecodable { at, status: reply.status, cause: Box::new(cause), reply }
    }
}

impl<M, Op> Stream for Turning<M, Op>
where
    M: Mapping<Op> + 'static,
    Op: Paged,
    Op::Request: 'static,
{
    type Item = Answer<M, Op>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if let Some(fetching) = &mut this.fetching {
                let (answer, tail) = ready!(fetching.as_mut().poll(context));
                this.fetching = None;
                if let (Ok(_), Some(tail)) = (&answer, tail) {
                    this.walk.came_to(tail);
                }
                return Poll::Ready(Some(answer));
            }
            match this.walk.next() {
                None => return Poll::Ready(None),
                Some(Err((cause, reply))) => return Poll::Ready(Some(Err(this.lost(cause, reply)))),
                Some(Ok(position)) => {
                    let (guard, mapping, source) =
                        (this.guard.clone(), Arc::clone(&this.mapping), Arc::clone(&this.source));
                    this.fetching = Some(Box::pin(guard.page(mapping, source, position)));
                }
            }
        }
    }
}
