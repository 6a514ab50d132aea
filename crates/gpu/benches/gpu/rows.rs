//! A row for each board that is solved, and what they come to.

use std::{fmt::Display, time::Duration};

use pintu_gpu::{Event, Report, Searcher};
use pintu_search::{Control, Limits};
use pintu_solver::{Deepened, Options, tables::Tables};
use pintu_testing::boards::Instance;

pub(crate) fn group(
    title: impl Display,
    boards: &[Instance],
    searcher: &mut Searcher,
    cpu: &Tables,
    most: Duration,
    threads: usize,
) {
    println!("\n{title}, {threads} threads");
    println!("| board | moves | states | seconds | states a second | longest round | its states a second | ended by |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    let mut all: Vec<(f64, u64)> = Vec::new();
    let mut proved = 0;
    for board in boards {
        let control = Control::new(Limits { time: Some(most), ..Limits::default() });
        let mut watch = Watch::default();
        let options = Options { threads, known: None };
        let found = searcher.deepen(&board.puzzle, cpu, &control, &options, &mut |event| watch.take(event, &control));
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                println!("| {} | {error} |", board.name);
                return;
            }
        };
        let took = control.elapsed().as_secs_f64();
        check(board, &found);
        let is_proved = found.moves.as_ref().is_some_and(|moves| moves.len() == found.lower_bound as usize);
        let expanded = control.counters().expanded;
        let said = if is_proved { found.lower_bound.to_string() } else { format!("≥ {}", found.lower_bound) };
        let (longest, rate) = watch.longest();
        println!(
            "| {} | {said} | {expanded} | {took:.2} | {:.2e} | {longest} | {rate:.2e} | {} |",
            board.name,
            expanded as f64 / took,
            watch.end(found.lower_bound)
        );
        if std::env::var_os("ROUNDS").is_some() {
            watch.rounds.iter().for_each(|report| println!("    {report:?}"));
            watch.better.iter().for_each(|better| println!("    beams: {better:?}"));
        }
        all.push((took, expanded));
        proved += usize::from(is_proved);
    }
    sum_up(all, proved);
}

/// Panics if what was found is not true.
fn check(board: &Instance, found: &Deepened) {
    let name = &board.name;
    let length = found.moves.as_ref().map(|moves| {
        assert!(board.puzzle.is_solved_by(moves), "{name}: the solution does not solve it");
        moves.len()
    });
    assert!(length.is_none_or(|length| length >= found.lower_bound as usize), "{name}: the bound is wrong");
    if let Some(recorded) = board.length {
        assert!(found.lower_bound as usize <= recorded, "{name}: the bound is wrong");
        assert!(found.stopped.is_some() || length == Some(recorded), "{name}: the length is wrong");
    }
}

/// What happened on the way.
#[derive(Default)]
struct Watch {
    rounds: Vec<Report>,
    /// The solutions of beams: length, the bound by then, and the seconds.
    better: Vec<(usize, u32, f64)>,
}

impl Watch {
    fn take(&mut self, event: Event<'_>, control: &Control) {
        match event {
            Event::Bound(_) => {}
            Event::Round(report) => self.rounds.push(report),
            Event::Better(moves, bound) => {
                self.better.push((moves.len(), bound, control.elapsed().as_secs_f64()));
            }
        }
    }

    /// The states of the longest round, and how many a second.
    fn longest(&self) -> (u64, f64) {
        let rounds = self.rounds.iter().filter(|report| !report.is_trial);
        let longest = rounds.max_by_key(|report| report.expanded);
        longest.map_or((0, 0.0), |long| (long.expanded, long.expanded as f64 / long.seconds))
    }

    /// Whether beams had found the solution when it was over.
    fn end(&self, length: u32) -> String {
        match self.better.last() {
            Some((best, _, seconds)) if *best as u32 == length => format!("beams, found after {seconds:.2} s"),
            Some((best, ..)) => format!("a round; beams {best}"),
            None => "a round".to_owned(),
        }
    }
}

fn sum_up(mut all: Vec<(f64, u64)>, proved: usize) {
    let count = all.len();
    let (seconds, states) = all.iter().fold((0.0, 0), |(time, states), one| (time + one.0, states + one.1));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!(
        "{proved} of {count} proved, mean {:.2} s, median {:.2} s, slowest {:.2} s, {states:.2e} states, {:.2e} a second",
        seconds / count as f64,
        all[count / 2].0,
        all[count - 1].0,
        states as f64 / seconds
    );
}
