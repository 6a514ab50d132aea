use std::path::PathBuf;

use clap::Args;
use pintu_engine::answer_file::{Merged, merge};

use crate::{exit::Exit, say, units::counted};

/// Put the answers of a divided batch in order
///
/// Reads the files that `pintu solve --batch --shard K/N --resume FILE` wrote for
/// one input, in any order, and prints their answers in the order of the input,
/// a JSON object a line:
///
///     pintu merge part-*.jsonl > answers.jsonl
///
/// Lines without an answer, lines with more than one (of which the first file's
/// is printed), and files whose run was killed before it wrote anything, are
/// listed on standard error. Exit status: the highest that applies, as `solve`
/// would have ended with these answers; each of those counts as 2, like a line
/// that is no puzzle.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Merge {
    /// The files of the shards
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Merge {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let Merged { answers, missing, doubled, unbegun } = merge(&self.files)?;
        say::print_with(|out| answers.values().try_for_each(|(_, answer)| writeln!(out, "{answer}")))?;
        let mut exit = answers.values().map(|(status, _)| Exit::of_status(*status)).max().unwrap_or_default();
        for path in unbegun {
            say::complain(format_args!("{}: found no answers: its run was killed at once", path.display()));
            exit = exit.max(Exit::BadInput);
        }
        for (lines, what) in [(missing, "no answer"), (doubled.into_iter().collect(), "more than one answer")] {
            if !lines.is_empty() {
                let count = counted(lines.len() as u64, "line");
                say::complain(format_args!("found {what} to {count} of the input: {}", listed(&lines)));
                exit = exit.max(Exit::BadInput);
            }
        }
        Ok(exit)
    }
}

/// Ascending numbers, runs of them as `7-9`, and not too many.
fn listed(numbers: &[usize]) -> String {
    const MAX_RUNS: usize = 20;
    let runs: Vec<&[usize]> = numbers.chunk_by(|a, b| a + 1 == *b).collect();
    let shown = runs.iter().take(MAX_RUNS).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        one => one.first().map_or_else(String::new, usize::to_string),
    });
    let more = if runs.len() > MAX_RUNS { ", …" } else { "" };
    format!("{}{more}", shown.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn numbers_are_listed_in_runs() {
        assert_eq!(listed(&[1, 3, 4, 5, 9]), "1, 3-5, 9");
        let odd: Vec<usize> = (0..30).map(|number| 2 * number + 1).collect();
        assert!(listed(&odd).ends_with("37, 39, …"));
    }
}
