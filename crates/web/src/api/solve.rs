use std::{convert::Infallible, future::Future, pin::Pin, sync::Arc, time::Duration};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
};
use pintu_engine::{Answer, Progress, Request};
use pintu_search::Cancel;
use serde::Serialize;
use serde_json::json as object;
use tokio::{
    sync::mpsc::{Sender, channel},
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

use super::json;
use crate::{
    app::App,
    body,
    client::Client,
    error::ApiError,
    pool::Ticket,
    solve::{Problem, run},
};

/// How often a search says how far it has come.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long a response waits before it becomes a stream, in case the engine refuses the request.
const SECOND_THOUGHTS: Duration = Duration::from_millis(50);

pub(super) async fn solve(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let problem: Problem = body::read_json(body, &app.config.bounds).await?;
    let request = problem.request(&app.config)?;
    let cancel = Cancel::new();
    let end = cancel.clone();
    let ticket = app.searches.admit(client, move || end.cancel())?;
    let (at_once, progress) = (ticket.runs_at_once(), Progress::new());
    let search: Search = Box::pin(search(ticket, request, cancel, progress.clone()));
    if wants_events(&headers) {
        stream(at_once, search, progress).await
    } else {
        Ok(json(StatusCode::OK, &search.await?))
    }
}

fn wants_events(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut types = values.flat_map(|value| value.split(',')).filter_map(|item| item.split(';').next());
    types.any(|media_type| media_type.trim().eq_ignore_ascii_case("text/event-stream"))
}

/// The answer as the last event of a stream. A search that runs at once may turn out to be impossible before
/// the stream begins.
async fn stream(at_once: bool, mut search: Search, progress: Progress) -> Result<Response, ApiError> {
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

type Search = Pin<Box<dyn Future<Output = Result<Answer, ApiError>> + Send>>;

/// Waits for a worker and searches. If this is dropped, the search is cancelled.
async fn search(ticket: Ticket, request: Request, cancel: Cancel, progress: Progress) -> Result<Answer, ApiError> {
    let _guard = CancelOnDrop(cancel.clone());
    ticket.run(move || run(request, &cancel, &progress)).await?
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

type Told = Result<(), tokio::sync::mpsc::error::SendError<Event>>;

/// Sends progress until the search ends, and then how it ended.
async fn tell(mut search: Search, early: Option<Answer>, progress: &Progress, client: &Sender<Event>) -> Told {
    client.send(event("progress", &so_far(progress))).await?;
    if let Some(answer) = early {
        return client.send(event("result", &answer)).await;
    }
    let mut clock = interval(TELL_EVERY);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            ended = &mut search => {
                let last = match ended {
                    Ok(answer) => event("result", &answer),
                    Err(error) => event("error", &error.body()),
                };
                return client.send(last).await;
            }
            () = client.closed() => return Ok(()),
            _ = clock.tick() => client.send(event("progress", &so_far(progress))).await?,
        }
    }
}

fn so_far(progress: &Progress) -> impl Serialize {
    object!({
        "expanded": progress.expanded(),
        "generated": progress.generated(),
        "bound": progress.bound(),
        "seconds": progress.elapsed().as_secs_f64(),
    })
}

fn event(name: &str, value: &impl Serialize) -> Event {
    let data = serde_json::to_string(value).unwrap_or_else(|_| "{}".to_owned());
    Event::default().event(name).data(data)
}
