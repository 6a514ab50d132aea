//! The login page.

use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};

use super::LOGIN_PATH;
use crate::{
    app::App,
    html::{self, Language},
    id::Id,
};

/// The question on the page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prompt<'a> {
    /// The password, or an invitation.
    Password,
    /// The same, after a wrong one.
    Again,
    /// Whether to use this invitation.
    Invited(&'a Id),
}

pub(super) fn login(app: &App, headers: &HeaderMap, status: StatusCode, prompt: Prompt<'_>) -> Response {
    let language = Language::of(headers);
    let [password, enter, invited, wrong, ask] = if language == Language::Chinese { CHINESE } else { ENGLISH };
    let html = |content: &str| html::page(status, language, Some(html::STYLE_PATH), content);
    let wrong = if matches!(prompt, Prompt::Again) { format!("<p role=\"alert\">{wrong}</p>") } else { String::new() };
    let field = match prompt {
        Prompt::Invited(token) => format!("<p>{invited}</p><input type=\"hidden\" name=\"token\" value=\"{token}\">"),
        _ if app.config.password.is_some() => format!(
            "<label>{password}<input type=\"password\" name=\"password\" autocomplete=\"current-password\" autofocus required></label>"
        ),
        _ => return html(&format!("{wrong}<p>{ask}</p>")),
    };
    html(&format!("<form method=\"post\" action=\"{LOGIN_PATH}\">{wrong}{field}<button>{enter}</button></form>"))
}

/// The label of the password, the button, the invitation, the error, and the text where neither can be had.
const ENGLISH: [&str; 5] = [
    "Password",
    "Enter",
    "You are invited to play.",
    "That did not work. Check the password; a link can be used only once.",
    "You need an invitation. Ask whoever runs this game for a link.",
];
const CHINESE: [&str; 5] = [
    "密码",
    "进入",
    "有人邀请你来玩拼图。",
    "没能进入。请核对密码；邀请链接只能用一次。",
    "需要邀请才能进入，请向开设游戏的人要一个链接。",
];
