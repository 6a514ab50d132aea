use std::sync::Arc;

use axum::{Extension, body::Body, extract::State, http::HeaderMap, response::Response};
use pintu_engine::{
    path::{Ground, find_path_traced, find_route_traced},
    solve_traced,
    trace::{Form, Tape, Traced},
};
use pintu_search::Control;
use serde_json::{Value, json as object};

use super::search::{Asked, Job, Kind, Reply, control, so_far, so_far_on_map};
use crate::{
    app::App,
    ask::{Recorded, Watched},
    body,
    client::Client,
    error::ApiError,
    parcel::{Packer, Parcel, refusal},
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
    let (tape, is_packed) = (Tape::new(events), asked.wants_packed());
    let control = control(watched.limits());
    let (seen, own, app_of_work) = (control.clone(), control.clone(), Arc::clone(&app));
    let seen_tape = tape.clone();
    let counted = if matches!(watched, Watched::Map(..)) { so_far_on_map } else { so_far };
    let progress = move || recorded(counted(&seen), &seen_tape);
    let work = move |packer| {
        let (traced, map) = record(&app_of_work, watched, &tape, &own)?;
        Ok(Reply { parcel: pack(&traced, form, packer, is_packed)?, kind: kind_of(form), map })
    };
    Job { control, progress, work }.run(&app, asked).await
}

fn kind_of(form: Form) -> Kind {
    if form == Form::Posthoc { Kind::Posthoc } else { Kind::Recording }
}

/// How far a search has come, with how much of it will be seen.
fn recorded(mut row: Value, tape: &Tape) -> Value {
    row["recorded"] = object!(tape.events());
    row["cut"] = object!(tape.is_cut());
    row
}

/// Searches, watched; with what was recorded comes what to call the map from now on, if it is of one.
fn record(
    app: &App,
    watched: Watched,
    tape: &Tape,
    control: &Control,
) -> Result<(Traced<()>, Option<String>), ApiError> {
    let (text, question) = match watched {
        Watched::Puzzle(request) => return Ok((solve_traced(&request, control, tape)?.without_answer(), None)),
        Watched::Map(text, question) => (text, question),
    };
    let map = app.maps.prepare(app.maps.text(text)?, &question, app.config.bounds.map_cells)?;
    let request = &question.request;
    let traced = match &map.ground {
        Ground::Map { terrain, map } => {
            let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
            find_path_traced(map, from, &to, request, control, tape)?
        }
        Ground::Graph(graph) => {
            find_route_traced(graph, question.start_name()?, &question.goal_names()?, request, control, tape)?
        }
    };
    Ok((traced.without_answer(), Some(map.id.clone())))
}

fn pack(traced: &Traced<()>, form: Form, mut out: Packer, is_packed: bool) -> Result<Parcel, ApiError> {
    traced.write(form, &mut out).map_err(refusal)?;
    out.finish(is_packed)
}
