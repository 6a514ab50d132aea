use std::{io::BufWriter, sync::Arc};

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response, sse::Event},
};
use flate2::{Compression, write::GzEncoder};
use pintu_engine::{
    path::{Ground, find_path_traced, find_route_traced},
    solve_traced,
    trace::{Caption, Form, Recording},
};
use pintu_search::Control;
use serde_json::{Value, json as object};

use super::search::{Asked, Job, Outcome, so_far};
use crate::{
    app::App,
    ask::{Recorded, Watched},
    assets::accepts_gzip,
    base64, body,
    client::Client,
    error::ApiError,
};

pub(super) async fn trace(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let bytes = body::read_map(body, &app, &client).await?;
    let Recorded { watched, events, form } = Recorded::read(&bytes, &app.config)?;
    drop(bytes);
    let asked = Asked::by(client, &headers);
    let zip = asked.wants_events() || accepts_gzip(&headers);
    let control = Control::unlimited();
    let (seen, own, app_of_work) = (control.clone(), control.clone(), Arc::clone(&app));
    let progress = move || so_far_recorded(&seen, events as u64);
    let work = move || {
        let (recording, caption, map) = record(&app_of_work, watched, events, &own)?;
        let bytes = pack(&recording, &caption, form, zip).ok_or_else(ApiError::internal)?;
        Ok(Packed { bytes, form, zip, map })
    };
    Job { control, progress, work }.run(&app, asked).await
}

/// How far a search has come, and how much of it will be seen.
fn so_far_recorded(control: &Control, events: u64) -> Value {
    let counters = control.counters();
    let happened = counters.expanded + counters.generated;
    let mut row = so_far(control);
    row["recorded"] = object!(happened.min(events));
    row["cut"] = object!(happened > events);
    row
}

/// Searches, watched.
fn record(
    app: &App,
    watched: Watched,
    events: usize,
    control: &Control,
) -> Result<(Recording, Caption, Option<String>), ApiError> {
    let (text, question) = match watched {
        Watched::Puzzle(request) => {
            let (_, recording, caption) = solve_traced(&request, control, events)?;
            return Ok((recording, caption, None));
        }
        Watched::Map(text, question) => (text, question),
    };
    let (id, text) = app.maps.text(text)?;
    let map = app.maps.prepare(id, &text, &question, app.config.bounds.map_cells)?;
    let request = &question.request;
    let (_, recording, caption) = match &map.ground {
        Ground::Map { terrain, map } => {
            let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
            find_path_traced(map, from, &to, request, control, events)?
        }
        Ground::Graph(graph) => {
            find_route_traced(graph, question.start_name()?, &question.goal_names()?, request, control, events)?
        }
    };
    Ok((recording, caption, Some(map.id.clone())))
}

/// The recording in one piece, compressed if it is to be.
fn pack(recording: &Recording, caption: &Caption, form: Form, zip: bool) -> Option<Bytes> {
    if !zip {
        let mut bytes = Vec::new();
        recording.write(caption, form, &mut bytes).ok()?;
        return Some(bytes.into());
    }
    // Whoever waits for a recording waits for this, too: the fastest does.
    let mut encoder = BufWriter::with_capacity(1 << 16, GzEncoder::new(Vec::new(), Compression::fast()));
    recording.write(caption, form, &mut encoder).ok()?;
    Some(encoder.into_inner().ok()?.finish().ok()?.into())
}

/// A recording on its way.
struct Packed {
    bytes: Bytes,
    form: Form,
    zip: bool,
    /// What to call the map from now on, if it is of one.
    map: Option<String>,
}

impl Outcome for Packed {
    fn response(self) -> Response {
        let mut response = Body::from(self.bytes).into_response();
        let headers = response.headers_mut();
        let media_type = if self.form == Form::Posthoc { "application/json" } else { "application/octet-stream" };
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if self.zip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if let Some(name) = self.map.and_then(|name| HeaderValue::try_from(name).ok()) {
            headers.insert("x-map", name);
        }
        response
    }

    fn event(self) -> Event {
        let name = if self.form == Form::Posthoc { "posthoc" } else { "recording" };
        Event::default().event(name).data(base64::encode(&self.bytes))
    }
}
