use std::sync::{Arc, Mutex, PoisonError};

use axum::{Extension, body::Body, extract::State, http::HeaderMap, response::Response};
use pintu_tiles::Moves;
use serde_json::{Value, json};

use super::search::{Asked, Job, Reply, control, so_far};
use crate::{app::App, ask::Problem, body, client::Client, error::ApiError};

pub(super) async fn solve(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let problem: Problem = body::read_json(body, &app.config.bounds).await?;
    let request = problem.request(&app.config)?;
    let asked = Asked::by(client, &headers);
    let control = control(&request.limits);
    let (watched, own) = (control.clone(), control.clone());
    let news = News::default();
    let (told, found) = (news.clone(), news);
    let progress = move || told.beside(so_far(&watched));
    let work = {
        let listens = asked.wants_events();
        move |packer| {
            let answer = if listens {
                pintu_engine::solve_telling(&request, &own, &mut |moves, _| found.bring(moves))
            } else {
                pintu_engine::solve(&request, &own)
            };
            Reply::json(packer, &answer?)
        }
    };
    Job { control, progress, work }.run(&app, asked).await
}

/// The shortest solution so far, until it has been told.
#[derive(Clone, Default)]
struct News(Arc<Mutex<Option<Moves>>>);

impl News {
    fn bring(&self, moves: &Moves) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(moves.clone());
    }

    /// How far a search has come, with the solution that is new, if one is.
    fn beside(&self, mut progress: Value) -> Value {
        if let Some(moves) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            progress["solution"] = json!({ "moves": moves.to_string(), "length": moves.len() });
        }
        progress
    }
}
