//! The engine in a browser's worker: the calls of the page, as bytes in and bytes out, on one thread.
//!
//! A worker that searches hears nothing. So the search itself tells the host from time to time how far it has come, and
//! is told in return whether it shall end with what it has found.

#[cfg(target_family = "wasm")]
mod abi;

use std::{
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use pintu_engine::{
    calls::{
        Best, CallBounds, CallError, CheckBody, ExamineBody, Maps, PathCall, RaceBody, RunningRace, SolveBody, Subject,
        TraceRequest, Understood, parse, progress, record, recording_progress, values,
    },
    examine,
    tables::{self, Store},
    trace::EventBudget,
};
use pintu_search::{Cancel, Control, Limits, clock::Instant};
use serde::Serialize;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

/// How often the host is told how far a search has come.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
const MAPS: usize = 4;
const MAPS_BYTES: u64 = 128 << 20;
/// What a host has for a search at least.
const LEAST_BYTES: u64 = 32 << 20;

/// Tells the host how far a search has come, as JSON; says whether the search shall end.
pub type Tell = fn(&[u8]) -> bool;

/// What answers the calls of a page.
pub struct Engine {
    bounds: CallBounds,
    maps: Maps,
    tell: Tell,
}

/// An answer: JSON, or the bytes of a recording; with the id of the map that it is about.
#[derive(Debug)]
pub struct Reply {
    pub bytes: Vec<u8>,
    pub map_id: Option<String>,
}

impl Engine {
    /// An engine whose searches may hold `bytes` bytes each.
    pub fn new(bytes: u64, tell: Tell) -> Self {
        let search_bytes = bytes.max(LEAST_BYTES);
        let tables = tables::Bounds { memory: search_bytes / 2, ..tables::Bounds::default() };
        let bounds = CallBounds::usual(search_bytes, Store::in_memory().within(tables));
        Self { bounds, maps: Maps::new(MAPS, MAPS_BYTES, id_of), tell }
    }

    /// Answers a call by its name, as the server answers the body of a request.
    pub fn call(&self, name: &str, body: &[u8]) -> Result<Reply, CallError> {
        match name {
            "solve" => self.solve(body),
            "race" => self.race(body),
            "trace" => self.trace(body),
            "path" => self.path(body),
            "check" => json(&parse::<CheckBody>(body)?.answer()?),
            "examine" => self.examine(body),
            _ => Err(CallError::new("not-found", format!("found the call `{name}`, which is not known here"))),
        }
    }

    fn solve(&self, body: &[u8]) -> Result<Reply, CallError> {
        let request = parse::<SolveBody>(body)?.request(&self.bounds)?;
        let best: Arc<Best> = Arc::default();
        let told = Arc::clone(&best);
        let answer = self.watched(
            request.limits,
            move |control| told.progress(control),
            |control| best.solve(&request, control),
        )?;
        json(&answer)
    }

    fn race(&self, body: &[u8]) -> Result<Reply, CallError> {
        let request = parse::<RaceBody>(body)?.request(&self.bounds)?;
        let race: Arc<RunningRace> = Arc::default();
        let told = Arc::clone(&race);
        let rows = move |_: &Control| values(told.rows().unwrap_or_default().iter());
        let answer = self.watched(request.request.limits, rows, |control| race.run(&request, control))?;
        json(&answer)
    }

    fn trace(&self, body: &[u8]) -> Result<Reply, CallError> {
        let TraceRequest { subject, max_events, form } = TraceRequest::read(body, &self.bounds)?;
        let (budget, limits, is_map) =
            (EventBudget::new(max_events, form), *subject.limits(), matches!(subject, Subject::Map(..)));
        let told = budget.clone();
        let progress = move |control: &Control| recording_progress(control, is_map, &told);
        self.watched(limits, progress, |control| {
            let (traced, map_id) = record(subject, &self.maps, self.bounds.map_cells, &budget, control)?;
            let mut bytes = Vec::new();
            traced.write(form, &mut bytes).map_err(|error| CallError::new("internal", error.to_string()))?;
            Ok(Reply { bytes, map_id })
        })
    }

    fn path(&self, body: &[u8]) -> Result<Reply, CallError> {
        let (text, call) = PathCall::read(body, &self.bounds)?;
        self.watched(
            call.question.request.limits,
            |control| progress(control, 0),
            |control| {
                let map = self.maps.prepare(text, &call.question, self.bounds.map_cells)?;
                let reply = json(&call.answer(&map, control)?)?;
                Ok(Reply { map_id: Some(map.id.clone()), ..reply })
            },
        )
    }

    fn examine(&self, body: &[u8]) -> Result<Reply, CallError> {
        let request = parse::<ExamineBody>(body)?.request(&self.bounds)?;
        let found = self.watched(
            request.limits,
            |control| progress(control, control.bound()),
            |control| Ok(examine(&request, control)),
        )?;
        json(&Understood::of(&request.puzzle, found))
    }

    /// Runs work under a control whose switch asks the host.
    fn watched<T>(
        &self,
        limits: Limits,
        progress: impl Fn(&Control) -> Value + Send + Sync + 'static,
        work: impl FnOnce(&Control) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        let watch = Arc::new(Watch { tell: self.tell, last: Mutex::new(Instant::now()), progress: OnceLock::new() });
        let asked = Arc::downgrade(&watch);
        let cancel = Cancel::asking(move || asked.upgrade().is_some_and(|watch| watch.ask()));
        let control = Control::with_cancel(Limits::none().memory(limits.memory), cancel);
        let watched = control.clone();
        let _ = watch.progress.set(Box::new(move || progress(&watched)));
        work(&control)
    }
}

/// Tells the host about one search.
struct Watch {
    tell: Tell,
    last: Mutex<Instant>,
    progress: OnceLock<Box<dyn Fn() -> Value + Send + Sync>>,
}

impl Watch {
    /// Whether the search shall end.
    fn ask(&self) -> bool {
        // A check while progress is put together asks nobody.
        let Ok(mut last) = self.last.try_lock() else { return false };
        let (Some(progress), true) = (self.progress.get(), last.elapsed() >= PROGRESS_INTERVAL) else { return false };
        let ends = (self.tell)(progress().to_string().as_bytes());
        *last = Instant::now();
        ends
    }
}

fn json(value: &impl Serialize) -> Result<Reply, CallError> {
    let bytes = serde_json::to_vec(value).map_err(|error| CallError::new("internal", error.to_string()))?;
    Ok(Reply { bytes, map_id: None })
}

/// A worker has one user: the id need not be a secret.
fn id_of(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}
