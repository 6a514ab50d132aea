use clap::{Args, Subcommand};
use pintu_web::{Operator, PlayerLine};

use super::serve::StoreArgs;
use crate::{
    args::{Format, FormatArgs},
    exit::Exit,
    say,
    units::show_bytes,
};

/// List, rename, remove and ban the players of a server
///
/// A server may run meanwhile. A player is named by the beginning of its id, which `list` prints.
#[derive(Args, Debug)]
pub(crate) struct Players {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List players, the latest used first
    List(List),
    /// Set a player's nickname; without one, clear it (the player stays)
    Rename(Rename),
    /// Delete a player with all devices, games and pictures; this cannot be undone
    Remove(Named),
    /// Let a player store nothing and take no part in rankings
    Ban(Named),
    /// Lift a ban
    Unban(Named),
}

#[derive(Args, Debug)]
struct List {
    /// Part of a nickname, or the beginning of an id
    #[arg(default_value = "", hide_default_value = true)]
    text: String,

    /// How many at most
    #[arg(short, long, default_value_t = 100)]
    count: usize,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args, Debug)]
struct Rename {
    #[command(flatten)]
    player: Named,

    /// The new nickname; without it the player has none
    nickname: Option<String>,
}

#[derive(Args, Debug)]
struct Named {
    /// The beginning of the player's id
    player: String,

    #[command(flatten)]
    store: StoreArgs,
}

impl Players {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        match self.action {
            Action::List(List { text, count, format, store }) => {
                let players = open(store)?.list(&text, count)?;
                say::print(&listed(&players, format.format)?)?;
            }
            Action::Rename(Rename { player: Named { player, store }, nickname }) => {
                open(store)?.rename(&player, nickname.as_deref())?;
            }
            Action::Remove(Named { player, store }) => open(store)?.remove(&player)?,
            Action::Ban(Named { player, store }) => open(store)?.ban(&player, true)?,
            Action::Unban(Named { player, store }) => open(store)?.ban(&player, false)?,
        }
        Ok(Exit::Solved)
    }
}

fn open(store: StoreArgs) -> anyhow::Result<Operator> {
    Ok(Operator::open(&store.config()?)?)
}

fn listed(players: &[PlayerLine], format: Format) -> anyhow::Result<String> {
    if format == Format::Json {
        return Ok(format!("{}\n", serde_json::to_string(players)?));
    }
    let line = |player: &PlayerLine| {
        let id: String = player.id.chars().take(8).collect();
        let name = player.nickname.as_deref().unwrap_or("-");
        let banned = if player.banned { "  banned" } else { "" };
        let PlayerLine { devices, saves, records, bytes, .. } = player;
        format!("{id}  {name}  devices {devices}, saves {saves}, records {records}, {}{banned}\n", show_bytes(*bytes))
    };
    Ok(players.iter().map(line).collect())
}
