//! The common part of all searches: a place in the worker pool, cancellation when the client has gone, and the answer as a response of
//! its own or as the last event of a stream.

use std::{convert::Infallible, future::Future, pin::Pin, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::{FromRequestParts, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use pintu_search::{Cancel, Control, Limits};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{
    sync::{
        mpsc::{Sender, channel, error::SendError},
        oneshot,
    },
    time::{MissedTickBehavior, interval, sleep, timeout},
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

use super::{Caller, PathId, new_id};
use crate::{
    app::App,
    assets::accepts_gzip,
    client::Client,
    error::ApiError,
    id::Id,
    response_body::{BodyWriter, Chunks, ResponseBody},
};

const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// How long a stream waits for an answer before it begins, so that a short search is answered in one piece.
const SHORT_SEARCH: Duration = Duration::from_millis(50);

/// When a stream begins. Its status is 200, so the request must have been checked by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// The request was checked before it waits for a worker.
    Soon,
    /// Only a worker can check it: once a state has been expanded, or the search has ended.
    WithSearch,
}

/// Where a request for a search comes from, and the forms of an answer that it accepts.
pub(super) struct SearchCaller {
    pub(super) app: Arc<App>,
    pub(super) client: Client,
    pub(super) wants_events: bool,
    pub(super) accepts_gzip: bool,
}

impl FromRequestParts<Arc<App>> for SearchCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Caller { app, client, .. } = Caller::from_request_parts(parts, app).await?;
        let (wants_events, accepts_gzip) = (wants_events(&parts.headers), accepts_gzip(&parts.headers));
        Ok(Self { app, client, wants_events, accepts_gzip })
    }
}

#[derive(Clone)]
pub(super) struct Reply {
    pub(super) body: ResponseBody,
    pub(super) kind: Kind,
    /// The id of the map, by which later requests can name it.
    pub(super) map_id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// JSON, in a stream, too.
    Json,
    /// A recording for pages: bytes. A stream says where they can be fetched.
    Recording,
    /// A recording for Posthoc: JSON, fetched in the same way.
    Posthoc,
}

pub(super) const RECORDING_TYPE: &str = "application/octet-stream";
/// How long a stream waits for its recording to be fetched.
const RESULT_TIME: Duration = Duration::from_secs(30);

const MAP: HeaderName = HeaderName::from_static("x-map");
/// The id of a streamed search.
const SEARCH: HeaderName = HeaderName::from_static("x-search");

impl Reply {
    pub(super) fn json(writer: BodyWriter, value: &impl Serialize) -> Result<Self, ApiError> {
        Ok(Self { body: writer.json(value)?, kind: Kind::Json, map_id: None })
    }

    fn response(self, accepts_gzip: bool) -> Response {
        let Self { body, kind, map_id } = self;
        let media_type = if kind == Kind::Recording { RECORDING_TYPE } else { "application/json" };
        let is_gzip = body.is_gzip && accepts_gzip;
        let body = if body.is_gzip == is_gzip { Body::from(body.bytes) } else { in_chunks(body.plain()) };
        let mut response = body.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if is_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        headers.extend(map_id.and_then(|id| Some((MAP, HeaderValue::try_from(id).ok()?))));
        response
    }

    fn event(self) -> Chunks {
        let begin = std::iter::once(Bytes::from_static(b"event: result\ndata: "));
        Box::new(begin.chain(self.body.plain()).chain(std::iter::once(Bytes::from_static(b"\n\n"))))
    }
}

/// A body whose chunks are made as the client reads them.
fn in_chunks(chunks: Chunks) -> Body {
    Body::from_stream(tokio_stream::iter(chunks.map(Ok::<_, Infallible>)))
}

impl SearchCaller {
    /// Waits for a worker and runs `work` there, which writes the answer. It is cancelled when the client has gone. Both the
    /// search and its answer count towards the memory limit. Progress events have what `progress` says.
    pub(super) async fn run<P, W>(
        self,
        begin: Begin,
        memory: Option<u64>,
        progress: P,
        work: W,
    ) -> Result<Response, ApiError>
    where
        P: Fn(&Control) -> Value + Send + Sync + 'static,
        W: FnOnce(&Control, BodyWriter) -> Result<Reply, ApiError> + Send + 'static,
    {
        let Self { app, client, wants_events, accepts_gzip } = self;
        let control = Control::new(Limits::none().memory(memory));
        let (cancel, gone, id) = (control.cancel_switch().clone(), Cancel::new(), new_id()?);
        let writer = BodyWriter::new(&control, app.answers.begin(client.address), gone.clone());
        let ticket = app.searches.admit(client)?;
        app.running().insert(id.clone(), cancel.clone());
        let results = Results { app: Arc::clone(&app), id: id.clone() };
        let guard = CancelOnDrop { app, id: id.clone(), cancel: cancel.clone(), gone };
        let watched = control.clone();
        let search: Search = Box::pin(async move {
            let _guard = guard;
            ticket.run(move || cancel.cancel(), move || work(&control, writer)).await?
        });
        if !wants_events {
            return Ok(search.await?.response(accepts_gzip));
        }
        let mut response = stream(search, begin, watched, progress, results).await?;
        response.headers_mut().extend(HeaderValue::from_str(id.as_str()).ok().map(|id| (SEARCH, id)));
        Ok(response)
    }
}

/// A recording that waits for its client, whose stream waits as well. It counts as an unread answer.
pub(crate) struct Waiting {
    reply: Reply,
    /// Dropped with the recording, which the stream notices.
    _taken: oneshot::Sender<()>,
}

/// Where the recording of a streamed search waits, by the search's id.
struct Results {
    app: Arc<App>,
    id: Id,
}

impl Results {
    /// Tells the client where a recording is, and waits until it was fetched, the client has gone or its time is over.
    async fn offer(self, name: &str, reply: Reply, client: &Sender<Bytes>) -> Result<(), SendError<Bytes>> {
        let (sender, taken) = oneshot::channel();
        self.app.results().insert(self.id.clone(), Waiting { reply, _taken: sender });
        client.send(event(name, &json!({ "href": format!("/api/searches/{}", self.id) }))).await?;
        tokio::select! {
            _ = taken => (),
            () = client.closed() => (),
            () = sleep(RESULT_TIME) => (),
        }
        Ok(())
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        self.app.results().remove(&self.id);
    }
}

/// The recording of a streamed search, once.
pub(super) async fn result(
    State(app): State<Arc<App>>,
    PathId(id): PathId,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let is_only_asked = method == Method::HEAD;
    let mut results = app.results();
    let reply = if is_only_asked {
        results.get(&id).map(|waiting| waiting.reply.clone())
    } else {
        results.remove(&id).map(|waiting| waiting.reply)
    };
    drop(results);
    let reply = reply.ok_or_else(|| ApiError::not_found("recording of that name"))?;
    Ok(reply.response(accepts_gzip(&headers)))
}

/// Stops a streamed search. Its stream goes on to the last event, with what was found until then.
pub(super) async fn stop(State(app): State<Arc<App>>, PathId(id): PathId) -> Result<StatusCode, ApiError> {
    let stopped = app.running().get(&id).map(Cancel::cancel);
    stopped.map(|()| StatusCode::NO_CONTENT).ok_or_else(|| ApiError::not_found("search of that name"))
}

fn wants_events(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut types = values.flat_map(|value| value.split(',')).filter_map(|item| item.split(';').next());
    types.any(|media_type| media_type.trim().eq_ignore_ascii_case("text/event-stream"))
}

/// A search that waits for a worker and then runs. Dropping it cancels it.
type Search = Pin<Box<dyn Future<Output = Result<Reply, ApiError>> + Send>>;

struct CancelOnDrop {
    app: Arc<App>,
    id: Id,
    cancel: Cancel,
    /// A search that is cancelled in favour of others still has an answer; this says that the client has gone.
    gone: Cancel,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.app.running().remove(&self.id);
        self.cancel.cancel();
        self.gone.cancel();
    }
}

/// Begins a stream. A search may be refused or done before that.
async fn stream(
    mut search: Search,
    begin: Begin,
    control: Control,
    progress: impl Fn(&Control) -> Value + Send + Sync + 'static,
    results: Results,
) -> Result<Response, ApiError> {
    loop {
        if let Ok(ended) = timeout(SHORT_SEARCH, &mut search).await {
            search = Box::pin(std::future::ready(Ok(ended?)));
            break;
        }
        if begin == Begin::Soon || control.counters().expanded > 0 {
            break;
        }
    }
    let (sender, receiver) = channel(4);
    tokio::spawn(async move {
        // The error: the client has gone. Its search ends with this task.
        let _ = send_events(search, &|| progress(&control), &sender, results).await;
    });
    let body = Body::from_stream(ReceiverStream::new(receiver).map(Ok::<_, Infallible>));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, body).into_response())
}

/// Sends progress until the search ends, and then how it ended.
async fn send_events(
    mut search: Search,
    progress: &(impl Fn() -> Value + Send + Sync),
    client: &Sender<Bytes>,
    results: Results,
) -> Result<(), SendError<Bytes>> {
    client.send(event("progress", &progress())).await?;
    let mut clock = interval(PROGRESS_INTERVAL);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            biased;
            ended = &mut search => {
                return match ended {
                    Ok(answer) => send_answer(answer, client, results).await,
                    Err(error) => client.send(event("error", &error.body())).await,
                };
            }
            () = client.closed() => return Ok(()),
            // Nothing for a client that has not read what it was sent: the search goes on meanwhile, and may be cancelled.
            _ = clock.tick() => if let Ok(room) = client.try_reserve() {
                room.send(event("progress", &progress()));
            },
        }
    }
}

/// Sends an answer chunk by chunk, as the client reads them; of a recording, where it can be fetched.
async fn send_answer(answer: Reply, client: &Sender<Bytes>, results: Results) -> Result<(), SendError<Bytes>> {
    let recording = match answer.kind {
        Kind::Json => None,
        Kind::Recording => Some("recording"),
        Kind::Posthoc => Some("posthoc"),
    };
    if let Some(name) = recording {
        return results.offer(name, answer, client).await;
    }
    for chunk in answer.event() {
        client.send(chunk).await?;
    }
    Ok(())
}

/// An event of a stream. (Its JSON has no line ends.)
fn event(name: &str, value: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(value).unwrap_or_else(|_| "{}".to_owned());
    format!("event: {name}\ndata: {data}\n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    /// Otherwise one that waits in the queue would have its turn, hold a worker and never use it.
    #[tokio::test]
    async fn a_client_that_reads_nothing_holds_up_no_search() {
        let directory = tempfile::tempdir().unwrap();
        let app = Arc::new(crate::app::open(Config::new(directory.path())).unwrap());
        let (sender, _unread) = channel(1);
        let (end, ended) = oneshot::channel();
        let search: Search = Box::pin(async move {
            sleep(4 * PROGRESS_INTERVAL).await;
            let _ = end.send(());
            Err(ApiError::internal())
        });
        let results = Results { app, id: new_id().unwrap() };
        let sending = tokio::spawn(async move { send_events(search, &|| json!({}), &sender, results).await.is_ok() });
        timeout(Duration::from_secs(20), ended).await.expect("the search goes on").unwrap();
        sending.abort();
    }
}
