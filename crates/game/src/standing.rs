use serde::Serialize;

use crate::Score;

/// How somebody does on one kind of board. Indices are into the scores it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Games played.
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

/// The mean without the quickest and the slowest, rounded to the nearest; of three times or more.
pub fn trimmed_average(times: &[u64]) -> Option<u64> {
    if times.len() < 3 {
        return None;
    }
    let sum: u128 = times.iter().map(|&time| u128::from(time)).sum();
    let ends = u128::from(*times.iter().min()?) + u128::from(*times.iter().max()?);
    let count = times.len() as u128 - 2;
    u64::try_from((sum - ends + count / 2) / count).ok()
}

fn last_average(times: &[u64], count: usize) -> Option<u64> {
    trimmed_average(&times[times.len().checked_sub(count)?..])
}

fn best_average(times: &[u64], count: usize) -> Option<u64> {
    times.windows(count).filter_map(trimmed_average).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_leave_out_the_ends() {
        assert_eq!(trimmed_average(&[1, 2]), None);
        assert_eq!(trimmed_average(&[10, 20, 90]), Some(20));
        assert_eq!(trimmed_average(&[5, 1, 2, 4, 100]), Some(4)); // (5 + 2 + 4) / 3 = 3.67
        assert_eq!(trimmed_average(&[u64::MAX; 3]), Some(u64::MAX));
    }

    #[test]
    fn a_standing_tells_bests_and_averages_apart() {
        let score = |millis, moves| Score { millis, moves };
        let mut scores = vec![score(10, 9), score(20, 5), score(30, 5), score(40, 7)];
        let few = Standing::of(&scores);
        assert_eq!((few.best_time, few.best_moves, few.average_of_5), (Some(0), Some(1), None));
        scores.extend([score(50, 8), score(60, 8)]);
        let more = Standing::of(&scores);
        assert_eq!((more.games, more.average_of_5, more.best_average_of_5), (6, Some(40), Some(30)));
        assert_eq!(more.average_of_12, None);
        assert_eq!(Standing::of(&[]).best_time, None);
    }
}
