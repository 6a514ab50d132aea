use serde::Serialize;

use crate::Score;

/// A player's results on one kind of board. Indices are into the scores it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    pub games: usize,
    /// The quickest game, the first of those that tie.
    pub best_time: Option<usize>,
    /// The game of fewest moves, the first of those that tie.
    pub best_moves: Option<usize>,
    /// The trimmed average of the last five times, in milliseconds.
    pub average_of_5: Option<u64>,
    /// The trimmed average of the last twelve times.
    pub average_of_12: Option<u64>,
    /// The best average of any five games in a row.
    pub best_average_of_5: Option<u64>,
    /// The best average of any twelve games in a row.
    pub best_average_of_12: Option<u64>,
}

impl Standing {
    /// The standing after these games, the oldest first.
    pub fn of(scores: &[Score]) -> Self {
        let times: Vec<u64> = scores.iter().map(|score| score.millis).collect();
        let best = |key: fn(&Score) -> (u64, u64)| (0..scores.len()).min_by_key(|&index| key(&scores[index]));
        Self {
            games: scores.len(),
            best_time: best(|score| (score.millis, score.moves as u64)),
            best_moves: best(|score| (score.moves as u64, score.millis)),
            average_of_5: last_average(&times, 5),
            average_of_12: last_average(&times, 12),
            best_average_of_5: best_average(&times, 5),
            best_average_of_12: best_average(&times, 12),
        }
    }
}

/// The mean without the quickest and the slowest, rounded to the nearest.
fn trimmed_average(times: &[u64]) -> Option<u64> {
    let ends = times.iter().min()? + times.iter().max()?;
    let count = times.len() as u64 - 2;
    Some((times.iter().sum::<u64>() - ends + count / 2) / count)
}

fn last_average(times: &[u64], count: usize) -> Option<u64> {
    trimmed_average(&times[times.len().checked_sub(count)?..])
}

fn best_average(times: &[u64], count: usize) -> Option<u64> {
    times.windows(count).filter_map(trimmed_average).min()
}
