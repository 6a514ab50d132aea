use std::collections::BTreeMap;

use pintu_search::Stop;
use serde::Serialize;

use super::Entry;
use crate::{Algorithm, Answer, HeuristicName, Verdict};

/// A contestant's averages over several boards: of the boards that it solved, and absent if there are none.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub contestant: String,
    /// `solved` if it solved every board, else `limit`.
    pub status: &'static str,
    /// The algorithm that ran; the one that was asked for, if it was not the same on every board.
    pub algorithm: Algorithm,
    pub heuristic: HeuristicName,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    pub boards: usize,
    pub solved: usize,
    /// Boards that were not begun, or not finished, because the comparison was cancelled.
    #[serde(skip_serializing_if = "is_zero")]
    pub unanswered: usize,
    /// The number of boards that ended at each limit, by the limit's name; the averages leave them out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<&'static str, usize>,
    pub optimal: bool,
    #[serde(flatten)]
    pub mean: Option<Numbers>,
    /// The spread of each number over the boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spreads>,
}

/// A contestant's averages, and the seed that its random boards are from.
#[derive(Clone, Debug, Serialize)]
pub struct Averages {
    #[serde(flatten)]
    pub summary: Option<Summary>,
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Numbers {
    pub length: f64,
    pub expanded: f64,
    pub generated: f64,
    /// The most states held at once.
    pub peak_states: f64,
    /// The most bytes held at once.
    pub memory: f64,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spreads {
    pub length: Spread,
    pub expanded: Spread,
    pub generated: Spread,
    pub seconds: Spread,
}

/// The least, the median and the greatest of some numbers, and their standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub min: f64,
    /// Half of them are no greater.
    pub median: f64,
    pub max: f64,
    /// The standard deviation of the population, not an estimate from a sample.
    pub deviation: f64,
}

impl Spread {
    /// The spread of some numbers; `None` if there are none.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = match sorted.len() {
            0 => return None,
            length if length.is_multiple_of(2) => f64::midpoint(sorted[middle - 1], sorted[middle]),
            _ => sorted[middle],
        };
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let deviation = (sorted.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt();
        Some(Self { min: sorted[0], median, max: sorted[sorted.len() - 1], deviation })
    }
}

impl Summary {
    pub(super) fn of(entry: &Entry) -> Option<Self> {
        let Entry { contestant, answers, unanswered } = entry;
        let first = answers.first()?;
        let alike = |answer: &Answer| (answer.algorithm, answer.heuristic) == (first.algorithm, first.heuristic);
        let solved: Vec<&Answer> = answers.iter().filter(|answer| answer.moves().is_some()).collect();
        let boards = answers.len() + unanswered;
        let mut limits = BTreeMap::new();
        for answer in answers {
            if let Verdict::Limit { why, .. } = answer.verdict {
                *limits.entry(why.name()).or_default() += 1;
            }
        }
        let cancelled = limits.remove(Stop::Cancelled.name()).unwrap_or(0);
        Some(Self {
            contestant: contestant.to_string(),
            status: if solved.len() == boards { "solved" } else { "limit" },
            algorithm: if answers.iter().all(alike) { first.algorithm } else { contestant.algorithm },
            heuristic: first.heuristic,
            weight: first.weight,
            boards,
            solved: solved.len(),
            unanswered: unanswered + cancelled,
            limits,
            optimal: !solved.is_empty() && solved.iter().all(|answer| answer.is_optimal()),
            mean: Numbers::of(&solved),
            spread: Spreads::of(&solved),
        })
    }
}

impl Numbers {
    fn of(answers: &[&Answer]) -> Option<Self> {
        let mean =
            |value: fn(&Answer) -> f64| answers.iter().map(|answer| value(answer)).sum::<f64>() / answers.len() as f64;
        (!answers.is_empty()).then(|| Self {
            length: mean(length),
            expanded: mean(expanded),
            generated: mean(generated),
            peak_states: mean(|answer| answer.counters.peak_states as f64),
            memory: mean(|answer| answer.counters.peak_bytes as f64),
            seconds: mean(seconds),
        })
    }
}

impl Spreads {
    fn of(answers: &[&Answer]) -> Option<Self> {
        let spread = |value: fn(&Answer) -> f64| Spread::of(answers.iter().map(|answer| value(answer)));
        let (length, expanded) = (spread(length)?, spread(expanded)?);
        Some(Self { length, expanded, generated: spread(generated)?, seconds: spread(seconds)? })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as the serializer calls it")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn length(answer: &Answer) -> f64 {
    answer.moves().map_or(0, pintu_tiles::Moves::len) as f64
}

fn expanded(answer: &Answer) -> f64 {
    answer.counters.expanded as f64
}

fn generated(answer: &Answer) -> f64 {
    answer.counters.generated as f64
}

fn seconds(answer: &Answer) -> f64 {
    answer.seconds
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn the_middle_is_found() {
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([3.0]), Some(Spread { min: 3.0, median: 3.0, max: 3.0, deviation: 0.0 }));
        let spread = Spread::of([9.0, 1.0, 2.0]).unwrap();
        assert_eq!((spread.min, spread.median, spread.max), (1.0, 2.0, 9.0));
        let spread = Spread::of([9.0, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!((spread.median, spread.deviation), (3.0, 9.5_f64.sqrt()));
    }
}
