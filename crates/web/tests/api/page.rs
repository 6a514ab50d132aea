//! The page and its files.

use axum::body::Body;

use pintu_web::Engine;

use crate::support::{Reply, browser, browser_with};

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

/// The address of a file changes with what is in the page, so that a browser need not ask again.
#[tokio::test]
async fn the_page_asks_for_files_that_may_be_kept() {
    let document = get("/", &[]).await.text();
    let files = document.split(" data-files=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(files.starts_with("/page-") && files.ends_with('/'), "{files}");
    let attributes = ["href=\"", "src=\""].into_iter().flat_map(|name| document.split(name).skip(1));
    let addresses = attributes.filter_map(|rest| rest.split('"').next()).filter(|address| address.starts_with('/'));
    let (places, addresses): (Vec<&str>, Vec<&str>) =
        addresses.partition(|address| ["/", "/lab", "/paths", "/records", "/guide"].contains(address));
    assert!(places.contains(&"/") && places.contains(&"/lab") && addresses.len() > 5, "{places:?} {addresses:?}");
    for address in addresses.into_iter().map(str::to_owned).chain([format!("{files}guide/zh.html")]) {
        assert!(address.starts_with(files), "{address}");
        let got = get(&address, &[]).await;
        assert_eq!((got.status.as_u16(), got.header("cache-control")), (200, "public, max-age=31536000, immutable"));
    }
    let script = get(&format!("{files}app/main.js"), &[]).await;
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(get("/js/main.js", &[]).await.status, 404, "modules are packed only");
    assert_eq!(get("/page-0123456789abcdef/app/main.js", &[]).await.status, 404);
}

/// A server without an engine for browsers does not speak of one.
#[tokio::test]
async fn the_page_is_told_where_the_engine_for_browsers_is_and_may_keep_it() {
    assert!(!get("/", &[]).await.text().contains("data-engine"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engine.wasm");
    let module = [b"\0asm".as_slice(), &[7; 10_000]].concat();
    std::fs::write(&file, &module).unwrap();
    let engine = Engine::read(&file).unwrap();
    let mut browser = browser_with(|config| config.engine = Some(engine));
    let document = browser.get("/lab").await.text();
    let address = document.split("<html data-engine=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let got = browser.get(&format!("{address}engine.wasm")).await;
    assert_eq!((got.header("content-type"), &got.body), ("application/wasm", &module));
    assert_eq!(got.headers["cache-control"], "public, max-age=31536000, immutable");
    let packed =
        browser.send("GET", &format!("{address}engine.wasm"), &[("accept-encoding", "gzip")], Body::empty()).await;
    assert!(packed.header("content-encoding") == "gzip" && packed.body.len() < 1000);
    assert!(browser.get(&format!("{address}6.bin")).await.body.len() > 100_000);
    assert_eq!(browser.get(&format!("{address}5.bin")).await.status, 404);
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
