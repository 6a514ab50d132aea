//! Everything that is stored for a player, in one file.

use std::{collections::HashMap, sync::Arc};

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use pintu_game::{Day, Save, Score};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::Caller;
use crate::{
    app::App,
    budget::Reservation,
    error::ApiError,
    id::Id,
    response_body::CHUNK_BYTES,
    store::{Device, StoreError},
};

/// The file.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it stands for what is written piece by piece")]
pub(super) struct Exported {
    pintu: u8,
    nickname: Option<String>,
    devices: Vec<ExportedDevice>,
    saves: Vec<ExportedSave>,
    records: Vec<ExportedRecord>,
    daily: Vec<ExportedRun>,
    /// By their ids.
    pictures: HashMap<String, String>,
}

#[derive(Serialize, JsonSchema)]
struct ExportedDevice {
    name: String,
    used_millis: i64,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "the game is written as it is stored")]
struct ExportedSave {
    name: String,
    updated_millis: i64,
    game: Save,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "the game is written as it is stored")]
struct ExportedRecord {
    created_millis: i64,
    game: Save,
}

#[derive(Serialize, JsonSchema)]
struct ExportedRun {
    date: Day,
    started_millis: i64,
    score: Option<Score>,
}

/// Streams the file in pieces: it is as large as everything that a player may have. An export counts as one picture in
/// flight, for it holds no more: beside that only small pieces, as any response has.
pub(super) async fn export(caller: Caller) -> Result<Response, ApiError> {
    let mut in_flight = caller.app.downloads.begin(caller.client.address);
    in_flight.add(1)?;
    let (pieces, stream) = channel(1);
    let Caller { app, device, .. } = caller;
    tokio::spawn(async move {
        let file = File { app, device, pieces, _in_flight: in_flight };
        let written = tokio::select! {
            written = file.write() => written,
            // The client has gone: nothing more is read for it.
            () = file.pieces.closed() => Ok(()),
        };
        if let Err(error) = written {
            tracing::error!(%error, "an export failed");
            // The connection breaks off, so that nobody takes half a file for a whole one.
            let _ = file.pieces.send(Err(std::io::Error::other("the export failed"))).await;
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"pintu.json\""),
    ];
    Ok((headers, Body::from_stream(ReceiverStream::new(stream))).into_response())
}

/// Bytes of a picture that are sent at once. Three of them are four letters, without any to fill up.
const PART_BYTES: usize = CHUNK_BYTES / 4 * 3;

struct File {
    app: Arc<App>,
    device: Device,
    pieces: Sender<std::io::Result<Bytes>>,
    _in_flight: Reservation,
}

impl File {
    async fn write(&self) -> Result<(), StoreError> {
        let (store, device) = (&self.app.store, || self.device.clone());
        let player = store.player(device()).await?;
        let devices = player.iter().flat_map(|player| &player.devices);
        let devices = devices.map(|one| ExportedDevice { name: one.name.clone(), used_millis: one.used });
        let devices: Vec<_> = devices.collect();
        let nickname = player.as_ref().and_then(|player| player.nickname.clone());
        self.send(format!("{{\"pintu\":1,\"nickname\":{},\"devices\":{},\"saves\":[", json!(nickname), json!(devices)))
            .await;
        let mut list = List::default();
        for save in store.saves(device()).await? {
            // It may be deleted by now.
            let Some(save) = store.save(device(), known(&save.id)?).await? else { continue };
            let (comma, name) = (list.comma(), json!(save.name));
            let piece =
                format!("{comma}{{\"name\":{name},\"updated_millis\":{},\"game\":{}}}", save.updated, save.json);
            self.send(piece).await;
        }
        self.send("],\"records\":[".to_owned()).await;
        let mut list = List::default();
        for record in store.records(device()).await? {
            let Some(game) = store.record(device(), known(&record.id)?).await? else { continue };
            self.send(format!("{}{{\"created_millis\":{},\"game\":{game}}}", list.comma(), record.created)).await;
        }
        let runs = store.runs(device()).await?.into_iter();
        let daily = runs.map(|run| ExportedRun { date: run.day, started_millis: run.started, score: run.score });
        self.send(format!("],\"daily\":{},\"pictures\":{{", json!(daily.collect::<Vec<_>>()))).await;
        let mut list = List::default();
        for id in store.pictures(device()).await? {
            let Some(bytes) = store.picture(device(), known(&id)?).await? else { continue };
            self.send(format!("{}\"{id}\":\"data:image/jpeg;base64,", list.comma())).await;
            for part in bytes.chunks(PART_BYTES) {
                self.send(BASE64_STANDARD.encode(part)).await;
            }
            self.send("\"".to_owned()).await;
        }
        self.send("}}\n".to_owned()).await;
        Ok(())
    }

    /// Waits until the client has read the piece before.
    async fn send(&self, piece: String) {
        let _ = self.pieces.send(Ok(piece.into())).await;
    }
}

/// A list, of which items may be left out.
#[derive(Default)]
struct List {
    is_begun: bool,
}

impl List {
    fn comma(&mut self) -> &'static str {
        if std::mem::replace(&mut self.is_begun, true) { "," } else { "" }
    }
}

fn known(id: &str) -> Result<Id, StoreError> {
    Id::parse(id).ok_or_else(|| StoreError::Failed(format!("found the id `{id}` in the store")))
}
