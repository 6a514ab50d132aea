//! Puzzles as links to the game: the whole position is in the part behind the `#`.

use std::fmt::Write as _;

use crate::{
    Arrangement, ArrangementError, NoSuchCell, Puzzle, PuzzleError, Size, SizeParseError, Topology, TopologyError,
    goal_with_blank,
};

/// The beginning of a fragment with a position.
const MARK: &str = "#p=";

/// Reads a puzzle from a link, an address or its part from the `#` on; `None` if the text is no link.
///
/// A link's tiles are numbered in the order of the goal, which has its blank where the link says.
///
/// ```
/// use pintu_tiles::{fragment_of, read_link};
///
/// let puzzle = read_link("http://127.0.0.1:7468/#p=2x3&b=5&t=1.2.3.4.0.5").unwrap().unwrap();
/// assert_eq!(puzzle.goal().to_string(), "1 2 3 4 5 0");
/// assert_eq!(fragment_of(&puzzle), "#p=2x3&b=5&t=1.2.3.4.0.5");
/// assert!(read_link("1 2 3 4 0 5 # p=2x3").is_none());
/// ```
pub fn read_link(text: &str) -> Option<Result<Puzzle, LinkError>> {
    let text = text.trim();
    let (before, fields) = text.split_once(MARK)?;
    let is_link = before.is_empty() || before.starts_with("http://") || before.starts_with("https://");
    let is_one_word = !text.contains(char::is_whitespace);
    (is_link && is_one_word).then(|| puzzle_of(&format!("p={fields}")))
}

/// The part of a link from the `#` on. The tiles are renumbered so that the goal is 1, 2, 3, … around its blank.
pub fn fragment_of(puzzle: &Puzzle) -> String {
    let (size, topology) = (puzzle.size(), puzzle.topology());
    let numbers = |numbers: &mut dyn Iterator<Item = usize>| {
        let words: Vec<String> = numbers.map(|number| number.to_string()).collect();
        words.join(".")
    };
    let start = puzzle.canonical_start();
    let tiles = numbers(&mut start.into_iter().map(usize::from));
    let mut text = format!("{MARK}{}x{}&b={}&t={tiles}", size.rows(), size.cols(), puzzle.goal().blank());
    let wraps = [("wr", numbers(&mut topology.wrap_rows())), ("wc", numbers(&mut topology.wrap_cols()))];
    for (key, lines) in wraps {
        if !lines.is_empty() {
            let _ = write!(text, "&{key}={lines}");
        }
    }
    text
}

fn puzzle_of(fields: &str) -> Result<Puzzle, LinkError> {
    let field = |key: &str| fields.split('&').find_map(|field| field.strip_prefix(key)?.strip_prefix('='));
    let needed = |key: &'static str| field(key).ok_or(LinkError::Missing(key));
    let list = |key: &'static str, text: &str| -> Result<Vec<usize>, LinkError> {
        let number = |word: &str| word.parse().map_err(|_| LinkError::NotANumber { key, found: word.to_owned() });
        text.split('.').map(number).collect()
    };
    let lines =
        |key: &'static str| field(key).filter(|text| !text.is_empty()).map_or(Ok(Vec::new()), |text| list(key, text));
    let size: Size = needed("p")?.parse()?;
    let tiles = list("t", needed("t")?)?;
    let tiles: Vec<u32> = tiles.into_iter().map(|tile| u32::try_from(tile).unwrap_or(u32::MAX)).collect();
    let blank = needed("b")?;
    let blank: usize = blank.parse().map_err(|_| LinkError::NotANumber { key: "b", found: blank.to_owned() })?;
    let goal = goal_with_blank(size, blank)?;
    let topology = Topology::wrapped(size, lines("wr")?, lines("wc")?)?;
    Ok(Puzzle::new(topology, Arrangement::new(size, &tiles)?, goal)?)
}

/// An error in a link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum LinkError {
    #[error("found a link without `{0}=`, expected the parts p (size), b (the blank's own cell) and t (tiles)")]
    Missing(&'static str),
    #[error("found `{found}` in the link's `{key}=`, expected a number from 0 on")]
    NotANumber { key: &'static str, found: String },
    #[error("{0} (in the link)")]
    Blank(#[from] NoSuchCell),
    /// The text is no size, or no board has that size.
    #[error(transparent)]
    Size(#[from] SizeParseError),
    #[error(transparent)]
    Tiles(#[from] ArrangementError),
    #[error(transparent)]
    Wrap(#[from] TopologyError),
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
}
