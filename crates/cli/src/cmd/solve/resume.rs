//! A batch, or a shard of one, whose answers are kept in a file, so that a killed run can be continued.

use std::path::Path;

use anyhow::bail;
use pintu_engine::{
    Answered, Verdict,
    answer_file::{AnswerFile, Job},
};
use pintu_search::{Cancel, Control};
use pintu_tiles::Notation;

use super::{Format, Invalid, Object, Solve, is_empty};
use crate::{
    exit::{Exit, cancel_on_interrupt},
    input, say,
};

impl Solve {
    /// Solves the puzzles that the file does not answer yet. The exit status is that of all its answers.
    pub(super) fn run_resumed(&self, path: &Path, files: &[String], control: &Control) -> anyhow::Result<Exit> {
        let [source] = files else { bail!("found {} inputs for --resume, expected one", files.len()) };
        if !matches!(self.format, Format::Text | Format::Json) {
            bail!("found another --format beside --resume, expected json: that is how answers are kept");
        }
        // Until all input is read, Ctrl-C ends the process: a part of it would be another input.
        let lines: Vec<_> = input::read_lines(source, Cancel::new())?.collect();
        let mut file = AnswerFile::open(path, self.shard, self.job(&lines)?)?;
        cancel_on_interrupt(control.cancel_switch())?;
        let mut exit = file.answered().values().map(|&status| Exit::of_status(status)).max().unwrap_or_default();
        let answered = file.answered().clone();
        let left = lines.into_iter().filter(|(line, _)| !answered.contains_key(line));
        self.answer_lines(left, control, |line, item| {
            let kept = self.kept(line, item)?;
            exit = exit.max(kept.exit);
            // Puzzles whose search Ctrl-C may have cut short are left for the next run.
            if kept.is_final || !control.cancel_switch().is_cancelled() {
                file.append(&kept.text)?;
            }
            Ok(())
        })?;
        Ok(exit)
    }

    /// The job of the answers.
    fn job(&self, lines: &[(usize, anyhow::Result<String>)]) -> anyhow::Result<Job> {
        let text = |line: &anyhow::Result<String>| line.as_ref().map_or_else(say::chain, Clone::clone);
        let texts: Vec<String> = lines.iter().map(|(_, line)| text(line)).collect();
        let has_puzzle = lines.iter().map(|(_, line)| line.as_ref().map_or(true, |line| !is_empty(line)));
        let mut options = self.board.asked()?;
        options.extend(self.search.asked());
        options.push(("--algorithm", self.algorithm.name().to_owned()));
        options.push(("--notation", self.notation.name().to_owned()));
        Ok(Job::new(texts.iter().map(String::as_str).zip(has_puzzle), options))
    }

    fn kept(&self, line: usize, item: anyhow::Result<Answered>) -> anyhow::Result<AnswerLine> {
        let answer = match item.and_then(|(_, answer)| Ok(answer?)) {
            Ok(answer) => answer,
            Err(error) => {
                let invalid = Invalid { status: "invalid", error: say::chain(&error), file: None, line };
                return Ok(AnswerLine { text: serde_json::to_string(&invalid)?, exit: Exit::BadInput, is_final: true });
            }
        };
        let record = answer.record(Notation::from(self.notation));
        let text = serde_json::to_string(&Object { record, file: None, line: Some(line) })?;
        let is_final = answer.is_optimal() || matches!(answer.verdict, Verdict::Unsolvable(_));
        Ok(AnswerLine { text, exit: Exit::of(&answer.verdict), is_final })
    }
}

/// An answer as the file has it.
struct AnswerLine {
    text: String,
    exit: Exit,
    /// Whether more time would not change the answer.
    is_final: bool,
}
