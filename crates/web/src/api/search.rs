//! What every search goes through: a place in the pool, a switch that ends it when nobody listens any more, and
//! its answer at once or as the last event of a stream.

use std::{convert::Infallible, future::Future, pin::Pin, sync::Arc, time::Duration};

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
};
use pintu_search::Control;
use serde::Serialize;
use serde_json::{Value, json as object};
use tokio::{
    sync::mpsc::{Sender, channel},
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

use super::json;
use crate::{app::App, client::Client, error::ApiError, pool::Ticket};

/// How often a search says how far it has come.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long a response waits before it becomes a stream, in case the engine refuses the request.
const SECOND_THOUGHTS: Duration = Duration::from_millis(50);

/// Who asks, and in which form the answer is wanted.
pub(super) struct Asked {
    client: Client,
    wants_events: bool,
}

impl Asked {
    pub(super) fn by(client: Client, headers: &HeaderMap) -> Self {
        Self { client, wants_events: wants_events(headers) }
    }

    pub(super) fn wants_events(&self) -> bool {
        self.wants_events
    }
}

/// What comes of a search.
pub(super) trait Outcome: Send + 'static {
    /// As a response of its own.
    fn response(self) -> Response;

    /// As the last event of a stream.
    fn event(self) -> Event;
}

/// An answer that is JSON either way.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize + Send + 'static> Outcome for Json<T> {
    fn response(self) -> Response {
        json(StatusCode::OK, &self.0)
    }

    fn event(self) -> Event {
        event("result", &self.0)
    }
}

/// A search: what ends it and counts for it, what is told of it meanwhile, and the work itself.
pub(super) struct Job<P, W> {
    pub(super) control: Control,
    pub(super) progress: P,
    pub(super) work: W,
}

impl<P, W, T> Job<P, W>
where
    P: Fn() -> Value + Send + Sync + 'static,
    W: FnOnce() -> Result<T, ApiError> + Send + 'static,
    T: Outcome,
{
    /// Waits for a worker and has the work done, off the async threads. It is cancelled when nobody waits for it.
    pub(super) async fn run(self, app: &Arc<App>, asked: Asked) -> Result<Response, ApiError> {
        let Self { control, progress, work } = self;
        let switch = control.cancel_switch().clone();
        let ticket = app.searches.admit(asked.client, move || switch.cancel())?;
        let at_once = ticket.runs_at_once();
        let search: Search<T> = Box::pin(search(ticket, work, control));
        if asked.wants_events { stream(at_once, search, progress).await } else { Ok(search.await?.response()) }
    }
}

fn wants_events(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut types = values.flat_map(|value| value.split(',')).filter_map(|item| item.split(';').next());
    types.any(|media_type| media_type.trim().eq_ignore_ascii_case("text/event-stream"))
}

/// The answer as the last event of a stream. A search that runs at once may turn out to be impossible before
/// the stream begins.
async fn stream<T: Outcome>(
    at_once: bool,
    mut search: Search<T>,
    progress: impl Fn() -> Value + Send + Sync + 'static,
) -> Result<Response, ApiError> {
    let mut early = None;
    if at_once && let Ok(ended) = timeout(SECOND_THOUGHTS, &mut search).await {
        early = Some(ended?);
    }
    let (sender, receiver) = channel(4);
    tokio::spawn(async move {
        // A client that has gone away hears nothing; its search ends with this task.
        let _ = tell(search, early, &progress, &sender).await;
    });
    let mut response = Sse::new(ReceiverStream::new(receiver).map(Ok::<_, Infallible>)).into_response();
    response.headers_mut().insert("x-accel-buffering", header::HeaderValue::from_static("no"));
    Ok(response)
}

type Search<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send>>;

/// Waits for a worker and searches. If this is dropped, the search is cancelled.
async fn search<T: Send + 'static>(
    ticket: Ticket,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    control: Control,
) -> Result<T, ApiError> {
    let _guard = CancelOnDrop(control);
    ticket.run(work).await?
}

struct CancelOnDrop(Control);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel_switch().cancel();
    }
}

type Told = Result<(), tokio::sync::mpsc::error::SendError<Event>>;

/// Sends progress until the search ends, and then how it ended.
async fn tell<T: Outcome>(
    mut search: Search<T>,
    early: Option<T>,
    progress: &(impl Fn() -> Value + Send + Sync),
    client: &Sender<Event>,
) -> Told {
    client.send(event("progress", &progress())).await?;
    if let Some(answer) = early {
        return client.send(answer.event()).await;
    }
    let mut clock = interval(TELL_EVERY);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            ended = &mut search => {
                let last = match ended {
                    Ok(answer) => answer.event(),
                    Err(error) => event("error", &error.body()),
                };
                return client.send(last).await;
            }
            () = client.closed() => return Ok(()),
            _ = clock.tick() => client.send(event("progress", &progress())).await?,
        }
    }
}

/// How far a search has come.
pub(super) fn so_far(control: &Control) -> Value {
    let counters = control.counters();
    object!({
        "expanded": counters.expanded,
        "generated": counters.generated,
        "bound": control.bound(),
        "seconds": control.elapsed().as_secs_f64(),
    })
}

pub(super) fn event(name: &str, value: &impl Serialize) -> Event {
    let data = serde_json::to_string(value).unwrap_or_else(|_| "{}".to_owned());
    Event::default().event(name).data(data)
}
