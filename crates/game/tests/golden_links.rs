//! Links mean the same here and in the page, whose tests read the same file.

use pintu_tiles::{fragment_of, goal_with_blank, read_link};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    links: Vec<Link>,
    refused: Vec<String>,
}

#[derive(Deserialize)]
struct Link {
    fragment: String,
    rows: usize,
    cols: usize,
    wrap_rows: Vec<usize>,
    wrap_cols: Vec<usize>,
    blank: usize,
    start: Vec<u8>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/links.json")).unwrap()
}

#[test]
fn links_carry_whole_positions() {
    for link in golden().links {
        let address = format!("http://127.0.0.1:7468/{}", link.fragment);
        let puzzle = read_link(&address).expect(&address).unwrap();
        assert_eq!((puzzle.size().rows(), puzzle.size().cols()), (link.rows, link.cols));
        assert_eq!(puzzle.topology().wrap_rows().collect::<Vec<_>>(), link.wrap_rows);
        assert_eq!(puzzle.topology().wrap_cols().collect::<Vec<_>>(), link.wrap_cols);
        assert_eq!(*puzzle.goal(), goal_with_blank(puzzle.size(), link.blank));
        assert_eq!(puzzle.start().tiles(), link.start);
        assert_eq!(fragment_of(&puzzle), link.fragment);
        // A picture's name, which the page may add, is nothing to a puzzle.
        assert_eq!(read_link(&format!("{address}&pic=dawn")), Some(Ok(puzzle)));
    }
}

#[test]
fn bad_links_are_refused() {
    for fragment in golden().refused {
        assert!(read_link(&fragment).expect(&fragment).is_err(), "{fragment}");
    }
}
