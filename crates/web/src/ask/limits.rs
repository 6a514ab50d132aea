use std::time::Duration;

use pintu_search::Limits;
use serde::Deserialize;

use super::field;
use crate::{config::Bounds, error::ApiError};

/// What may be spent on a search.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spend {
    seconds: Option<f64>,
    nodes: Option<u64>,
    mebibytes: Option<f64>,
    pub(super) max_depth: Option<u32>,
}

impl Spend {
    /// The same, cut to what the server allows.
    pub(crate) fn limits(&self, bounds: &Bounds) -> Result<Limits, ApiError> {
        let seconds = positive(self.seconds, "limits.seconds")?;
        let mebibytes = positive(self.mebibytes, "limits.mebibytes")?;
        let most = bounds.search_time;
        let time =
            seconds.map_or(bounds.usual_search_time, |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(most));
        let bytes = mebibytes.map_or(u64::MAX, |mebibytes| (mebibytes * f64::from(1 << 20)) as u64);
        Ok(Limits { nodes: self.nodes, time: Some(time.min(most)), memory: Some(bytes.min(bounds.search_bytes)) })
    }
}

fn positive(number: Option<f64>, what: &str) -> Result<Option<f64>, ApiError> {
    match number {
        Some(found) if found <= 0.0 || found.is_nan() => {
            Err(field(what, format!("found {found}, expected a number above 0")))
        }
        number => Ok(number),
    }
}
