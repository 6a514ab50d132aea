use std::{
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, IsTerminal},
};

use clap::{Args, ValueEnum};
use pintu_tiles::{Puzzle, Scrambler, Size};

use crate::{
    args::{BoardArgs, link_of},
    exit::Exit,
    say,
};

/// Make random boards that can be solved, one a line
///
/// Boards are 4x4 unless a size or a written --goal says otherwise. The same seed
/// makes the same boards, for ever and on every machine. What it prints, `pintu
/// solve --batch` reads:
///
///     pintu generate 4x4 --count 5 --seed 1 | pintu solve --batch
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Generate {
    /// Rows and columns, as --size gives them
    #[arg(value_name = "RxC", conflicts_with = "size")]
    shape: Option<Size>,

    #[command(flatten)]
    board: BoardArgs,

    /// How many boards
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = crate::units::read_count::<u64>)]
    count: u64,

    /// What fixes the boards [default: new ones]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Each board that can be solved is as likely as any other (this is what happens without --walk)
    #[arg(long, conflicts_with = "walk")]
    uniform: bool,

    /// Walk the blank at random from the goal, without stepping back [default: 10 steps a cell]
    #[arg(long, value_name = "STEPS", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "this is how clap says that an option's value is optional")]
    walk: Option<Option<usize>>,

    /// How to print the boards
    #[arg(short, long, value_enum, default_value = "text", ignore_case = true)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Numbers, a line a board
    Text,
    /// A link a board, which opens it in the game
    Link,
}

impl Generate {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let size = self.shape.map_or_else(|| self.board.size_to_make(4), Ok)?;
        let seed = self.seed.unwrap_or_else(|| {
            let seed = new_seed();
            if io::stderr().is_terminal() {
                say::remark(format_args!("seed {seed}"));
            }
            seed
        });
        let (topology, goal) = (self.board.topology(size)?, self.board.goal(size)?);
        let mut scrambler = Scrambler::new(topology, goal.clone(), seed);
        let mut next = || match self.walk {
            Some(steps) => scrambler.walk(steps.unwrap_or_else(|| scrambler.usual_steps())),
            None => scrambler.uniform(),
        };
        say::print_with(|out| {
            (0..self.count).try_for_each(|_| match self.format {
                Format::Text => writeln!(out, "{}", next()),
                Format::Link => {
                    let puzzle = Puzzle::new(topology, next(), goal.clone()).map_err(io::Error::other)?;
                    writeln!(out, "{}", link_of(&puzzle))
                }
            })
        })?;
        Ok(Exit::Solved)
    }
}

/// A random seed.
pub(crate) fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
