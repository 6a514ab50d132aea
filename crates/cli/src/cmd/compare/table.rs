//! A comparison as a table: for people with units and thousands, for machines as bare numbers.

use pintu_engine::{Answer, Entry, Numbers, Spread, Summary, Verdict};
use pintu_search::Stop;

use crate::{
    render::{Cell, Table, left, right},
    say::Tone,
    units::{show_bytes, show_count, show_seconds},
};

/// The table that people read; of averages, if the boards are random ones. A row is named by what was asked for; what
/// that turned out to be is told where there is room.
pub(super) fn of(entries: &[Entry], seed: Option<u64>) -> Table {
    let averaged = seed.is_some();
    let mut table = Table::new(vec![
        left("contestant"),
        left("algorithm").spare(5),
        left("heuristic").spare(4),
        left(if averaged { "solved" } else { "found" }),
        left("optimal").spare(if averaged { 1 } else { 6 }),
        right("moves"),
        right("expanded"),
        right("generated"),
        right("peak").spare(3),
        right("memory").spare(2),
        right("time"),
    ]);
    let summaries: Vec<(&Entry, Summary)> =
        entries.iter().filter_map(|entry| Some((entry, entry.summary()?))).collect();
    let least = least(&summaries);
    for (entry, summary) in &summaries {
        table.push(row(entry, summary, averaged, least.as_ref()));
    }
    table
}

/// The least that one of several contestants needed, of those that have proved the answers of all boards: means of other boards are not compared.
fn least(summaries: &[(&Entry, Summary)]) -> Option<Numbers> {
    let proved = summaries
        .iter()
        .filter(|(_, summary)| summary.optimal && summary.solved == summary.boards)
        .filter_map(|(_, summary)| summary.mean);
    let least = |one: Numbers, other: Numbers| Numbers {
        length: one.length.min(other.length),
        expanded: one.expanded.min(other.expanded),
        generated: one.generated.min(other.generated),
        peak_states: one.peak_states.min(other.peak_states),
        memory: one.memory.min(other.memory),
        seconds: one.seconds.min(other.seconds),
    };
    if proved.clone().count() < 2 { None } else { proved.reduce(least) }
}

/// How far the boards of an average lie apart.
pub(super) fn spread(entries: &[Entry]) -> Table {
    let mut table = Table::new(vec![left("contestant"), left("of"), right("least"), right("median"), right("most")]);
    for summary in entries.iter().filter_map(Entry::summary) {
        let Some(spread) = summary.spread else { continue };
        let mut push = |contestant: &str, name: &str, spread: Spread, show: fn(f64) -> String| {
            let row = [contestant.to_owned(), name.to_owned(), show(spread.min), show(spread.median), show(spread.max)];
            table.push(row);
        };
        push(&summary.contestant, "moves", spread.length, |moves| moves.to_string());
        push("", "expanded", spread.expanded, count);
        push("", "time", spread.seconds, show_seconds);
    }
    table
}

fn row(entry: &Entry, summary: &Summary, averaged: bool, least: Option<&Numbers>) -> Vec<Cell> {
    let weight = summary.weight.map_or_else(String::new, |weight| format!(" × {weight}"));
    let moves = summary.mean.map_or_else(String::new, |mean| {
        if averaged { format!("{:.2}", mean.length) } else { format!("{:.0}", mean.length) }
    });
    let optimal = match (summary.mean, summary.optimal) {
        (None, _) => "",
        (Some(_), true) => "yes",
        (Some(_), false) => "not proved",
    };
    let found = match summary.mean {
        _ if averaged => format!("{}/{}", summary.solved, summary.boards),
        Some(_) if summary.optimal => "optimal".to_owned(),
        Some(_) => "solved".to_owned(),
        None if matches!(entry.answers.first(), Some(Answer { verdict: Verdict::Unsolvable(_), .. })) => {
            "no solution".to_owned()
        }
        None => status(entry),
    };
    let spent = summary.mean.or_else(|| spent(entry).filter(|_| !averaged));
    let shown = |value: fn(&Numbers) -> f64, show: fn(f64) -> String| {
        let text = spent.as_ref().map_or_else(String::new, |numbers| show(value(numbers)));
        let is_least = summary.optimal && summary.mean.as_ref().map(value) == least.map(value) && least.is_some();
        Cell::from(text).toned(is_least.then_some(Tone::Good))
    };
    let tone = match summary.mean {
        None => Tone::Bad,
        Some(_) if summary.optimal => Tone::Good,
        Some(_) => Tone::Doubtful,
    };
    let is_whole = !averaged || summary.solved == summary.boards;
    vec![
        summary.contestant.clone().into(),
        summary.algorithm.to_string().into(),
        format!("{}{weight}", summary.heuristic).into(),
        Cell::from(found).toned(Some(if is_whole { tone } else { Tone::Bad })),
        Cell::from(optimal.to_owned()).toned(Some(tone)),
        moves.into(),
        shown(|numbers| numbers.expanded, count),
        shown(|numbers| numbers.generated, count),
        shown(|numbers| numbers.peak_states, count),
        shown(|numbers| numbers.memory, show_bytes),
        shown(|numbers| numbers.seconds, show_seconds),
    ]
}

/// What a search has spent that found nothing; nothing at all, if it was called off before it began: every search
/// generates the board that it begins with.
fn spent(entry: &Entry) -> Option<Numbers> {
    let answer = entry.answers.first()?;
    if answer.counters.generated == 0 && matches!(answer.verdict, Verdict::Limit { why: Stop::Cancelled, .. }) {
        return None;
    }
    Some(Numbers {
        length: 0.0,
        expanded: answer.counters.expanded as f64,
        generated: answer.counters.generated as f64,
        peak_states: answer.counters.peak_states as f64,
        memory: answer.counters.peak_bytes as f64,
        seconds: answer.seconds,
    })
}

/// `solved`, or why not.
fn status(entry: &Entry) -> String {
    let record = entry.record(pintu_tiles::Notation::Blank).map(|entry| entry.record);
    record.map_or_else(String::new, |record| record.reason.unwrap_or_else(|| record.status.to_owned()))
}

fn count(value: f64) -> String {
    show_count(value.round() as u64)
}

/// The table that machines read: numbers alone where numbers belong, nothing where there is none; bytes and seconds. A status
/// is the word that JSON has, and the reason, which may be a sentence, is the last column.
pub(super) fn csv(entries: &[Entry], seed: Option<u64>) -> String {
    let common = ["contestant", "algorithm", "heuristic", "weight"];
    let single = ["status", "moves", "optimal"];
    let last = ["reason"];
    let averaged = ["boards", "solved", "moves", "optimal"];
    let measured = ["expanded", "generated", "peak", "memory", "time"];
    let spread = [
        "moves_min",
        "moves_median",
        "moves_max",
        "expanded_min",
        "expanded_median",
        "expanded_max",
        "time_min",
        "time_median",
        "time_max",
        "seed",
    ];
    let names: Vec<&'static str> = match seed {
        None => [&common[..], &single, &measured, &last].concat(),
        Some(_) => [&common[..], &averaged, &measured, &spread].concat(),
    };
    let mut table = Table::new(names.into_iter().map(left).collect());
    for entry in entries {
        if let Some(summary) = entry.summary() {
            table.push(bare_row(entry, &summary, seed));
        }
    }
    table.csv()
}

fn bare_row(entry: &Entry, summary: &Summary, seed: Option<u64>) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let mut row = vec![
        summary.contestant.clone(),
        summary.algorithm.to_string(),
        summary.heuristic.to_string(),
        number(summary.weight),
    ];
    let answer = entry.record(pintu_tiles::Notation::Blank).map(|entry| entry.record);
    match seed {
        None => row.push(answer.as_ref().map_or_else(String::new, |answer| answer.status.to_owned())),
        Some(_) => row.extend([summary.boards.to_string(), summary.solved.to_string()]),
    }
    let spent = summary.mean.or_else(|| spent(entry).filter(|_| seed.is_none()));
    row.push(number(summary.mean.map(|mean| mean.length)));
    row.push(summary.mean.map_or_else(String::new, |_| summary.optimal.to_string()));
    let measured: [fn(&Numbers) -> f64; 5] = [
        |numbers| numbers.expanded,
        |numbers| numbers.generated,
        |numbers| numbers.peak_states,
        |numbers| numbers.memory,
        |numbers| numbers.seconds,
    ];
    row.extend(measured.map(|value| number(spent.as_ref().map(value))));
    if let Some(seed) = seed {
        let all = |spread: Option<Spread>| {
            [spread.map(|all| all.min), spread.map(|all| all.median), spread.map(|all| all.max)].map(number)
        };
        row.extend(all(summary.spread.map(|spread| spread.length)));
        row.extend(all(summary.spread.map(|spread| spread.expanded)));
        row.extend(all(summary.spread.map(|spread| spread.seconds)));
        row.push(seed.to_string());
    } else {
        row.push(answer.and_then(|answer| answer.reason).unwrap_or_default());
    }
    row
}
