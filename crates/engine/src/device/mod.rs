//! Which device searches: this machine's processor or a GPU.

use std::sync::{Mutex, OnceLock};

use pintu_gpu::{DeviceError, Station};
use pintu_search::{Control, Counters, Limits};
use pintu_solver::{Brief, Known, Means, Solved, Supply};
use pintu_tiles::{Puzzle, Unsolvable};

use crate::{Algorithm, Answer, Answered, Done, HeuristicName, Request, Verdict, lock::lock, solve};

pub use pintu_gpu::{DeviceInfo, devices};

/// What may search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// A GPU where there is one and the board is hard enough for it; else the processor.
    Auto,
    /// The processor.
    #[default]
    Cpu,
    /// A GPU, and nothing else.
    Gpu,
}

impl Device {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Cpu, Self::Gpu];

    /// `auto`, `cpu` or `gpu`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// What the processor may expand before a GPU is asked, which takes a second or two to begin.
const FIRST_NODES: u64 = 20_000_000;
/// Smaller boards are solved on the processor before a GPU has begun.
const LEAST_CELLS: usize = 17;

/// The GPU of this process, and the tables on it; opened when it is needed first.
fn station() -> Result<&'static Mutex<Station>, DeviceError> {
    static STATION: OnceLock<Result<Mutex<Station>, DeviceError>> = OnceLock::new();
    let opened = STATION.get_or_init(|| Ok(Mutex::new(Station::new(pintu_gpu::first_gpu()?))));
    opened.as_ref().map_err(Clone::clone)
}

/// Solves a puzzle on the device that may, with the solver's entrance or the GPU's, which are of one shape; says which did.
pub(crate) fn solve_on(
    device: Device,
    puzzle: &Puzzle,
    supply: &dyn Supply,
    control: &Control,
    brief: Brief<'_>,
) -> Result<(Solved, Device), SolveError> {
    let suits = Station::suits(puzzle);
    let Brief { threads, mut known, on_better } = brief;
    match device {
        Device::Gpu if !suits => {
            let found = format!("a board of {}", puzzle.topology());
            return Err(DeviceError::Board { found, expected: "10 to 25 cells" }.into());
        }
        Device::Auto if suits && puzzle.size().cells() >= LEAST_CELLS && station().is_ok() => {
            let first = Brief { threads, known, on_better };
            let part = control.part(Limits { nodes: Some(FIRST_NODES), ..Limits::default() });
            let solved = pintu_solver::solve(puzzle, supply, &part, first)?;
            if solved.known.is_proved() || control.check().is_break() || control.nodes_left() == Some(0) {
                return Ok((solved, Device::Cpu));
            }
            known = solved.known;
        }
        Device::Gpu => {}
        Device::Auto | Device::Cpu => {
            let brief = Brief { threads, known, on_better };
            return Ok((pintu_solver::solve(puzzle, supply, control, brief)?, Device::Cpu));
        }
    }
    puzzle.solvable()?;
    let tried = lock(station()?).solve(puzzle, supply, control, Brief { threads, known, on_better });
    match tried {
        // Beams are the processor's.
        Ok(solved) if solved.by == Means::Beams => Ok((solved, Device::Cpu)),
        Ok(solved) => Ok((solved, Device::Gpu)),
        // What is known still holds.
        Err(failure) if device == Device::Auto => {
            let brief = Brief { threads, known: failure.known, on_better: &mut |_, _| {} };
            Ok((pintu_solver::solve(puzzle, supply, control, brief)?, Device::Cpu))
        }
        Err(failure) => Err(failure.error.into()),
    }
}

/// Why nothing was solved.
#[derive(Debug)]
pub(crate) enum SolveError {
    Unsolvable,
    Device(DeviceError),
}

impl From<Unsolvable> for SolveError {
    fn from(_: Unsolvable) -> Self {
        Self::Unsolvable
    }
}

impl From<DeviceError> for SolveError {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

/// Boards that are sent to a GPU together.
const LOT: usize = 1 << 14;

/// Carries out requests on a GPU, as [`run_batch`](crate::run_batch) does on threads: small boards of a kind that nothing
/// limits are solved together, in lots; each counts its share of what its lot took. Answers come when what is solved together is done.
pub fn run_batch_on_gpu<T, E>(
    items: impl Iterator<Item = (T, Option<Request>)>,
    control: &Control,
    done: &Done,
    mut output: impl FnMut(T, Option<Answered>) -> Result<(), E>,
) -> Result<(), E> {
    let mut items = items.peekable();
    while items.peek().is_some() {
        let lot: Vec<(T, Option<Request>)> = items.by_ref().take(LOT).collect();
        let together = solve_together(lot.iter().filter_map(|(_, request)| request.as_ref()), control);
        let mut together = together.into_iter();
        for (mark, request) in lot {
            let answered = request.map(|request| {
                let answer = match together.next().flatten() {
                    Some(answer) => Ok(answer),
                    None if control.check().is_break() => {
                        Answer::unanswered(&request, control.stopped().unwrap_or(pintu_search::Stop::Cancelled))
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

/// The answers to those of some requests that can be solved together, in their places.
fn solve_together<'a>(requests: impl Iterator<Item = &'a Request>, control: &Control) -> Vec<Option<Answer>> {
    use pintu_solver::tables::{Extent, Key};
    let requests: Vec<&Request> = requests.collect();
    let mut answers: Vec<Option<Answer>> = vec![None; requests.len()];
    let is_plain = |request: &Request| {
        request.algorithm == Algorithm::Auto
            && matches!(request.heuristic, None | Some(HeuristicName::Pattern))
            && request.limits == Limits::default()
            && request.puzzle.size().cells() < LEAST_CELLS
            && request.puzzle.solvable().is_ok()
            && Station::suits(&request.puzzle)
    };
    let key = |at: &usize| Key::of(&requests[*at].puzzle, Extent::Large);
    let mut places: Vec<usize> = (0..requests.len()).filter(|&at| is_plain(requests[at])).collect();
    let Some(first) = places.first().map(key) else { return answers };
    places.retain(|at| key(at) == first);
    let puzzles: Vec<Puzzle> = places.iter().map(|&at| requests[at].puzzle.clone()).collect();
    let part = control.part(Limits::default());
    // What fails here is said by the search of the first board alone.
    let Ok(Ok((solved, _))) = station().map(|station| lock(station).solve_many(&puzzles, &part)) else {
        return answers;
    };
    let count = puzzles.len() as u64;
    let whole = part.counters();
    let counters = Counters { expanded: whole.expanded / count, generated: whole.generated / count, ..whole };
    for (at, solved) in places.into_iter().zip(solved) {
        answers[at] = solved.moves.map(|moves| {
            let mut known = Known::at_least(solved.lower_bound);
            known.offer(moves.clone());
            Answer {
                verdict: Verdict::Solved { moves, lower_bound: known.bound() },
                algorithm: Algorithm::Ida,
                heuristic: HeuristicName::Pattern,
                weight: None,
                counters,
                seconds: part.elapsed().as_secs_f64() / count as f64,
                device: Device::Gpu,
            }
        });
    }
    answers
}
