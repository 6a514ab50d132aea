//! The player behind a device: nickname, devices, pairing codes and recovery phrases.

use axum::{
    Extension,
    body::Body,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use qrcode::{Color, QrCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Caller, PathId, json};
use crate::{
    body,
    device::ForgetCookie,
    error::ApiError,
    phrase::{Code, Phrase},
    store::{CODE_TIME, Key, Player, SentAway, StoredDevice},
};

/// A player, as its own devices see it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Player")]
pub(super) struct Shown {
    /// By which a page notices that its device has become another player's.
    id: Option<String>,
    nickname: Option<String>,
    has_phrase: bool,
    /// Whether the operator lets it store nothing.
    is_banned: bool,
    devices: Vec<StoredDevice>,
}

impl From<Player> for Shown {
    fn from(Player { id, nickname, has_phrase, is_banned, devices }: Player) -> Self {
        Self { id: Some(id), nickname, has_phrase, is_banned, devices }
    }
}

/// The ids of saves and records that devices of the player have deleted, for its other ones.
pub(super) async fn deletions(caller: Caller) -> Result<Response, ApiError> {
    Ok(json(StatusCode::OK, &caller.app.store.deletions(caller.device).await?))
}

/// The player; one that is new has nothing.
pub(super) async fn show(caller: Caller) -> Result<Response, ApiError> {
    let new = Shown { id: None, nickname: None, has_phrase: false, is_banned: false, devices: Vec::new() };
    let player = caller.app.store.player(caller.device).await?.map_or(new, Shown::from);
    Ok(json(StatusCode::OK, &player))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    nickname: Option<String>,
}

pub(super) async fn rename(caller: Caller, body: Body) -> Result<Response, ApiError> {
    let Named { nickname } = body::read_json(body, &caller.app.config.bounds).await?;
    let nickname = nickname.map(|text| check_nickname(&text)).transpose()?;
    let charge = caller.charge_if_new().await?;
    charge.unless_failed(caller.app.store.set_nickname(caller.device.clone(), nickname).await)?;
    show(caller).await
}

/// A nickname without the spaces around it, or what is wrong with it. Marks that change the order of letters, stack up or are
/// not seen are refused, for others read it; the vowel signs of many scripts are letters, one on each.
pub(crate) fn check_nickname(text: &str) -> Result<String, ApiError> {
    const MAX_CHARACTERS: usize = 20;
    /// Letters of Hangul that only fill a place.
    const UNSEEN: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];
    let (name, length) = (text.trim(), text.trim().chars().count());
    let is_plain = |letter: char| letter.is_alphanumeric() && !UNSEEN.contains(&letter);
    let odd = name.chars().find(|&letter| !is_plain(letter) && !" -_.'’·".contains(letter));
    // Only marks on the letter before are letters that have to be escaped.
    let is_mark = |letter: char| letter.is_alphabetic() && letter.escape_debug().len() > 1;
    let letters = name.chars();
    let stacked = letters.clone().skip(1).zip(letters).find(|&(mark, before)| is_mark(mark) && is_mark(before));
    if let Some(odd) = odd.or(stacked.map(|(mark, _)| mark)) {
        let found = odd.escape_default();
        let message = format!("nickname: found `{found}`, expected letters, digits, spaces and any of - _ . ' ·");
        return Err(ApiError::bad("bad-nickname", message));
    }
    if !(1..=MAX_CHARACTERS).contains(&length) || !name.chars().any(char::is_alphanumeric) {
        let message =
            format!("nickname: found {length} characters, expected 1 to {MAX_CHARACTERS} with a letter or digit");
        return Err(ApiError::bad("bad-nickname", message));
    }
    Ok(name.to_owned())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Renamed {
    name: String,
}

pub(super) async fn rename_device(caller: Caller, PathId(id): PathId, body: Body) -> Result<Response, ApiError> {
    const MAX_CHARACTERS: usize = 40;
    let Renamed { name } = body::read_json(body, &caller.app.config.bounds).await?;
    let length = name.chars().count();
    if length > MAX_CHARACTERS || name.chars().any(char::is_control) {
        let expected = format!("at most {MAX_CHARACTERS} and no control characters");
        return Err(ApiError::bad("bad-field", format!("name: found {length} characters, expected {expected}")));
    }
    if !caller.app.store.rename_device(caller.device.clone(), id, name).await? {
        return Err(no_device());
    }
    show(caller).await
}

/// Takes a device from the player. This device itself is a new player's from then on.
pub(super) async fn send_away(caller: Caller, PathId(id): PathId) -> Result<Response, ApiError> {
    match caller.app.store.send_away(caller.device, id).await? {
        SentAway::Done { is_current: true } => Ok((Extension(ForgetCookie), StatusCode::NO_CONTENT).into_response()),
        SentAway::Done { is_current: false } => Ok(StatusCode::NO_CONTENT.into_response()),
        SentAway::Absent => Err(no_device()),
        SentAway::IsLast => {
            let message = "this is the last device, and there is no recovery phrase: nobody could come back";
            Err(ApiError::new(StatusCode::CONFLICT, "last-device", message))
        }
    }
}

fn no_device() -> ApiError {
    ApiError::not_found("such device")
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Code")]
pub(super) struct MadeCode<'a> {
    code: &'a str,
    seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    /// An SVG picture of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    qr: Option<String>,
}

/// Makes a pairing code. A page also gets a link that carries it, as a QR picture.
pub(super) async fn make_code(caller: Caller, headers: HeaderMap) -> Result<Response, ApiError> {
    let code = Code::random().ok_or_else(ApiError::internal)?;
    let charge = caller.charge_if_new().await?;
    charge.unless_failed(caller.app.store.set_code(caller.device.clone(), code.secret()).await)?;
    // It was checked to be ours. The code is behind the `#`, so that it is in no log.
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let link = origin.map(|origin| format!("{origin}/#join={}", code.as_str()));
    let qr = link.as_deref().and_then(svg);
    Ok(json(StatusCode::CREATED, &MadeCode { code: code.as_str(), seconds: CODE_TIME.as_secs(), link, qr }))
}

/// A QR picture of a text, with the margin that readers need.
fn svg(text: &str) -> Option<String> {
    const MARGIN: usize = 4;
    let picture = QrCode::new(text).ok()?;
    let (width, colors) = (picture.width(), picture.to_colors());
    let dark = (0..colors.len()).filter(|&at| colors[at] == Color::Dark);
    let squares = dark.map(|at| format!("M{} {}h1v1h-1z", at % width + MARGIN, at / width + MARGIN));
    let path = squares.collect::<Vec<_>>().concat();
    let side = width + 2 * MARGIN;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{side}v{side}h-{side}z\"/><path d=\"{path}\"/></svg>"
    ))
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Phrase")]
pub(super) struct MadePhrase {
    en: String,
    zh: String,
}

pub(super) async fn make_phrase(caller: Caller) -> Result<Response, ApiError> {
    let phrase = Phrase::random().ok_or_else(ApiError::internal)?;
    let (Some(en), Some(zh)) = (phrase.english(), phrase.chinese()) else { return Err(ApiError::internal()) };
    let charge = caller.charge_if_new().await?;
    charge.unless_failed(caller.app.store.set_phrase(caller.device.clone(), phrase.secret()).await)?;
    Ok(json(StatusCode::CREATED, &MadePhrase { en, zh }))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Joining {
    code: Option<String>,
    phrase: Option<String>,
}

/// Makes this device one of the player of a code or a phrase. Wrong ones are rate limited.
pub(super) async fn join(caller: Caller, body: Body) -> Result<Response, ApiError> {
    let joining: Joining = body::read_json(body, &caller.app.config.bounds).await?;
    let (key, wrong) = match joining {
        Joining { code: Some(code), phrase: None } => {
            let wrong = ("unknown-code", "this code is not valid: it may be mistyped, used already or too old");
            (Code::parse(&code).map(|code| Key::Code(code.secret())), wrong)
        }
        Joining { code: None, phrase: Some(phrase) } => {
            let wrong = ("unknown-phrase", "no player has this recovery phrase");
            (Phrase::parse(&phrase).map(|phrase| Key::Phrase(phrase.secret())), wrong)
        }
        _ => return Err(ApiError::bad("bad-field", "expected either `code` or `phrase`")),
    };
    let wrong = || ApiError::new(StatusCode::NOT_FOUND, wrong.0, wrong.1);
    // A text that cannot be a key is no guess.
    let key = key.ok_or_else(wrong)?;
    let guess = caller.guess().await?;
    let charge = caller.charge_if_new().await?;
    let joined = caller.app.store.join(caller.device.clone(), key).await;
    if !charge.if_stored(joined, |&has_joined| has_joined)? {
        return Err(wrong());
    }
    guess.was_right();
    show(caller).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nicknames_are_short_and_plain() {
        for (text, name) in [
            ("  Anna ", "Anna"),
            ("小明", "小明"),
            ("J.-P. O'Neill 2", "J.-P. O'Neill 2"),
            ("Zoë", "Zoë"),
            ("कुमार", "कुमार"),
        ] {
            assert_eq!(check_nickname(text).unwrap(), name);
        }
        let long = "a".repeat(21);
        for text in [
            "",
            "   ",
            "---",
            &long,
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}b",
            "<b>",
            "\u{3164}",
            "a\u{301}",
            "\u{1f600}",
            "ก\u{e34}\u{e34}",
        ] {
            assert!(check_nickname(text).is_err(), "{text:?}");
        }
    }
}
