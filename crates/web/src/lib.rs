//! The server of the sliding-picture game, and the page it embeds.
//!
//! [`app`] is everything between a request and its response, without a socket; [`Server`] gives it one.
//! Game rules are in `pintu-game`, algorithms behind `pintu-engine`: here are HTTP, the store, and the
//! bounds on what a request may cost.

mod api;
mod app;
mod assets;
mod auth;
mod body;
mod budget;
mod client;
mod config;
mod connections;
mod cookie;
mod device;
mod engine;
mod error;
mod guard;
mod html;
mod icon;
mod id;
mod keys;
mod ledger;
mod metrics;
mod operator;
mod phrase;
mod picture;
mod pool;
mod priority;
mod ranking;
mod request_log;
mod response_body;
mod server;
mod settings;
mod site;
mod store;
pub mod units;

pub use app::{Service, StartError, app};
pub use auth::Invites;
pub use client::ProxyHeader;
pub use config::{Bounds, Config, Hosting};
pub use engine::{Engine, EngineError};
pub use operator::{Operator, OperatorError};
pub use server::{BindError, ServeError, Server, serve};
pub use settings::{SettingError, Settings};
pub use site::{SiteError, write as write_site};
pub use store::{BackupError, Copied, CopyError, PlayerLine, StoreAddress, backup, copy_store, restore};
