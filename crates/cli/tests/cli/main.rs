//! The `pintu` command as its users run it.

mod bad_input;
mod blogs;
mod compare;
mod devices;
mod formats;
mod instances;
#[cfg(unix)]
mod interrupts;
mod limits;
mod output;
mod path;
mod run;
#[cfg(unix)]
mod serve;
mod shards;
mod tables;
mod terminal;
mod traces;
