use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::next::{Fetched, Position, Seen, items};
use crate::error::{ClientError, NotSentCause};
use crate::http::client::{judge, target, write};
use crate::http::{HttpClient, RawReply};
use crate::wire::DecodeError;
use crate::{Operation, Paged};

/// The pages of a list, one request each, when the next one is asked for. Nothing protects these calls: prefer the
/// adapter.
///
/// It is a [`Stream`]; [`next`](Self::next) is there for those who have no combinators at hand. After an error it is over.
pub struct Pages<Op: Operation> {
    source: Arc<PageSource<Op>>,
    walk: Walk,
    fetching: Option<Fetching<Op>>,
}

type Fetching<Op> = Pin<Box<dyn Future<Output = FetchedPage<Op>> + Send>>;

/// A page, or why there is none.
type Turned<Op> = Result<<Op as Operation>::Reply, ClientError<<Op as Operation>::Rejection>>;

/// A page, and what it says about the next one.
type FetchedPage<Op> = Result<(<Op as Operation>::Reply, Tail), ClientError<<Op as Operation>::Rejection>>;

/// What a page says about the next one.
pub(crate) struct Tail {
    next: Result<Option<Position>, DecodeError>,
    items: Option<Bytes>,
    reply: RawReply,
}

/// Where pages come from: an operation with its arguments.
pub(crate) struct PageSource<Op: Operation> {
    http: HttpClient,
    request: Op::Request,
}

impl<Op: Paged> PageSource<Op> {
    /// Fetches a page: one request.
    pub(crate) async fn fetch(&self, position: &Position) -> FetchedPage<Op> {
        let mut parts =
            write::<Op>(&self.request, None).map_err(|error| ClientError::NotSent(NotSentCause::Argument(error)))?;
        position.apply(&mut parts);
        let base_url = self.http.base_url(Op::META.id, parts.server).map_err(ClientError::NotSent)?;
        let (url, query) = (target(&parts, &base_url), parts.query.clone());
        let reply = self.http.send(Op::META, parts).await?;
        let page = judge::<Op>(reply.clone())?;
        let secrets = self.http.secret_parameters();
        let fetched = Fetched { query: &query, url: &url, base_url: &base_url, secrets: &secrets, reply: &reply };
        let tail = Tail { next: fetched.next(&Op::PAGES), items: items(&Op::PAGES, &reply), reply };
        Ok((page, tail))
    }
}

/// How far one has come in a list.
pub(crate) struct Walk {
    upcoming: Upcoming,
    seen: Seen,
}

enum Upcoming {
    Page(Position),
    /// What the last page says about the next one makes no sense.
    Lost(DecodeError, Box<RawReply>),
    End,
}

impl Walk {
    fn new() -> Self {
        Self { upcoming: Upcoming::Page(Position::Start), seen: Seen::default() }
    }

    /// The page to fetch now; `None` at the end. It is over until [`came_to`](Self::came_to) says otherwise.
    pub(crate) fn next(&mut self) -> Option<Result<Position, (DecodeError, Box<RawReply>)>> {
        match std::mem::replace(&mut self.upcoming, Upcoming::End) {
            Upcoming::Page(position) => Some(Ok(position)),
            Upcoming::Lost(cause, reply) => Some(Err((cause, reply))),
            Upcoming::End => None,
        }
    }

    /// Notes what a page says about the next one.
    pub(crate) fn came_to(&mut self, tail: Tail) {
        let Tail { next, items, reply } = tail;
        let checked = self.seen.note_items(items).and(next).and_then(|next| {
            next.iter().try_for_each(|next| self.seen.note(next))?;
            Ok(next)
        });
        self.upcoming = match checked {
            Ok(Some(position)) => Upcoming::Page(position),
            Ok(None) => Upcoming::End,
            Err(cause) => Upcoming::Lost(cause, Box::new(reply)),
        };
    }
}

impl HttpClient {
    /// The pages of a list, from the one that the request itself is for. Prefer the adapter.
    #[must_use]
    pub fn pages<Op>(&self, request: &Op::Request) -> Pages<Op>
    where
        Op: Paged,
        Op::Request: Clone,
    {
        let source = Arc::new(PageSource { http: self.clone(), request: request.clone() });
        Pages { source, walk: Walk::new(), fetching: None }
    }
}

impl<Op> Pages<Op>
where
    Op: Paged,
    Op::Request: 'static,
{
    /// The next page; `None` after the last.
    pub async fn next(&mut self) -> Option<Result<Op::Reply, ClientError<Op::Rejection>>> {
        std::future::poll_fn(|context| self.poll_page(context)).await
    }

    /// The source, and where in it one stands: for a guard, which fetches pages in its own way.
    pub(crate) fn into_parts(self) -> (Arc<PageSource<Op>>, Walk) {
        (self.source, self.walk)
    }

    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<Option<Turned<Op>>> {
        loop {
            if let Some(fetching) = &mut self.fetching {
                let fetched = ready!(fetching.as_mut().poll(context));
                self.fetching = None;
                return Poll::Ready(Some(fetched.map(|(page, tail)| {
                    self.walk.came_to(tail);
                    page
                })));
            }
            match self.walk.next() {
                None => return Poll::Ready(None),
                Some(Err((cause, reply))) => {
                    return Poll::Ready(Some(Err(ClientError::Undecodable { cause: Box::new(cause), reply })));
                }
                Some(Ok(position)) => {
                    let source = Arc::clone(&self.source);
                    self.fetching = Some(Box::pin(async move { source.fetch(&position).await }));
                }
            }
        }
    }
}

impl<Op> Stream for Pages<Op>
where
    Op: Paged,
    Op::Request: 'static,
{
    type Item = Result<Op::Reply, ClientError<Op::Rejection>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_page(context)
    }
}

impl<Op: Operation> fmt::Debug for Pages<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("operation", &Op::META.id).finish_non_exhaustive()
    }
}
