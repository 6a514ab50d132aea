//! The server of the sliding-picture game, and the page it embeds.
//!
//! [`app`] is everything between a request and its response, without a socket; [`Server`] gives it one.
//! Game rules are in `pintu-game`, algorithms behind `pintu-engine`: here are HTTP, the store, and the
//! bounds on what a request may cost.

mod api;
mod app;
mod ask;
mod assets;
mod base64;
mod body;
mod browser;
mod client;
mod clock;
mod config;
mod connections;
mod cookie;
mod error;
mod gate;
mod give_way;
mod guard;
mod guide;
mod id;
mod keys;
mod maps;
mod metrics;
mod notice;
mod ongoing;
mod parcel;
mod patience;
mod picture;
mod pool;
mod rate;
mod serve;
mod server;
mod store;
mod traffic;
mod watch;

pub use app::{StartError, app};
pub use clock::WallClock;
pub use config::{Bounds, Config};
pub use gate::Invites;
pub use serve::{ServeError, serve};
pub use server::{BindError, Server};
pub use store::{BackupError, backup, restore};
