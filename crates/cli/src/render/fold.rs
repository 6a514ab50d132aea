//! Lines broken for those who read them.

use unicode_width::UnicodeWidthChar;

use crate::say;

/// What stands between two parts of a line.
const BETWEEN: &str = " · ";

/// The same in several lines, none longer than there is room for: broken between its parts, where one of those is too long
/// between words, and a word (the moves of a solution) where it must be.
pub(crate) fn folded(line: &str, room: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in line.split(BETWEEN) {
        match lines.last_mut() {
            Some(last) if width(last) + width(BETWEEN) + width(part) <= room => {
                last.push_str(BETWEEN);
                last.push_str(part);
            }
            _ => lines.extend(wrapped(part, room)),
        }
    }
    lines.join("\n")
}

/// Each of several lines folded for the terminal that they are printed on; elsewhere as they are.
pub(crate) fn fitted(text: &str) -> String {
    let Some(room) = say::terminal_width() else { return text.to_owned() };
    text.split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').map_or_else(|| folded(line, room), |line| folded(line, room) + "\n"))
        .collect()
}

/// What lines that go on from others begin with.
const INDENT: &str = "  ";

/// A line in several, none longer than there is room for: broken between words, and a word where it must be.
pub(crate) fn wrapped(line: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = line.to_owned();
    while let Some(end) = room_ends(&rest, room).filter(|_| room > INDENT.len()) {
        // A space that comes next ends a word, too; those at the beginning end none.
        let words = seen(&rest).skip_while(|(_, letter)| *letter == ' ').take_while(|(at, _)| *at <= end);
        let last = words.filter(|(_, letter)| *letter == ' ').last();
        let (line, next) = rest.split_at(last.map_or(end, |(at, _)| at));
        let next = format!("{INDENT}{}", next.trim_start());
        lines.push(line.trim_end().to_owned());
        rest = next;
    }
    lines.push(rest);
    lines
}

/// Where the first letter begins that has no room left, if there is one: never the first of all, however wide it is.
fn room_ends(text: &str, room: usize) -> Option<usize> {
    let mut used = 0;
    let mut has_letters = false;
    seen(text).find_map(|(at, letter)| {
        used += columns(letter);
        let ends = has_letters && used > room;
        has_letters |= letter != ' ';
        ends.then_some(at)
    })
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    seen(text).map(|(_, letter)| columns(letter)).sum()
}

/// How many columns a letter takes: Chinese ones take two, and marks that are put on others none.
fn columns(letter: char) -> usize {
    letter.width().unwrap_or(0)
}

/// What is seen of a text, and where it stands: all but the codes of colours.
fn seen(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut in_code = false;
    text.char_indices().filter(move |(_, letter)| {
        let is_seen = !in_code && *letter != '\x1b';
        in_code = !is_seen && !letter.is_ascii_alphabetic();
        is_seen
    })
}

/// Help as it was broken into lines of so many columns, but with no word or two left alone on a paragraph's last line: the
/// line before gives it some of its own.
pub(crate) fn evened(help: &str, room: usize) -> String {
    const LEAST: usize = 20;
    let mut lines: Vec<String> = help.lines().map(str::to_owned).collect();
    for at in 1..lines.len() {
        let is_last = lines.get(at + 1).is_none_or(|next| !goes_on(&lines[at], next, room));
        let is_short = |line: &str| width(line.trim_start()) < LEAST;
        if !is_last || !goes_on(&lines[at - 1], &lines[at], room) {
            continue;
        }
        while is_short(&lines[at]) && width(lines[at - 1].trim_start()) > 2 * LEAST {
            let Some((before, word)) = lines[at - 1].rsplit_once(' ') else { break };
            let indent = lines[at].len() - lines[at].trim_start().len();
            let (before, longer) =
                (before.to_owned(), format!("{}{word} {}", " ".repeat(indent), lines[at].trim_start()));
            (lines[at - 1], lines[at]) = (before, longer);
        }
    }
    lines.join("\n") + "\n"
}

/// Whether a line of help goes on with the next: that is no entry of its own, and its first word had no room left.
fn goes_on(line: &str, next: &str, room: usize) -> bool {
    let text = next.trim_start();
    let indent = next.len() - text.len();
    let is_entry = seen(text).next().is_none_or(|(_, letter)| letter == '-') || text.contains("  ");
    let lies_under = seen(line).nth(indent).is_some_and(|(_, letter)| letter != ' ');
    let word = text.split(' ').next().unwrap_or_default();
    !is_entry && lies_under && indent > 0 && width(line) + 1 + width(word) > room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_folded_between_its_parts() {
        assert_eq!(folded("one · two · three", 80), "one · two · three");
        assert_eq!(folded("one · two · three", 9), "one · two\nthree");
        assert_eq!(folded("one · two · three", 5), "one\ntwo\nthree");
    }

    #[test]
    fn a_part_is_folded_between_words_and_a_word_where_it_must_be() {
        assert_eq!(folded("4 moves (optimal): ULDR (blank)", 12), "4 moves\n  (optimal):\n  ULDR\n  (blank)");
        assert_eq!(folded("2 moves: UUUUUUUUUUUU · x", 8), "2 moves:\n  UUUUUU\n  UUUUUU\nx");
        assert_eq!(folded("2 moves: UUUUUUUUUUUU · x", 12), "2 moves:\n  UUUUUUUUUU\n  UU · x");
        for room in 0..40 {
            let text = "12 moves (not proved): ULDRULDRULDR (where it goes) · a · b c";
            let lines = folded(text, room);
            assert!(room < 3 || lines.lines().all(|line| line.chars().count() <= room), "{room}: {lines}");
            assert_eq!(letters(&lines), letters(text));
        }
    }

    fn letters(text: &str) -> String {
        text.replace([' ', '\n', '·'], "")
    }

    #[test]
    fn chinese_takes_two_columns_a_letter() {
        assert_eq!((width("地图.txt"), width("e\u{301}"), width("")), (8, 1, 0));
        assert_eq!(folded("一二三四五六", 8), "一二三四\n  五六");
        assert_eq!(folded("一二三四五六", 9), "一二三四\n  五六", "half a letter is none");
        assert_eq!(folded("地图 · 迷宫", 11), "地图 · 迷宫");
        assert_eq!(folded("地图 · 迷宫", 10), "地图\n迷宫");
        for room in 0..20 {
            let text = "一二三 四五 六七八九十 · 东南西北";
            let lines = folded(text, room);
            assert!(room < 4 || lines.lines().all(|line| width(line) <= room), "{room}: {lines}");
            assert_eq!(letters(&lines), letters(text));
        }
    }

    #[test]
    fn colours_take_no_room() {
        let line = "\x1b[32moptimal\x1b[0m · two";
        assert_eq!(width(line), 13);
        assert_eq!(folded(line, 13), line);
        assert_eq!(wrapped("a \x1b[1mbold\x1b[0m word", 6), ["a \x1b[1mbold\x1b[0m", "  word"]);
    }

    #[test]
    fn no_word_is_left_alone() {
        let help = "  --seed  What fixes the random boards; without it they are\n          new\n  --size  Its size\n";
        let even =
            "  --seed  What fixes the random boards; without\n          it they are new each\n  --size  Its size\n";
        assert_eq!(evened(&help.replace("new\n", "new each\n"), 60), even);
        let apart = "  --seed  What fixes the random boards; without it they are\n  -h      Help\n";
        assert_eq!(evened(apart, 60), apart);
        assert_eq!(evened(help, 80), help, "nothing was broken off at 80 columns");
    }
}
