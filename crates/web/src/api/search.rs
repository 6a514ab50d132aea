//! What every search goes through: a place in the pool, a switch that ends it when nobody listens any more, and
//! its answer at once or as the last event of a stream.

use std::{convert::Infallible, future::Future, pin::Pin, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use pintu_search::{Cancel, Control, Limits};
use serde::Serialize;
use serde_json::{Value, json as object};
use tokio::{
    sync::mpsc::{Sender, channel, error::SendError},
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

use super::{PathId, new_id};
use crate::{
    app::App,
    assets::accepts_gzip,
    client::Client,
    error::ApiError,
    ongoing::Named,
    parcel::{Packer, Parcel, Parted},
    pool::Ticket,
};

/// How often a search says how far it has come.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long a response waits before it becomes a stream, in case the engine refuses the request.
const SECOND_THOUGHTS: Duration = Duration::from_millis(50);

/// Who asks, and in which form the answer is wanted.
pub(super) struct Asked {
    client: Client,
    wants_events: bool,
    accepts_gzip: bool,
}

impl Asked {
    pub(super) fn by(client: Client, headers: &HeaderMap) -> Self {
        Self { client, wants_events: wants_events(headers), accepts_gzip: accepts_gzip(headers) }
    }

    /// Whether somebody listens while it goes on.
    pub(super) fn wants_events(&self) -> bool {
        self.wants_events
    }

    /// Whether a recording is to be packed, however short it is.
    pub(super) fn wants_packed(&self) -> bool {
        self.wants_events || self.accepts_gzip
    }
}

/// What comes of a search.
pub(super) struct Reply {
    pub(super) parcel: Parcel,
    pub(super) kind: Kind,
    /// What to call the map from now on, if it is of one.
    pub(super) map: Option<String>,
}

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// JSON, in a stream, too.
    Json,
    /// A recording for pages: bytes, which a stream has packed and as a text.
    Recording,
    /// A recording for Posthoc: JSON, which a stream has likewise.
    Posthoc,
}

const MAP: HeaderName = HeaderName::from_static("x-map");
/// Names the search of a stream.
const SEARCH: HeaderName = HeaderName::from_static("x-search");

impl Reply {
    pub(super) fn json(packer: Packer, value: &impl Serialize) -> Result<Self, ApiError> {
        Ok(Self { parcel: packer.json(value)?, kind: Kind::Json, map: None })
    }

    /// As a response of its own.
    fn response(self, accepts_gzip: bool) -> Response {
        let Self { parcel, kind, map } = self;
        let media_type = if kind == Kind::Recording { "application/octet-stream" } else { "application/json" };
        let (is_packed, mut length) = (parcel.is_packed(), None);
        let parts = if is_packed && !accepts_gzip {
            parcel.plain()
        } else {
            let (bytes, parts) = parcel.into_kept();
            length = Some(HeaderValue::from(bytes));
            parts
        };
        let mut response = in_parts(parts);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if is_packed && accepts_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if let Some(length) = length {
            headers.insert(header::CONTENT_LENGTH, length);
        }
        if let Some(name) = map.and_then(|name| HeaderValue::try_from(name).ok()) {
            headers.insert(MAP, name);
        }
        response
    }

    /// As the last event of a stream.
    fn event(self) -> Parted {
        let (name, data) = match self.kind {
            Kind::Json => ("result", self.parcel.plain()),
            Kind::Recording => ("recording", self.parcel.base64()),
            Kind::Posthoc => ("posthoc", self.parcel.base64()),
        };
        let begin = std::iter::once(Bytes::from(format!("event: {name}\ndata: ")));
        Box::new(begin.chain(data).chain(std::iter::once(Bytes::from_static(b"\n\n"))))
    }
}

/// A response whose parts are made as the client takes them.
pub(crate) fn in_parts(parts: impl Iterator<Item = Bytes> + Send + 'static) -> Response {
    Body::from_stream(tokio_stream::iter(parts.map(Ok::<_, Infallible>))).into_response()
}

/// The control of a search and of all that is done for it: what its limits say of memory binds the answer, too.
pub(super) fn control(limits: &Limits) -> Control {
    Control::new(Limits { memory: limits.memory, ..Limits::default() })
}

/// A search: what ends it and counts for it, what is told of it meanwhile, and the work itself, which packs its answer.
pub(super) struct Job<P, W> {
    pub(super) control: Control,
    pub(super) progress: P,
    pub(super) work: W,
}

impl<P, W> Job<P, W>
where
    P: Fn() -> Value + Send + Sync + 'static,
    W: FnOnce(Packer) -> Result<Reply, ApiError> + Send + 'static,
{
    /// Waits for a worker and has the work done, off the async threads. It is cancelled when nobody waits for it.
    pub(super) async fn run(self, app: &Arc<App>, asked: Asked) -> Result<Response, ApiError> {
        let Self { control, progress, work } = self;
        let Asked { client, wants_events, accepts_gzip } = asked;
        let (switch, gone) = (control.cancel_switch().clone(), Cancel::new());
        let packer = Packer::new(&control, app.answers.begin(client.address), gone.clone());
        let ticket = app.searches.admit(client, move || switch.cancel())?;
        let at_once = ticket.runs_at_once();
        let switch = control.cancel_switch().clone();
        let named = if wants_events { Some(app.ongoing.name(new_id()?, switch)) } else { None };
        let name = named.as_ref().and_then(|named| HeaderValue::from_str(named.id().as_str()).ok());
        let guard = CancelOnDrop { control, gone, _named: named };
        let search: Search = Box::pin(search(ticket, move || work(packer), guard));
        if !wants_events {
            return Ok(search.await?.response(accepts_gzip));
        }
        let mut response = stream(at_once, search, progress).await?;
        response.headers_mut().extend(name.map(|name| (SEARCH, name)));
        Ok(response)
    }
}

/// Ends a search whose stream has this name. The stream goes on to its last event, which has what was found until then.
pub(super) async fn end(State(app): State<Arc<App>>, PathId(id): PathId) -> Result<StatusCode, ApiError> {
    if app.ongoing.end(&id) { Ok(StatusCode::NO_CONTENT) } else { Err(ApiError::not_found("search of that name")) }
}

fn wants_events(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut types = values.flat_map(|value| value.split(',')).filter_map(|item| item.split(';').next());
    types.any(|media_type| media_type.trim().eq_ignore_ascii_case("text/event-stream"))
}

/// The answer as the last event of a stream. A search that runs at once may turn out to be impossible before
/// the stream begins.
async fn stream(
    at_once: bool,
    mut search: Search,
    progress: impl Fn() -> Value + Send + Sync + 'static,
) -> Result<Response, ApiError> {
    let mut early = None;
    if at_once && let Ok(ended) = timeout(SECOND_THOUGHTS, &mut search).await {
        early = Some(ended?);
    }
    let (sender, receiver) = channel(4);
    tokio::spawn(async move {
        // A client that has gone away hears nothing; its search ends with this task, and its answer is dropped.
        let _ = tell(search, early, &progress, &sender).await;
    });
    let body = Body::from_stream(ReceiverStream::new(receiver).map(Ok::<_, Infallible>));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, body).into_response())
}

type Search = Pin<Box<dyn Future<Output = Result<Reply, ApiError>> + Send>>;

/// Waits for a worker and searches. If this is dropped, the search is cancelled.
async fn search(
    ticket: Ticket,
    work: impl FnOnce() -> Result<Reply, ApiError> + Send + 'static,
    guard: CancelOnDrop,
) -> Result<Reply, ApiError> {
    let _guard = guard;
    ticket.run(work).await?
}

struct CancelOnDrop {
    control: Control,
    /// A search that has had its share is cancelled, too, and still has an answer; this says that nobody waits for one.
    gone: Cancel,
    /// By this it can be ended while somebody listens.
    _named: Option<Named>,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.control.cancel_switch().cancel();
        self.gone.cancel();
    }
}

type Told = Result<(), SendError<Bytes>>;

/// Sends progress until the search ends, and then how it ended.
async fn tell(
    mut search: Search,
    early: Option<Reply>,
    progress: &(impl Fn() -> Value + Send + Sync),
    client: &Sender<Bytes>,
) -> Told {
    client.send(event("progress", &progress())).await?;
    if let Some(answer) = early {
        return hand_over(answer, client).await;
    }
    let mut clock = interval(TELL_EVERY);
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            ended = &mut search => {
                return match ended {
                    Ok(answer) => hand_over(answer, client).await,
                    Err(error) => client.send(event("error", &error.body())).await,
                };
            }
            () = client.closed() => return Ok(()),
            _ = clock.tick() => client.send(event("progress", &progress())).await?,
        }
    }
}

/// Sends an answer part by part, as the client takes them.
async fn hand_over(answer: Reply, client: &Sender<Bytes>) -> Told {
    for part in answer.event() {
        client.send(part).await?;
    }
    Ok(())
}

/// How far a search of a board has come.
pub(super) fn so_far(control: &Control) -> Value {
    counted(control, control.bound())
}

/// How far a search of a map or a graph has come. What it goes by there, steps or costs in units of its own, is not what a path costs.
pub(super) fn so_far_on_map(control: &Control) -> Value {
    counted(control, 0)
}

fn counted(control: &Control, bound: u64) -> Value {
    let counters = control.counters();
    object!({
        "expanded": counters.expanded,
        "generated": counters.generated,
        "bound": bound,
        "seconds": control.elapsed().as_secs_f64(),
    })
}

/// An event of a stream. (JSON has no line ends in it.)
fn event(name: &str, value: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(value).unwrap_or_else(|_| "{}".to_owned());
    format!("event: {name}\ndata: {data}\n\n").into()
}
