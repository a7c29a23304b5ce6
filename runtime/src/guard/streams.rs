//! Streams: what opens one is protected like any call, and what it brings is judged as it comes.
//!
//! - The breaker hears how the opening went. A stream that breaks off later, falls silent, or brings an item that the
//!   mapping calls a failure, is one failure more.
//! - The place in the bulkhead is kept until the stream is over or dropped.
//! - Only a read of events is opened again, where it broke off and the system knows by the last event's id where to go
//!   on (or nothing had come yet). Attempts, waits and budget are those of retries, and an event that came makes the
//!   attempts count anew. What is keyed or sent once is opened once.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use tokio::time::sleep;
use tracing::Span;

use super::attempt::Stop;
use super::call::Call;
use super::classify::{self, Asked};
use super::judge::{Class, InHand, Judge};
use super::{Guard, Held, Outcomes, telemetry};
use crate::error::{CallError, ClientError, Delivery, TimeoutPhase};
use crate::http::{ByteStream, ItemStream, StreamError, WayBack};
use crate::moment::Moment;
use crate::settings::RetrySettings;
use crate::{IdempotencyKey, Keyed, Mapping, Operation, Read, Streaming, Verdict};

/// What the adapter's method for a streaming `Op` answers.
pub type StreamAnswer<M, Op> = Result<
    Outcomes<<M as Mapping<Op>>::Outcome, <M as Mapping<Op>>::Rejection>,
    CallError<<M as Mapping<Op>>::Rejection>,
>;

/// What the adapter's method for the bytes of `Op`'s reply answers.
pub type BytesAnswer<M, Op> = Result<ByteStream, CallError<<M as Mapping<Op>>::Rejection>>;

/// What opens a stream, and why it could not be opened.
type Opening<S, R> = Result<S, ClientError<R>>;

impl Guard {
    /// Opens the stream of an operation that only reads: `attempt` may be begun again until the stream is there, and a
    /// stream of events may be opened again where it breaks off.
    pub async fn read_stream<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> StreamAnswer<M, Op>
    where
        Op: Read + Streaming,
        M: Mapping<Op> + Clone + 'static,
        F: Fn() -> Fut,
        Fut: Future<Output = Opening<Op::Stream, Op::Rejection>>,
    {
        let opened = self.open_repeatedly::<Op, M, _, _, _>(mapping, &attempt).await;
        opened.map(|stream| self.outcomes::<M, Op>(mapping, stream))
    }

    /// Opens the stream of a write that carries this key: `attempt` may be begun again until the stream is there, with
    /// the same key each time; with an empty key it is begun once.
    pub async fn keyed_stream<Op, M, F, Fut>(
        &self,
        operation: Op,
        key: &IdempotencyKey,
        mapping: &M,
        attempt: F,
    ) -> StreamAnswer<M, Op>
    where
        Op: Keyed + Streaming,
        M: Mapping<Op> + Clone + 'static,
        F: Fn() -> Fut,
        Fut: Future<Output = Opening<Op::Stream, Op::Rejection>>,
    {
        if key.is_empty() {
            return self.once_stream(operation, mapping, attempt).await;
        }
        self.leave_of_task(Op::META, Some(key))?;
        let opened = self.open_repeatedly::<Op, M, _, _, _>(mapping, &attempt).await;
        opened.map(|stream| self.outcomes::<M, Op>(mapping, stream))
    }

    /// Opens the stream of an operation that is sent at most one time: `attempt` is consumed by its only use.
    pub async fn once_stream<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> StreamAnswer<M, Op>
    where
        Op: Streaming,
        M: Mapping<Op> + Clone + 'static,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Opening<Op::Stream, Op::Rejection>>,
    {
        self.leave_of_task(Op::META, None)?;
        let opened = self.open_once::<Op, M, _, _, _>(mapping, attempt).await;
        opened.map(|stream| self.outcomes::<M, Op>(mapping, stream))
    }

    /// Opens the body of a read's success as bytes: `attempt` may be begun again until they begin to come.
    pub async fn read_bytes<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> BytesAnswer<M, Op>
    where
        Op: Read,
        M: Mapping<Op>,
        F: Fn() -> Fut,
        Fut: Future<Output = Opening<ByteStream, Op::Rejection>>,
    {
        self.open_repeatedly::<Op, M, _, _, _>(mapping, &attempt).await
    }

    /// Opens the body of a keyed write's success as bytes: `attempt` may be begun again, with the same key, until they
    /// begin to come; with an empty key it is begun once.
    pub async fn keyed_bytes<Op, M, F, Fut>(
        &self,
        operation: Op,
        key: &IdempotencyKey,
        mapping: &M,
        attempt: F,
    ) -> BytesAnswer<M, Op>
    where
        Op: Keyed,
        M: Mapping<Op>,
        F: Fn() -> Fut,
        Fut: Future<Output = Opening<ByteStream, Op::Rejection>>,
    {
        if key.is_empty() {
            return self.once_bytes(operation, mapping, attempt).await;
        }
        self.leave_of_task(Op::META, Some(key))?;
        self.open_repeatedly::<Op, M, _, _, _>(mapping, &attempt).await
    }

    /// Opens the body of a success as bytes, of an operation that is sent at most one time: `attempt` is consumed by its
    /// only use.
    pub async fn once_bytes<Op, M, F, Fut>(&self, _: Op, mapping: &M, attempt: F) -> BytesAnswer<M, Op>
    where
        Op: Operation,
        M: Mapping<Op>,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Opening<ByteStream, Op::Rejection>>,
    {
        self.leave_of_task(Op::META, None)?;
        self.open_once::<Op, M, _, _, _>(mapping, attempt).await
    }

    async fn open_repeatedly<Op, M, S, F, Fut>(&self, mapping: &M, attempt: &F) -> Result<S, CallError<M::Rejection>>
    where
        Op: Operation,
        M: Mapping<Op>,
        S: ItemStream,
        F: Fn() -> Fut,
        Fut: Future<Output = Opening<S, Op::Rejection>>,
    {
        let span = telemetry::call(Op::META, &self.shared.breaker);
        let mut call = Call::idle(Op::META);
        self.shared.begin(&mut call, self.deadline);
        let mut answer = None;
        if !call.is_stopped() {
            let judge = Holding::new(self);
            // A stream is worth a box: callers' futures stay small, and rustc computes their layouts without help.
            let mut layers = Box::pin(self.shared.repeated(&mut call, &judge, attempt, &mut answer));
            telemetry::within(&span, layers.as_mut()).await;
        } else {
            self.shared.repeatable_stopped();
        }
        opened::<Op, M, S>(&span, &mut call, mapping, answer)
    }

    async fn open_once<Op, M, S, F, Fut>(&self, mapping: &M, attempt: F) -> Result<S, CallError<M::Rejection>>
    where
        Op: Operation,
        M: Mapping<Op>,
        S: ItemStream,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Opening<S, Op::Rejection>>,
    {
        let span = telemetry::call(Op::META, &self.shared.breaker);
        let mut call = Call::idle(Op::META);
        self.shared.begin(&mut call, self.deadline);
        let mut answer = None;
        if !call.is_stopped() {
            let judge = Holding::new(self);
            // A stream is worth a box: callers' futures stay small, and rustc computes their layouts without help.
            let mut layers = Box::pin(self.shared.once(&mut call, &judge, attempt, &mut answer));
            telemetry::within(&span, layers.as_mut()).await;
        }
        opened::<Op, M, S>(&span, &mut call, mapping, answer)
    }

    /// Opens a stream of events once more, if and when its retries allow: the call's last attempt, or the break itself,
    /// and what it brought.
    async fn reopen<Op: Streaming>(self, way: WayBack, broken: StreamError, attempts: u32) -> Reopened<Op::Rejection> {
        let judge = Holding::new(&self);
        let mut call = self.call::<Op>().after_attempts(attempts);
        let mut answer = Some(Err(client_error(broken)));
        let mut repeats = None;
        while !matches!(answer, Some(Ok(_)))
            && call.may_have_to_be_repeated(answer.as_ref(), Verdict::Failure)
            && let Some(wait) = self.shared.next_wait(&call, &judge, &answer, Verdict::Failure, &mut repeats, way.wait)
        {
            sleep(wait).await;
            match call.begins_attempt(Moment::now()) {
                Ok(()) => self.shared.once(&mut call, &judge, || way.go::<Op>(), &mut answer).await,
                Err(refused) => {
                    call.stop(Stop::Refused(refused));
                    answer = None;
                }
            }
        }
        (call, answer)
    }

    fn outcomes<M, Op>(&self, mapping: &M, stream: Op::Stream) -> Outcomes<M::Outcome, M::Rejection>
    where
        M: Mapping<Op> + Clone + 'static,
        Op: Streaming,
    {
        let (guard, mapping) = (self.clone(), mapping.clone());
        Outcomes::new(Judging::<M, Op> { guard, mapping, stream, attempts: 1, reopening: None, is_over: false })
    }
}

/// The stream, or in the domain's words why there is none.
fn opened<Op, M, S>(
    span: &Span,
    call: &mut Call<'_>,
    mapping: &M,
    answer: Option<Opening<S, Op::Rejection>>,
) -> Result<S, CallError<M::Rejection>>
where
    Op: Operation,
    M: Mapping<Op>,
{
    let error = match answer {
        Some(Ok(stream)) => return Ok(stream),
        Some(Err(error)) => Some(error),
        None => None,
    };
    let error = span.in_scope(|| call.no_reply::<Op, M>(mapping, error));
    telemetry::ended(span, &error);
    Err(error)
}

/// A stream that is there is a success, and keeps what its attempt had.
struct Holding<'g, S, R> {
    guard: &'g Guard,
    opening: PhantomData<fn() -> Opening<S, R>>,
}

impl<'g, S, R> Holding<'g, S, R> {
    fn new(guard: &'g Guard) -> Self {
        Self { guard, opening: PhantomData }
    }
}

impl<S: ItemStream, R> Judge for Holding<'_, S, R> {
    type Reply = S;
    type Error = ClientError<R>;

    fn reply(&self, stream: &mut S, InHand { place, admission }: InHand<'_>) -> Verdict {
        stream.bytes_mut().hold(Held::new(&self.guard.shared, place, admission, self.guard.deadline));
        Verdict::Success
    }

    fn error(&self, error: &Self::Error, in_haste: bool) -> Verdict {
        classify::health(error, in_haste)
    }

    fn delivery(&self, error: &Self::Error) -> Delivery {
        error.delivery()
    }

    fn tell(&self, error: &Self::Error, span: &Span) {
        telemetry::attempt_failed(span, error);
    }

    fn class(&self, end: &Opening<S, R>) -> Class {
        Class::of(end)
    }

    fn repeats(&self, error: &Self::Error, settings: &RetrySettings) -> Option<Asked> {
        classify::may_repeat(error, settings)
    }
}

/// The call of the attempts that were made, and how the last one ended.
type Reopened<R> = (Call<'static>, Option<Opening<ByteStream, R>>);

type Reopening<R> = Pin<Box<dyn Future<Output = Reopened<R>> + Send>>;

/// A break as the error of a call, for the decision whether it may be tried again.
fn client_error<R>(broken: StreamError) -> ClientError<R> {
    let delivery = Delivery::Answered;
    match broken {
        StreamError::Transport(fault) => ClientError::Transport { fault, delivery },
        StreamError::TimedOut { limit } => ClientError::TimedOut { phase: TimeoutPhase::Body, limit, delivery },
        // No other error is a break.
        _ => ClientError::TimedOut { phase: TimeoutPhase::Body, limit: std::time::Duration::ZERO, delivery },
    }
}

/// The items of a stream on their way to the domain.
struct Judging<M, Op: Streaming> {
    guard: Guard,
    mapping: M,
    stream: Op::Stream,
    /// Attempts since the last item, the one that opened the stream included.
    attempts: u32,
    reopening: Option<Reopening<Op::Rejection>>,
    is_over: bool,
}

/// Nothing in it is ever pinned but what is boxed.
impl<M, Op: Streaming> Unpin for Judging<M, Op> {}

impl<M, Op> Judging<M, Op>
where
    M: Mapping<Op>,
    Op: Streaming,
{
    /// What an item is to the domain, and what it says about the system.
    fn judge(&mut self, item: Op::Reply) -> Result<M::Outcome, CallError<M::Rejection>> {
        self.attempts = 1;
        if self.mapping.verdict(&item) == Verdict::Failure {
            self.stream.bytes_mut().failed();
        }
        self.mapping.outcome(item).map_err(|refusal| self.call().refusal(refusal))
    }

    fn call(&self) -> Call<'static> {
        self.guard.call::<Op>().after_attempts(self.attempts)
    }
}

impl<M, Op> Stream for Judging<M, Op>
where
    M: Mapping<Op>,
    Op: Streaming,
{
    type Item = Result<M::Outcome, CallError<M::Rejection>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if this.is_over {
                return Poll::Ready(None);
            }
            if let Some(reopening) = &mut this.reopening {
                let (mut call, answer) = ready!(reopening.as_mut().poll(context));
                this.reopening = None;
                this.attempts = call.attempts();
                let error = match answer {
                    Some(Ok(bytes)) => {
                        this.stream.resume(bytes);
                        continue;
                    }
                    Some(Err(error)) => Some(error),
                    None => None,
                };
                this.is_over = true;
                return Poll::Ready(Some(Err(call.no_reply::<Op, M>(&this.mapping, error))));
            }
            let error = match ready!(this.stream.poll_item(context)) {
                Some(Ok(item)) => return Poll::Ready(Some(this.judge(item))),
                Some(Err(error)) => error,
                None => {
                    this.is_over = true;
                    continue;
                }
            };
            match this.stream.way_back().filter(|_| error.is_break()) {
                Some(way) => {
                    let guard = this.guard.clone();
                    this.reopening = Some(Box::pin(guard.reopen::<Op>(way, error, this.attempts)));
                }
                None => {
                    this.is_over = error.is_final();
                    let error = this.call().within_stream(this.stream.bytes(), error);
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
    }
}
