//! Metrics in the text format of Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::http::{Method, StatusCode};

use crate::store::Census;

#[derive(Debug, Default)]
pub(crate) struct Metrics(Mutex<Counters>);

#[derive(Debug, Default)]
struct Counters {
    requests: BTreeMap<(&'static str, u16), u64>,
    refused: BTreeMap<&'static str, u64>,
    buckets: [u64; BOUNDS.len()],
    seconds: f64,
    panics: u64,
}

/// Upper bounds of the histogram of times, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, f64::INFINITY];

/// Gauges at this moment.
#[derive(Debug)]
pub(crate) struct Now {
    pub(crate) census: Option<Census>,
    /// Running and queued searches.
    pub(crate) searches: (usize, usize),
    pub(crate) connections: usize,
    pub(crate) resident: u64,
}

impl Metrics {
    pub(crate) fn count(&self, method: &Method, status: StatusCode, took: Duration) {
        let method = match *method {
            Method::GET => "GET",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::DELETE => "DELETE",
            _ => "other",
        };
        let (mut counters, seconds) = (self.lock(), took.as_secs_f64());
        *counters.requests.entry((method, status.as_u16())).or_default() += 1;
        if let Some(bucket) = BOUNDS.iter().position(|&bound| seconds <= bound) {
            counters.buckets[bucket] += 1;
        }
        counters.seconds += seconds;
    }

    pub(crate) fn refuse(&self, code: &'static str) {
        *self.lock().refused.entry(code).or_default() += 1;
    }

    pub(crate) fn panicked(&self) {
        self.lock().panics += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Counters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn text(&self, now: &Now) -> String {
        const TIMES: &str = "pintu_response_seconds";
        let (counters, mut text) = (self.lock(), String::new());
        head(&mut text, "pintu_requests_total", "counter", "Responses by method and status.");
        for ((method, status), count) in &counters.requests {
            let _ = writeln!(text, "pintu_requests_total{{method=\"{method}\",status=\"{status}\"}} {count}");
        }
        head(&mut text, "pintu_refused_total", "counter", "Errors by code.");
        for (code, count) in &counters.refused {
            let _ = writeln!(text, "pintu_refused_total{{code=\"{code}\"}} {count}");
        }
        head(&mut text, TIMES, "histogram", "Time until a response began.");
        let mut sum = 0;
        for (bound, bucket) in BOUNDS.iter().zip(&counters.buckets) {
            sum += bucket;
            let bound = if bound.is_finite() { bound.to_string() } else { "+Inf".to_owned() };
            let _ = writeln!(text, "{TIMES}_bucket{{le=\"{bound}\"}} {sum}");
        }
        let _ = writeln!(text, "{TIMES}_sum {}\n{TIMES}_count {sum}", counters.seconds);
        let mut single = |name: &str, kind: &str, help: &str, value: u64| {
            head(&mut text, name, kind, help);
            let _ = writeln!(text, "{name} {value}");
        };
        single("pintu_panics_total", "counter", "Requests that panicked.", counters.panics);
        single("pintu_searches_running", "gauge", "Searches at work.", now.searches.0 as u64);
        single("pintu_searches_waiting", "gauge", "Searches that wait.", now.searches.1 as u64);
        single("pintu_resident_bytes", "gauge", "Memory of the process.", now.resident);
        single("pintu_connections", "gauge", "Open connections.", now.connections as u64);
        if let Some(census) = now.census {
            single("pintu_players", "gauge", "Players that have something here.", census.players);
            single("pintu_devices", "gauge", "Their devices.", census.devices);
            single("pintu_saves", "gauge", "Saves.", census.saves);
            single("pintu_pictures", "gauge", "Pictures.", census.pictures);
            single("pintu_records", "gauge", "Records.", census.records);
            single("pintu_database_bytes", "gauge", "Bytes of the database in use.", census.bytes);
            if let Some((used, waiting)) = census.connections {
                single("pintu_database_connections", "gauge", "Connections to the database in use.", used as u64);
                single("pintu_database_waiting", "gauge", "Requests that wait for a connection.", waiting as u64);
            }
        }
        text
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}
