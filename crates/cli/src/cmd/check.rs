use anyhow::Context;
use clap::{Args, ValueEnum};
use pintu_tiles::{Moves, Notation, Puzzle};
use serde::Serialize;

use crate::{
    args::{BoardArgs, NotationArgs, link_of},
    exit::Exit,
    input,
    say::{self, fitted},
    units::counted,
};

/// Say whether a board can be solved, and why
///
/// With --moves, say instead whether these moves solve it.
/// The exit status is 0 for yes, 1 for no, 2 for bad input.
///
///     pintu check 123456870
///     echo "0 1 3/4 2 5/7 8 6" | pintu check --moves RDRD
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Check {
    /// Files with a board each, or with a board and its goal, or boards, or links; standard input if there are none
    files: Vec<String>,

    #[command(flatten)]
    board: BoardArgs,

    /// Moves to try, as in ULDR or, for runs, R2D
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    #[command(flatten)]
    notation: NotationArgs,

    /// How to print it
    #[arg(short, long, value_enum, ignore_case = true, default_value = "text", help_heading = "Output")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A sentence
    Text,
    /// A JSON object a line
    Json,
    /// A link that opens the board in the game
    Link,
}

#[derive(Serialize)]
struct Finding {
    status: &'static str,
    reason: String,
}

impl Check {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let moves = self.moves.as_deref().map(|text| Moves::from_text(text, self.notation.into())).transpose();
        let moves = moves.context("--moves")?;
        let files = input::sources(&self.files);
        let mut exit = Exit::Solved;
        for file in &files {
            let read =
                input::read_file(file).and_then(|text| self.board.read(&text).with_context(|| input::name(file)));
            let puzzle = match read {
                Ok(puzzle) => puzzle,
                Err(error) => {
                    say::complain_of(&error);
                    exit = exit.max(Exit::BadInput);
                    continue;
                }
            };
            let (holds, finding) = match &moves {
                Some(moves) => try_moves(&puzzle, moves, self.notation.into()),
                None => solvability(&puzzle),
            };
            exit = exit.max(if holds { Exit::Solved } else { Exit::NoSolution });
            self.print((files.len() > 1).then_some(file), &puzzle, &finding)?;
        }
        Ok(exit)
    }

    fn print(&self, title: Option<&String>, puzzle: &Puzzle, finding: &Finding) -> anyhow::Result<()> {
        let title = title.map_or_else(String::new, |file| format!("{}: ", input::name(file)));
        match self.format {
            Format::Link => say::print(&format!("{}\n", link_of(puzzle))),
            Format::Json => say::print_json(finding),
            Format::Text => say::print(&fitted(&format!("{title}{}: {}\n", finding.status, finding.reason))),
        }
    }
}

fn solvability(puzzle: &Puzzle) -> (bool, Finding) {
    let found = pintu_engine::check(puzzle);
    (found.is_solvable(), Finding { status: found.status, reason: found.reason })
}

fn try_moves(puzzle: &Puzzle, moves: &Moves, notation: Notation) -> (bool, Finding) {
    let count = |count: usize, name| counted(count as u64, name);
    let mut board = puzzle.start().clone();
    let (holds, reason) = match board.play(puzzle.topology(), moves) {
        Err(error) => {
            let letter = Moves(vec![error.direction]).to_text(notation);
            (false, format!("move {} ({letter}) leads off the board", error.number))
        }
        Ok(()) if board == *puzzle.goal() => (
            true,
            format!("{} {} to the goal", count(moves.len(), "move"), if moves.len() == 1 { "leads" } else { "lead" }),
        ),
        Ok(()) => {
            let pairs = board.tiles().iter().zip(puzzle.goal().tiles());
            let misplaced = pairs.filter(|(tile, goal)| **tile != 0 && tile != goal).count();
            let (moves, tiles) = (count(moves.len(), "move"), count(misplaced, "tile"));
            (
                false,
                format!("after {moves}, {tiles} {} out of place: {board}", if misplaced == 1 { "is" } else { "are" }),
            )
        }
    };
    (holds, Finding { status: if holds { "solves" } else { "fails" }, reason })
}
