//! The illustrated guide of the docs, for the page: its Markdown becomes HTML, and its pictures are files below `guide/`.

use pulldown_cmark::{Options, Parser, html::push_html};

/// The file of the docs that an address below `guide/` stands for: a text in a language, or a picture.
pub(crate) fn in_docs(address: &str) -> Option<&str> {
    match address {
        "guide/en.md" => Some("guide.md"),
        "guide/zh.md" => Some("guide.zh.md"),
        _ => address.starts_with("guide/").then_some(address),
    }
}

/// The address of the Markdown that an HTML file of the guide is made of.
pub(crate) fn source(address: &str) -> Option<&'static str> {
    match address {
        "guide/en.html" => Some("guide/en.md"),
        "guide/zh.html" => Some("guide/zh.md"),
        _ => None,
    }
}

/// A text as HTML, without head and body: the page puts it into a place of its own.
pub(crate) fn html(markdown: &str) -> String {
    let mut html = String::new();
    push_html(&mut html, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    // The page's policy forbids inline styles.
    html.replace(" style=\"text-align: right\"", " class=\"right\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let made = html("# A & b\n\n| x | y |\n| --- | ---: |\n| 1 | 2 |\n\n![p](guide/p.svg)\n");
        for part in [
            "<h1>A &amp; b</h1>",
            "<table>",
            "<td>1</td>",
            "<td class=\"right\">2</td>",
            "<img src=\"guide/p.svg\" alt=\"p\"",
        ] {
            assert!(made.contains(part), "{part} in {made}");
        }
    }

    #[test]
    fn addresses_stand_for_files_of_the_docs() {
        assert_eq!(in_docs("guide/zh.md"), Some("guide.zh.md"));
        assert_eq!(in_docs("guide/astar.svg"), Some("guide/astar.svg"));
        assert_eq!(in_docs("js/main.js"), None);
    }
}
