//! A comparison as a table: for people with units and thousands separators, for programs as bare numbers.

use pintu_engine::{Answer, Entry, Numbers, Spread, Summary, Verdict};
use serde_json::Value;

use crate::{
    render::{Cell, Table, left, right},
    say::Tone,
    units::{show_bytes, show_count, show_seconds},
};

/// The table for people; of averages, if the boards are random. A row is named by the contestant; the algorithm and
/// heuristic that it used are shown where there is room.
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
    for (entry, summary) in &summaries {
        table.push(row(entry, summary, averaged, |value| least(&summaries, value)));
    }
    table
}

/// The least value among contestants that proved the answers of all boards, as means over different boards are not
/// comparable. `None` if there are fewer than two.
fn least(summaries: &[(&Entry, Summary)], value: fn(&Numbers) -> f64) -> Option<f64> {
    let proved = summaries.iter().filter(|(_, summary)| summary.optimal && summary.solved == summary.boards);
    let values: Vec<f64> = proved.filter_map(|(_, summary)| summary.mean.as_ref().map(value)).collect();
    if values.len() < 2 { None } else { values.into_iter().reduce(f64::min) }
}

/// The spread of the boards of an average.
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

fn row(
    entry: &Entry,
    summary: &Summary,
    averaged: bool,
    least: impl Fn(fn(&Numbers) -> f64) -> Option<f64>,
) -> Vec<Cell> {
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
        let is_least =
            summary.optimal && least(value).is_some_and(|least| summary.mean.as_ref().map(value) == Some(least));
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
        shown(|numbers| numbers.memory, |bytes| show_bytes(bytes as u64)),
        shown(|numbers| numbers.seconds, show_seconds),
    ]
}

/// The counts of a search that found no solution.
fn spent(entry: &Entry) -> Option<Numbers> {
    let answer = entry.answers.first()?;
    Some(Numbers {
        length: 0.0,
        expanded: answer.counters.expanded as f64,
        generated: answer.counters.generated as f64,
        peak_states: answer.counters.peak_states as f64,
        memory: answer.counters.peak_bytes as f64,
        seconds: answer.seconds,
    })
}

/// The reason, or the status if it has none.
fn status(entry: &Entry) -> String {
    let answer = entry.answers.first();
    answer.map_or_else(String::new, |answer| answer.reason().unwrap_or_else(|| answer.status().to_owned()))
}

fn count(value: f64) -> String {
    show_count(value.round() as u64)
}

/// The table for programs: the fields of the JSON objects under the same names, empty where an object has none. The
/// spread's are `length_min`, `length_median` and so on.
pub(super) fn csv(records: &[String], averaged: bool) -> serde_json::Result<String> {
    const COMMON: [&str; 4] = ["contestant", "algorithm", "heuristic", "weight"];
    const MEASURED: [&str; 7] = ["length", "optimal", "expanded", "generated", "peak_states", "memory", "seconds"];
    let of = |what: &str| ["min", "median", "max"].map(|which| format!("spread/{what}/{which}"));
    let spread = ["length", "expanded", "seconds"].map(of).concat();
    let spread: Vec<&str> = spread.iter().map(String::as_str).collect();
    let columns = if averaged {
        [&COMMON[..], &["boards", "solved"], &MEASURED, &spread, &["seed"]].concat()
    } else {
        [&COMMON[..], &["status"], &MEASURED, &["moves", "reason"]].concat()
    };
    let mut text = columns.join(",").replace("spread/", "").replace('/', "_") + "\n";
    for record in records {
        let record: Value = serde_json::from_str(record)?;
        let cells: Vec<String> = columns.iter().map(|column| cell(record.pointer(&format!("/{column}")))).collect();
        text += &(cells.join(",") + "\n");
    }
    Ok(text)
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) if text.contains([',', '"', '\n']) => format!("\"{}\"", text.replace('"', "\"\"")),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_cell_is_quoted() {
        let record = r#"{"contestant":"bfs","length":4,"reason":"a, \"b\""}"#.to_owned();
        assert!(csv(&[record], false).unwrap().ends_with("reason\nbfs,,,,,4,,,,,,,,\"a, \"\"b\"\"\"\n"));
    }
}
