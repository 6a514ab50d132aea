//! What the server has done, as numbers for Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::http::{Method, StatusCode};

use crate::store::Census;

/// Counters of requests.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    buckets: [AtomicU64; BOUNDS.len()],
    seconds: Mutex<f64>,
    refused: Mutex<BTreeMap<&'static str, u64>>,
    panics: AtomicU64,
}

/// Upper bounds of the histogram of times, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, f64::INFINITY];

/// What else there is to tell at this moment.
#[derive(Debug)]
pub(crate) struct Now {
    pub(crate) census: Option<Census>,
    pub(crate) searches: (usize, usize),
    pub(crate) connections: Option<usize>,
    pub(crate) resident: u64,
}

impl Metrics {
    /// Counts a response.
    pub(crate) fn count(&self, method: &Method, status: StatusCode, took: Duration) {
        let method = match *method {
            Method::GET => "GET",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::DELETE => "DELETE",
            _ => "other",
        };
        *lock(&self.requests).entry((method, status.as_u16())).or_default() += 1;
        let seconds = took.as_secs_f64();
        if let Some(bucket) = BOUNDS.iter().position(|&bound| seconds <= bound) {
            self.buckets[bucket].fetch_add(1, Relaxed);
        }
        *lock(&self.seconds) += seconds;
    }

    /// Counts an error by its code.
    pub(crate) fn refuse(&self, code: &'static str) {
        *lock(&self.refused).entry(code).or_default() += 1;
    }

    /// Counts a panic that was caught.
    pub(crate) fn panicked(&self) {
        self.panics.fetch_add(1, Relaxed);
    }

    /// All of it as text.
    pub(crate) fn text(&self, now: &Now) -> String {
        let mut text = String::new();
        head(&mut text, "pintu_requests_total", "counter", "Responses by method and status.");
        for ((method, status), count) in &*lock(&self.requests) {
            let _ = writeln!(text, "pintu_requests_total{{method=\"{method}\",status=\"{status}\"}} {count}");
        }
        head(&mut text, "pintu_refused_total", "counter", "Errors by code.");
        for (code, count) in &*lock(&self.refused) {
            let _ = writeln!(text, "pintu_refused_total{{code=\"{code}\"}} {count}");
        }
        self.histogram(&mut text);
        single(&mut text, "pintu_panics_total", "counter", "Requests that panicked.", self.panics.load(Relaxed));
        single(&mut text, "pintu_searches_running", "gauge", "Searches at work.", now.searches.0 as u64);
        single(&mut text, "pintu_searches_waiting", "gauge", "Searches that wait.", now.searches.1 as u64);
        single(&mut text, "pintu_resident_bytes", "gauge", "Memory of the process.", now.resident);
        if let Some(connections) = now.connections {
            single(&mut text, "pintu_connections", "gauge", "Open connections.", connections as u64);
        }
        if let Some(census) = now.census {
            single(&mut text, "pintu_browsers", "gauge", "Browsers that have something here.", census.browsers);
            single(&mut text, "pintu_saves", "gauge", "Saves.", census.saves);
            single(&mut text, "pintu_pictures", "gauge", "Pictures.", census.pictures);
            single(&mut text, "pintu_records", "gauge", "Records.", census.records);
            single(&mut text, "pintu_database_bytes", "gauge", "Bytes of the database in use.", census.bytes);
        }
        text
    }

    fn histogram(&self, text: &mut String) {
        const NAME: &str = "pintu_response_seconds";
        head(text, NAME, "histogram", "Time until a response began.");
        let mut sum = 0;
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            sum += bucket.load(Relaxed);
            let bound = if bound.is_finite() { bound.to_string() } else { "+Inf".to_owned() };
            let _ = writeln!(text, "{NAME}_bucket{{le=\"{bound}\"}} {sum}");
        }
        let _ = writeln!(text, "{NAME}_sum {}\n{NAME}_count {sum}", lock(&self.seconds));
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn single(text: &mut String, name: &str, kind: &str, help: &str, value: u64) {
    head(text, name, kind, help);
    let _ = writeln!(text, "{name} {value}");
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
