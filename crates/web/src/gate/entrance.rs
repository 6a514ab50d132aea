//! The page at which one comes in.

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::ENTRANCE;
use crate::{
    app::App,
    id::Id,
    notice::{self, Language},
};

/// What the entrance asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask<'a> {
    /// The password, or an invitation.
    Password,
    /// The same, after something wrong.
    Again,
    /// Whether to use the invitation.
    Invited(&'a Id),
}

/// The entrance.
pub(super) fn page(app: &App, headers: &HeaderMap, status: StatusCode, ask: Ask<'_>) -> Response {
    let language = Language::of(headers);
    let words = if language == Language::Chinese { &CHINESE } else { &ENGLISH };
    let html = |content: &str| notice::page(status, language, Some(STYLE), content);
    let wrong =
        if matches!(ask, Ask::Again) { format!("<p role=\"alert\">{}</p>", words.wrong) } else { String::new() };
    let field = match ask {
        Ask::Invited(token) => {
            format!("<p>{}</p><input type=\"hidden\" name=\"token\" value=\"{token}\">", words.invited)
        }
        _ if app.config.password.is_some() => format!(
            "<label>{}<input type=\"password\" name=\"password\" autocomplete=\"current-password\" autofocus required></label>",
            words.password
        ),
        _ => return html(&format!("{wrong}<p>{}</p>", words.ask)),
    };
    let form =
        format!("<form method=\"post\" action=\"{ENTRANCE}\">{wrong}{field}<button>{}</button></form>", words.enter);
    html(&form)
}

/// The style of the entrance.
pub(super) fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], CSS).into_response()
}

pub(super) const STYLE: &str = "/enter.css";

const CSS: &str = "\
:root{color-scheme:light dark}
body{font:1.125rem/1.5 system-ui,sans-serif;max-width:22rem;margin:15vh auto;padding:0 1rem}
input,button{font:inherit;width:100%;box-sizing:border-box;padding:.6rem;margin:.4rem 0;border-radius:.5rem;border:1px solid #888}
button{background:#c8402a;color:#fff;border:0;cursor:pointer}
p[role=alert]{color:#b3261e}
";

struct Words {
    password: &'static str,
    enter: &'static str,
    invited: &'static str,
    wrong: &'static str,
    ask: &'static str,
}

const ENGLISH: Words = Words {
    password: "Password",
    enter: "Enter",
    invited: "You are invited to play.",
    wrong: "That did not work. Check the password; a link can be used only once.",
    ask: "You need an invitation. Ask whoever runs this game for a link.",
};

const CHINESE: Words = Words {
    password: "密码",
    enter: "进入",
    invited: "有人邀请你来玩拼图。",
    wrong: "没能进入。请核对密码；邀请链接只能用一次。",
    ask: "需要邀请才能进入，请向开设游戏的人要一个链接。",
};
