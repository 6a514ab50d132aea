//! The board and its goal.

use anyhow::{Context, anyhow, bail};
use clap::Args;
use pintu_tiles::{
    Arrangement, MOST_DIGITS, NamedGoal, Puzzle, Size, StartAndGoal, TextError, TextProblem, Topology, read_board,
    read_link, read_start_and_goal,
};

use crate::input;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Board")]
pub(crate) struct BoardArgs {
    /// Where the tiles should go: standard, blank-first, snail, the numbers themselves, a link, or @FILE
    ///
    /// `standard` is 1 2 3 … 0 (the blank last), `blank-first` 0 1 2 3 …, `snail` a clockwise spiral with
    /// the blank at its end. Numbers are written as for a board: "1 2 3 8 0 4 7 6 5" or 123804765. A link
    /// gives its position. Without this option: standard.
    #[arg(short, long, value_name = "GOAL")]
    goal: Option<String>,

    /// Rows and columns, as in 4x4 or 3x5: needed where a line of numbers is no square
    #[arg(short, long, value_name = "RxC")]
    size: Option<Size>,

    /// Rows that wrap left to right: `all`, or their numbers from 0 on
    #[arg(long, value_name = "LIST")]
    wrap_rows: Option<Lines>,

    /// Columns that wrap top to bottom: `all`, or their numbers from 0 on
    #[arg(long, value_name = "LIST")]
    wrap_cols: Option<Lines>,
}

impl BoardArgs {
    /// The puzzle of a text: a board, a board and its goal, or a link, which carries its goal and its wraps itself.
    pub(crate) fn read(&self, text: &str) -> anyhow::Result<Puzzle> {
        match read_link(text) {
            Some(linked) => self.linked(linked?),
            None => self.puzzle(read_start_and_goal(text, self.size).map_err(|error| self.worded_text(text, error))?),
        }
    }

    /// The error in a text; a hint at --batch, if each of its lines is a puzzle.
    fn worded_text(&self, text: &str, error: TextError) -> anyhow::Error {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.len() > 1 && lines.iter().all(|line| self.read_line(line).is_ok()) {
            return anyhow!("found {} puzzles, expected one: `pintu solve --batch` reads a puzzle a line", lines.len());
        }
        worded(error)
    }

    /// The puzzle of a line: the same, but a line has no goal of its own.
    pub(crate) fn read_line(&self, line: &str) -> anyhow::Result<Puzzle> {
        if let Some(linked) = read_link(line) {
            return self.linked(linked?);
        }
        let start = read_board(line, self.size).map_err(|error| worded_problem(error.problem))?;
        self.puzzle(StartAndGoal { start, goal: None })
    }

    fn linked(&self, puzzle: Puzzle) -> anyhow::Result<Puzzle> {
        let beside = [
            ("--goal", self.goal.is_some()),
            ("--wrap-rows", self.wrap_rows.is_some()),
            ("--wrap-cols", self.wrap_cols.is_some()),
            ("--size", self.size.is_some_and(|size| size != puzzle.size())),
        ];
        match beside.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!("found {option} beside a link, expected the link alone: it carries that itself"),
            None => Ok(puzzle),
        }
    }

    /// The puzzle that a text and these arguments make.
    fn puzzle(&self, text: StartAndGoal) -> anyhow::Result<Puzzle> {
        let size = text.start.size();
        let goal = match (&self.goal, text.goal) {
            (Some(_), Some(_)) => bail!("found a goal in the input and --goal beside it, expected one of them"),
            (None, Some(goal)) => goal,
            (_, None) => self.goal(size)?,
        };
        Ok(Puzzle::new(self.topology(size)?, text.start, goal)?)
    }

    /// The options that are given, by their names; for a goal in a file, its contents.
    pub(crate) fn asked(&self) -> anyhow::Result<Vec<(&'static str, String)>> {
        let goal = match self.goal.as_deref().map(|goal| (goal, goal.strip_prefix('@'))) {
            Some((_, Some(path))) => Some(input::read_file(path)?.split_whitespace().collect::<Vec<_>>().join(" ")),
            Some((goal, None)) => Some(goal.to_owned()),
            None => None,
        };
        let options = [
            ("--goal", goal),
            ("--size", self.size.map(|size| size.to_string())),
            ("--wrap-rows", self.wrap_rows.as_ref().map(Lines::to_string)),
            ("--wrap-cols", self.wrap_cols.as_ref().map(Lines::to_string)),
        ];
        Ok(options.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
    }

    pub(crate) fn topology(&self, size: Size) -> anyhow::Result<Topology> {
        let lines = |lines: &Option<Lines>, count| lines.as_ref().map_or_else(Vec::new, |lines| lines.list(count));
        Ok(Topology::wrapped(size, lines(&self.wrap_rows, size.rows()), lines(&self.wrap_cols, size.cols()))?)
    }

    pub(crate) fn goal(&self, size: Size) -> anyhow::Result<Arrangement> {
        let Some(text) = &self.goal else { return Ok(NamedGoal::Standard.on(size)) };
        if let Some(named) = NamedGoal::from_name(text) {
            return Ok(named.on(size));
        }
        let goal = Self::written_goal(text, Some(size))?;
        if goal.size() != size {
            bail!("--goal: found a board of {}, expected {size}", goal.size());
        }
        Ok(goal)
    }

    /// The size for a new board: as given, else the written goal's, else a square of that side.
    pub(crate) fn size_to_make(&self, side: usize) -> anyhow::Result<Size> {
        match (self.size, &self.goal) {
            (Some(given), _) => Ok(given),
            (None, Some(text)) if NamedGoal::from_name(text).is_none() => Ok(Self::written_goal(text, None)?.size()),
            (None, _) => Ok(Size::new(side, side)?),
        }
    }

    fn written_goal(text: &str, size: Option<Size>) -> anyhow::Result<Arrangement> {
        if let Some(path) = text.strip_prefix('@') {
            let text = input::read_file(path)?;
            return match linked_goal(&text) {
                Some(goal) => goal.with_context(|| path.to_owned()),
                None => read_board(&text, size).map_err(worded).with_context(|| path.to_owned()),
            };
        }
        if let Some(goal) = linked_goal(text) {
            return goal.context("--goal");
        }
        let is_name = text.chars().next().is_some_and(char::is_alphabetic);
        if is_name {
            let known = NamedGoal::ALL.map(NamedGoal::name);
            let unknown = pintu_engine::UnknownName::new("the goal", text, known);
            bail!("--goal: {unknown}, or a board, a link or @FILE");
        }
        read_board(text, size).map_err(|error| worded_problem(error.problem)).context("--goal")
    }
}

/// The position of a link, if the text is one.
fn linked_goal(text: &str) -> Option<anyhow::Result<Arrangement>> {
    let goal = |puzzle: Puzzle| {
        if puzzle.topology() != Topology::plain(puzzle.size()) {
            bail!("found a link whose lines wrap, expected one without: --wrap-rows and --wrap-cols say which do");
        }
        Ok(puzzle.start().clone())
    };
    read_link(text).map(|linked| goal(linked?))
}

/// Rows or columns: a list, or all of them.
#[derive(Clone, Debug)]
enum Lines {
    All,
    Some(Vec<usize>),
}

impl Lines {
    fn list(&self, count: usize) -> Vec<usize> {
        match self {
            Self::All => (0..count).collect(),
            Self::Some(lines) => lines.clone(),
        }
    }
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Some(lines) => f.write_str(&lines.iter().map(usize::to_string).collect::<Vec<_>>().join(",")),
        }
    }
}

impl std::str::FromStr for Lines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        let line = |part: &str| part.trim().parse().map_err(|_| format!("found `{part}`, expected numbers or `all`"));
        text.split(',').map(line).collect::<Result<_, _>>().map(Self::Some)
    }
}

/// The error in a text, in the words of this command line.
fn worded(error: TextError) -> anyhow::Error {
    anyhow!("line {}: {}", error.line, worded_problem(error.problem))
}

/// The same without its line. A size that was perhaps meant is suggested as an option.
fn worded_problem(problem: TextProblem) -> anyhow::Error {
    let rectangle = match problem {
        TextProblem::NoSquare { found } => Size::rectangle(found),
        TextProblem::Digits { found, size: None } => Size::rectangle(found).filter(|size| size.cells() <= MOST_DIGITS),
        _ => None,
    };
    match rectangle {
        Some(size) => anyhow!("{problem} (as in --size {size})"),
        None => problem.into(),
    }
}
