//! JavaScript without comments and indentation.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    Code,
    Comment,
    /// A string, a regular expression, or the text of a template between its expressions.
    Literal,
}

/// A script without comments, empty lines and indentation. Text in strings and templates stays as it is.
pub(crate) fn strip(source: &str) -> String {
    let mut stripped = String::with_capacity(source.len());
    let mut is_line_start = true;
    for (piece, text) in pieces(source) {
        match piece {
            Piece::Comment => {}
            Piece::Literal => {
                stripped.push_str(text);
                is_line_start = false;
            }
            Piece::Code => {
                for char in text.chars() {
                    match char {
                        '\n' | ' ' if is_line_start => {}
                        '\n' => {
                            stripped.truncate(stripped.trim_end_matches(' ').len());
                            stripped.push('\n');
                            is_line_start = true;
                        }
                        _ => {
                            stripped.push(char);
                            is_line_start = false;
                        }
                    }
                }
            }
        }
    }
    stripped
}

pub(crate) fn pieces(source: &str) -> Vec<(Piece, &str)> {
    let mut scanner = Scanner { source, at: 0, pieces: Vec::new() };
    scanner.code(false);
    scanner.pieces
}

struct Scanner<'a> {
    source: &'a str,
    at: usize,
    pieces: Vec<(Piece, &'a str)>,
}

impl Scanner<'_> {
    fn rest(&self) -> &[u8] {
        &self.source.as_bytes()[self.at..]
    }

    fn push(&mut self, piece: Piece, start: usize) {
        if start < self.at {
            self.pieces.push((piece, &self.source[start..self.at]));
        }
    }

    /// Reads code to the end of the script, or within a template to the brace that closes its expression.
    fn code(&mut self, in_template: bool) {
        let mut start = self.at;
        let mut depth = 0;
        while let Some(&byte) = self.rest().first() {
            let next = self.rest().get(1).copied();
            let read: fn(&mut Self) = match (byte, next) {
                (b'/', Some(b'/')) => Self::line_comment,
                (b'/', Some(b'*')) => Self::block_comment,
                (b'/', _) if self.is_regex(start) => Self::regex,
                (b'\'' | b'"', _) => Self::string,
                (b'`', _) => Self::template,
                (b'}', _) if in_template && depth == 0 => break,
                _ => {
                    depth += i32::from(byte == b'{') - i32::from(byte == b'}');
                    self.at += 1;
                    continue;
                }
            };
            self.push(Piece::Code, start);
            read(self);
            start = self.at;
        }
        self.push(Piece::Code, start);
    }

    /// Whether a slash begins a regular expression rather than divides: after an operator, a bracket that opens, or a word
    /// that is followed by an expression.
    fn is_regex(&self, start: usize) -> bool {
        let code = self.source[start..self.at].trim_end();
        let Some(last) = code.chars().next_back() else {
            // After a comment nothing divides; after a literal something does.
            return self.pieces.last().is_none_or(|(piece, _)| *piece == Piece::Comment);
        };
        if !(last.is_alphanumeric() || matches!(last, '_' | '$' | ')' | ']' | '}')) {
            return true;
        }
        let word = code.rsplit(|char: char| !char.is_alphanumeric() && char != '_' && char != '$').next();
        word.is_some_and(|word| ["return", "typeof", "case", "of", "in", "await", "void"].contains(&word))
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.at += self.rest().iter().position(|byte| *byte == b'\n').unwrap_or(self.rest().len());
        self.push(Piece::Comment, start);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        self.at = self.source[self.at..].find("*/").map_or(self.source.len(), |end| self.at + end + 2);
        self.push(Piece::Comment, start);
    }

    fn string(&mut self) {
        let start = self.at;
        let quote = self.rest()[0];
        self.until(|byte| byte == quote);
        self.push(Piece::Literal, start);
    }

    fn regex(&mut self) {
        let start = self.at;
        let mut in_class = false;
        self.until(|byte| {
            in_class = (in_class || byte == b'[') && byte != b']';
            byte == b'/' && !in_class
        });
        self.push(Piece::Literal, start);
    }

    /// Goes past the byte that ends a literal; one behind a backslash does not.
    fn until(&mut self, mut ends: impl FnMut(u8) -> bool) {
        self.at += 1;
        while let Some(&byte) = self.rest().first() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte != b'\\' && ends(byte) {
                break;
            }
        }
        self.at = self.at.min(self.source.len());
    }

    fn template(&mut self) {
        let mut start = self.at;
        self.at += 1;
        while let Some(&byte) = self.rest().first() {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    break;
                }
                b'$' if self.rest().get(1) == Some(&b'{') => {
                    self.at += 2;
                    self.push(Piece::Literal, start);
                    self.code(true);
                    start = self.at;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.source.len());
        self.push(Piece::Literal, start);
    }
}
