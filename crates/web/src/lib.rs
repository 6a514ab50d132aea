//! The server of the sliding-picture game, and the page it embeds.
//!
//! [`app`] is everything between a request and its response, without a socket; [`Server`] gives it one.
//! Game rules are in `pintu-game`, algorithms behind `pintu-engine`: here are HTTP, the store, and the
//! bounds on what a request may cost.

mod api;
mod app;
mod assets;
mod body;
mod browser;
mod config;
mod error;
mod guard;
mod id;
mod picture;
mod pool;
mod serve;
mod server;
mod solve;
mod store;

pub use app::{StartError, app};
pub use config::{Bounds, Config};
pub use serve::{ServeError, serve};
pub use server::{BindError, Server};
