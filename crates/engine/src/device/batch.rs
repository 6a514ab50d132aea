//! Many small boards on a GPU at once.

use pintu_gpu::GpuSolver;
use pintu_search::{Control, Limits, Stop};
use pintu_solver::store::{Extent, Key};
use pintu_tiles::Puzzle;

use super::{Device, Devices};
use crate::{Algorithm, Answer, Answered, HeuristicName, Progress, Request, Verdict, lock::lock, solve};

/// Boards that are sent to a GPU together.
const MAX_TOGETHER: usize = 1 << 14;

/// Carries out requests on a GPU, as [`run_batch`](crate::run_batch) does on threads: small boards of one kind without
/// limits are solved together, in lots. Each has its own counts, but its seconds are its share of the lot's, and its
/// memory is the whole lot's. Answers come when their lot is done.
pub fn run_batch_on_gpu<T, E>(
    items: impl Iterator<Item = (T, Option<Request>)>,
    control: &Control,
    done: &Progress,
    mut output: impl FnMut(T, Option<Answered>) -> Result<(), E>,
) -> Result<(), E> {
    let mut items = items.peekable();
    while items.peek().is_some() {
        let lot: Vec<(T, Option<Request>)> = items.by_ref().take(MAX_TOGETHER).collect();
        let together = Devices::OWN.solve_together(lot.iter().filter_map(|(_, request)| request.as_ref()), control);
        let mut together = together.into_iter();
        for (mark, request) in lot {
            let answered = request.map(|request| {
                let answer = match together.next().flatten() {
                    Some(answer) => Ok(answer),
                    None if control.check().is_err() => {
                        Answer::unanswered(&request, control.stopped().unwrap_or(Stop::Cancelled))
                    }
                    None => solve(&request, control),
                };
                (request, answer)
            });
            output(mark, answered)?;
            done.add_one();
        }
    }
    Ok(())
}

impl Devices<'_> {
    /// The answers to those requests that can be solved together, in their places.
    pub(super) fn solve_together<'a>(
        &self,
        requests: impl Iterator<Item = &'a Request>,
        control: &Control,
    ) -> Vec<Option<Answer>> {
        let requests: Vec<&Request> = requests.collect();
        let mut answers: Vec<Option<Answer>> = vec![None; requests.len()];
        let key = |at: &usize| Key::of(&requests[*at].puzzle, Extent::Large);
        let mut places: Vec<usize> = (0..requests.len()).filter(|&at| self.is_plain(requests[at])).collect();
        let Some(first) = places.first().map(key) else { return answers };
        places.retain(|at| key(at) == first);
        let puzzles: Vec<Puzzle> = places.iter().map(|&at| requests[at].puzzle.clone()).collect();
        let part = control.part(Limits::default());
        // A failure is reported by the search of the first board alone.
        let Ok(Ok((solved, _))) = (self.open)().map(|station| lock(station).solve_many(&puzzles, &part)) else {
            return answers;
        };
        let count = puzzles.len() as f64;
        for (at, solved) in places.into_iter().zip(solved) {
            let mut counters = part.counters();
            (counters.expanded, counters.generated) = (solved.expanded, solved.generated);
            let lower_bound = solved.known.bound();
            answers[at] = solved.known.into_moves().map(|moves| Answer {
                verdict: Verdict::Solved { moves, lower_bound },
                algorithm: Algorithm::Ida,
                heuristic: HeuristicName::Pattern,
                weight: None,
                counters,
                seconds: part.elapsed().as_secs_f64() / count,
                device: Device::Gpu,
            });
        }
        answers
    }

    fn is_plain(&self, request: &Request) -> bool {
        request.algorithm == Algorithm::Auto
            && matches!(request.heuristic, None | Some(HeuristicName::Pattern))
            && request.limits == Limits::default()
            && request.puzzle.size().cells() < self.least_cells
            && request.puzzle.solvable().is_ok()
            && GpuSolver::suits(&request.puzzle)
    }
}
