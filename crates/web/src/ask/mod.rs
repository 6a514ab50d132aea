//! From the bodies of requests to what the engine is asked.
//!
//! A body is put together from parts that several addresses share, and [`NothingElse`]: what no part knows is
//! refused.

mod board;
mod limits;
mod map;
mod nothing_else;
mod problem;
mod race;
mod recording;

pub(crate) use board::Board;
pub(crate) use limits::Spend;
pub(crate) use map::{MapBody, Question};
pub(crate) use nothing_else::NothingElse;
pub(crate) use problem::{Problem, Search};
pub(crate) use race::{RaceBody, RaceStart};
pub(crate) use recording::{Recorded, Watched};

use crate::error::ApiError;

fn named<T: std::str::FromStr>(name: Option<String>, what: &str) -> Result<Option<T>, ApiError>
where
    T::Err: std::fmt::Display,
{
    name.map(|name| name.parse()).transpose().map_err(|error| field(what, error))
}

/// The error of a field that is not what it should be.
pub(crate) fn field(name: &str, error: impl std::fmt::Display) -> ApiError {
    ApiError::bad("bad-field", format!("{name}: {error}"))
}
