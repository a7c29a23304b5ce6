//! The events of the page: what was, once, then each look.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;
use tokio::sync::mpsc;

use crate::systems::Shared;

/// Events that a slow reader may be behind; then it misses some, since only the latest look is kept for it.
const BEHIND: usize = 4;

pub(super) async fn events(State(service): State<Shared>) -> impl IntoResponse {
    let (past, mut latest) = service.watch.follow();
    let (out, events) = mpsc::channel(BEHIND);
    tokio::spawn(async move {
        let mut event = Event::default().event("past").data(past);
        // It ends when the reader is gone.
        while out.send(event).await.is_ok() && latest.changed().await.is_ok() {
            let moment = latest.borrow_and_update().clone();
            event = Event::default().event("moment").data(&*moment);
        }
    });
    let headers = [(header::CACHE_CONTROL, "no-store")];
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    (headers, Sse::new(Events(events)).keep_alive(keep_alive))
}

struct Events(mpsc::Receiver<Event>);

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
