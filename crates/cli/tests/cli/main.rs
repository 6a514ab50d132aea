//! The `pintu` command as its users run it.

mod bad_input;
mod blogs;
mod formats;
mod instances;
mod limits;
mod path;
mod run;
#[cfg(unix)]
mod serve;
mod tables;
