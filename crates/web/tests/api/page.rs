//! The page and its files.

use axum::body::Body;

use crate::support::{Reply, browser};

async fn get(path: &str, headers: &[(&str, &str)]) -> Reply {
    browser().send("GET", path, headers, Body::empty()).await
}

#[tokio::test]
async fn each_place_is_the_page_and_sets_a_cookie() {
    for place in ["/", "/lab", "/paths", "/records", "/guide"] {
        let got = get(place, &[]).await;
        assert_eq!((got.status.as_u16(), got.header("content-type")), (200, "text/html; charset=utf-8"));
        let cookie = got.header("set-cookie");
        for part in ["pintu-", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
            assert!(cookie.contains(part), "{cookie}");
        }
    }
}

#[tokio::test]
async fn files_have_types_and_set_no_cookie() {
    let got = get("/css/base.css", &[]).await;
    assert_eq!((got.header("content-type"), got.header("set-cookie")), ("text/css; charset=utf-8", ""));
    assert_eq!(got.body, include_bytes!("../../page/css/base.css"));
    assert_eq!(got.header("cache-control"), "no-cache");
    let head = browser().send("HEAD", "/css/base.css", &[], Body::empty()).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
}

/// A script's address changes with what is in it, so that a browser need not ask again.
#[tokio::test]
async fn the_page_asks_for_packed_scripts_that_may_be_kept() {
    let document = get("/", &[]).await.text();
    let addresses: Vec<&str> = document.split(" src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(addresses.len(), 2, "{addresses:?}");
    for address in addresses {
        assert!(address.starts_with("/app/"), "{address}");
        let got = get(address, &[]).await;
        assert_eq!((got.status.as_u16(), got.header("content-type")), (200, "text/javascript; charset=utf-8"));
        assert_eq!(got.header("cache-control"), "public, max-age=31536000, immutable");
    }
    assert_eq!(get("/js/main.js", &[]).await.status, 404, "modules are packed only");
    assert_eq!(get("/app/0/main.js", &[]).await.status, 404);
}

/// The element is one module at an address that others can write down.
#[tokio::test]
async fn the_element_is_one_script() {
    let got = get("/pintu-board.js", &[]).await;
    assert_eq!((got.status.as_u16(), got.header("content-type")), (200, "text/javascript; charset=utf-8"));
    assert_eq!(got.header("cache-control"), "no-cache");
    let text = got.text();
    assert!(text.contains("customElements.define('pintu-board'") && !text.contains("import "), "{text}");
}

#[tokio::test]
async fn the_guide_is_html_with_its_pictures_in_both_languages() {
    let mut browser = browser();
    for (language, title) in [("en", "Which algorithm when"), ("zh", "什么时候用哪种算法")] {
        let got = browser.get(&format!("/guide/{language}.html")).await;
        assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
        let text = got.text();
        assert!(text.starts_with(&format!("<h1>{title}</h1>")), "{language}");
        let pictures: Vec<&str> = text.split("<img src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(pictures.len() > 3, "{language}");
        for picture in pictures {
            assert_eq!(browser.get(&format!("/{picture}")).await.status, 200, "{picture}");
        }
    }
}

#[tokio::test]
async fn a_file_that_is_cached_is_not_sent_again() {
    let first = get("/css/base.css", &[]).await;
    let again = get("/css/base.css", &[("if-none-match", first.header("etag"))]).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    assert_eq!(get("/css/base.css", &[("if-none-match", "\"0\"")]).await.status, 200);
}

#[tokio::test]
async fn text_is_compressed_for_clients_that_accept_it() {
    let got = get("/", &[("accept-encoding", "br, gzip;q=0.8")]).await;
    assert_eq!(got.header("content-encoding"), "gzip");
    let mut plain = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&*got.body), &mut plain).unwrap();
    assert_eq!(plain, get("/", &[]).await.text());
    assert_eq!(get("/", &[("accept-encoding", "gzip;q=0")]).await.header("content-encoding"), "");
}

#[tokio::test]
async fn pages_at_localhost_are_redirected_to_the_address() {
    let got = get("/records?a=b", &[("host", "localhost:7468")]).await;
    assert_eq!((got.status.as_u16(), got.header("location")), (307, "http://127.0.0.1:7468/records?a=b"));
    assert_eq!(get("/css/base.css", &[("host", "localhost:7468")]).await.status, 200);
}

#[tokio::test]
async fn other_paths_are_not_found() {
    let paths = ["/nothing", "/js", "/../Cargo.toml", "/js/../../../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"];
    for path in paths.into_iter().chain(["/guide/../README.md"]) {
        assert_eq!(get(path, &[]).await.status, 404, "{path}");
    }
    assert_eq!(browser().send("POST", "/css/base.css", &[], Body::empty()).await.status, 405);
}

#[tokio::test]
async fn a_browser_gets_a_page_about_an_unknown_address_in_its_language() {
    for (language, said) in [("de,en;q=0.5", "There is no page"), ("zh-CN,zh;q=0.9", "这个地址没有页面")] {
        let got = get("/nothing", &[("accept", "text/html,*/*;q=0.8"), ("accept-language", language)]).await;
        assert_eq!((got.status.as_u16(), got.header("content-type")), (404, "text/html; charset=utf-8"));
        assert!(got.text().contains(said) && got.text().contains("<a href=\"/\">"), "{}", got.text());
    }
    assert_eq!(get("/enter.css", &[]).await.header("content-type"), "text/css; charset=utf-8");
    get("/nothing", &[("accept", "*/*")]).await.assert_error(404, "not-found");
    get("/api/nothing", &[("accept", "text/html")]).await.assert_error(404, "not-found");
}
