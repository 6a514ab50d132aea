//! An operator's work with players, beside the server or while it runs.

use std::io;

use tokio::runtime::{Builder, Runtime};

use crate::{
    api::check_nickname,
    app::StartError,
    config::Config,
    store::{self, PlayerLine, Store, StoreError},
};

/// The players of a server.
pub struct Operator {
    store: Box<dyn Store>,
    runtime: Runtime,
}

impl Operator {
    /// Opens the store of a configuration, which must be there.
    pub fn open(config: &Config) -> Result<Self, OperatorError> {
        if !store::exists(config) {
            return Err(OperatorError::NoStore(config.data.display().to_string()));
        }
        let (store, _) = store::open(config).map_err(|error| OperatorError::Start(StartError(error)))?;
        let runtime = Builder::new_current_thread().build().map_err(OperatorError::Runtime)?;
        Ok(Self { store, runtime })
    }

    /// Players whose nickname contains a text or whose id begins with it, the latest used first.
    pub fn list(&self, text: &str, most: usize) -> Result<Vec<PlayerLine>, OperatorError> {
        Ok(self.runtime.block_on(self.store.list_players(text.to_owned(), most))?)
    }

    /// Changes the nickname of a player, or removes it.
    pub fn rename(&self, player: &str, nickname: Option<&str>) -> Result<(), OperatorError> {
        let nickname = nickname.map(check_nickname).transpose();
        let nickname = nickname.map_err(|error| OperatorError::Nickname(error.to_string()))?;
        let id = self.id(player)?;
        self.runtime.block_on(self.store.rename_player(id, nickname))?;
        Ok(())
    }

    /// Deletes a player with everything that is stored for it.
    pub fn remove(&self, player: &str) -> Result<(), OperatorError> {
        let id = self.id(player)?;
        self.runtime.block_on(self.store.remove_player(id))?;
        Ok(())
    }

    /// Bans a player, or no longer: its devices can store nothing, and it is in no ranking.
    pub fn ban(&self, player: &str, banned: bool) -> Result<(), OperatorError> {
        let id = self.id(player)?;
        self.runtime.block_on(self.store.ban_player(id, banned))?;
        Ok(())
    }

    /// The id of the one player whose id begins with a text.
    fn id(&self, text: &str) -> Result<String, OperatorError> {
        const MOST: usize = 1000;
        let listed = self.runtime.block_on(self.store.list_players(text.to_owned(), MOST))?;
        let mut found: Vec<String> =
            listed.into_iter().map(|player| player.id).filter(|id| !text.is_empty() && id.starts_with(text)).collect();
        match found.len() {
            1 => Ok(found.remove(0)),
            count => Err(OperatorError::Which { text: text.to_owned(), count }),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    #[error("found no database in {0}, expected the data of a server (--data names another directory)")]
    NoStore(String),
    #[error(transparent)]
    Start(StartError),
    #[error("cannot start: {0}")]
    Runtime(io::Error),
    #[error("found {count} players whose id begins with `{text}`, expected one")]
    Which { text: String, count: usize },
    #[error("{0}")]
    Nickname(String),
    #[error("{0}")]
    Store(String),
}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        Self::Store(error.to_string())
    }
}
