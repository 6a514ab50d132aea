//! Small maps of all sorts, with costs up to the largest.

use pintu_engine::path::{PathAlgorithm, PathAnswer, PathError, PathRequest, PathVerdict, Way, find_path};
use pintu_grid::{Cell, Diagonal, Ground, Heuristic, Map, Scratch, Terrain};
use pintu_search::Weight;

use crate::{
    dice::Dice,
    limits::{check_nodes, may_stop, roll, watched},
};

/// Checks one algorithm on one map, twice with the same scratch memory.
pub(crate) fn check(dice: &mut Dice) {
    let plain = Plain::roll(dice);
    let map = plain.map();
    let request = request(dice);
    let truth = plain.cheapest();
    let mut scratch = Scratch::new();
    let first = run(&plain, &map, &request, &mut scratch, truth);
    let second = run(&plain, &map, &request, &mut scratch, truth);
    if let (Some(first), Some(second), None) = (&first, &second, request.limits.time) {
        // Memory that is there already need not be asked for again, so only without a limit on it.
        if request.limits.memory.is_none() {
            let counts = |answer: &PathAnswer| (answer.counters.expanded, answer.counters.generated);
            assert_eq!(counts(first), counts(second), "{request:?} on {plain:?}");
        }
    }
}

fn request(dice: &mut Dice) -> PathRequest {
    let mut request = PathRequest::new(dice.choose(&PathAlgorithm::ALL));
    request.limits = roll(dice);
    request.inadmissible = dice.once_in(2);
    if request.algorithm.uses_heuristic() && dice.once_in(2) {
        request.heuristic = Some(dice.choose(&HEURISTICS));
    }
    if request.algorithm == PathAlgorithm::Wastar {
        request.weight = dice.once_in(2).then(|| Weight::new(1.0 + dice.below(9000) as f64 / 1000.0).unwrap());
    }
    request
}

const HEURISTICS: [Heuristic; 5] =
    [Heuristic::None, Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::Chebyshev, Heuristic::Octile];

fn run(
    plain: &Plain,
    map: &Map,
    request: &PathRequest,
    scratch: &mut Scratch,
    truth: Option<Sum>,
) -> Option<PathAnswer> {
    let goals = &plain.goals;
    let found = watched(request.limits, |control| find_path(map, plain.start, goals, request, scratch, control));
    let answer = match found {
        Ok(answer) => answer,
        Err(PathError::Overestimates { .. } | PathError::HeuristicOfItsOwn { .. }) => return None,
        Err(error) if request.algorithm == PathAlgorithm::Jps => {
            assert!(!plain.is_uniform(), "{error}");
            return None;
        }
        Err(error) => panic!("{request:?}: {error}"),
    };
    let context = || format!("{request:?}\n{plain:?}\n{answer:?}\n{truth:?}");
    check_nodes(&request.limits, &answer.counters);
    match &answer.verdict {
        PathVerdict::Found { cost, way: Way::Cells(cells), optimal, .. } => {
            let paid = plain.cost_of(cells).unwrap_or_else(|| panic!("no path: {}", context()));
            let least = truth.unwrap_or_else(|| panic!("there is none: {}", context()));
            assert!(least <= paid, "{}", context());
            assert!(!optimal || paid == least, "{}", context());
            let said: f64 = cost.to_string().parse().unwrap();
            assert!((said - paid.value()).abs() <= paid.value() * 1e-9, "{said} for {}: {}", paid.value(), context());
        }
        PathVerdict::Unreachable { .. } => assert_eq!(truth, None, "{}", context()),
        PathVerdict::Limit { why, lower_bound } => {
            if let (Some(bound), Some(least)) = (lower_bound, truth) {
                assert!(*bound <= least.value() * (1.0 + 1e-9), "{}", context());
            }
            assert!(may_stop(*why, &request.limits, false), "{}", context());
        }
        PathVerdict::Found { .. } => panic!("no cells: {}", context()),
    }
    Some(answer)
}

/// So many straight steps and so many diagonal ones, each as dear as what it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    straight: i128,
    diagonal: i128,
}

impl Sum {
    fn value(self) -> f64 {
        self.straight as f64 + self.diagonal as f64 * std::f64::consts::SQRT_2
    }
}

impl PartialOrd for Sum {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sum {
    /// Compares `x` with `−y√2` by their squares, which are whole.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (x, y) = (self.straight - other.straight, self.diagonal - other.diagonal);
        let (left, right) = (x * x.abs(), -2 * y * y.abs());
        left.cmp(&right)
    }
}

/// A map in plain arrays, with rules of its own.
struct Plain {
    rows: i64,
    cols: i64,
    /// What a cell costs; blocked ones nothing.
    costs: Vec<Option<u64>>,
    diagonal: Diagonal,
    start: Cell,
    goals: Vec<Cell>,
}

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} from {} to {:?}:", self.diagonal, self.start, self.goals)?;
        for row in self.costs.chunks(self.cols as usize) {
            writeln!(f)?;
            row.iter().try_for_each(|cost| match cost {
                Some(cost) => write!(f, "{cost} "),
                None => write!(f, "# "),
            })?;
        }
        Ok(())
    }
}

impl Plain {
    fn roll(dice: &mut Dice) -> Self {
        let (rows, cols) = (1 + dice.below(9), 1 + dice.below(9));
        let palette: &[u64] = dice.choose(&[
            &[1][..],
            &[1, 1, 1, 2],
            &[1, 2, 3, 9],
            &[7],
            &[1, 1, 20],
            &[1, 1_000_000],
            &[1, 2_147_483_647],
            &[4_000_000_000],
            &[4_294_967_295, 3, 65_536],
            &[1, 1_000_000_000_000],
            &[1_000_000_000_000_000_000, 1],
        ]);
        let crowded = 2 + dice.below(5);
        let costs = (0..rows * cols).map(|_| (!dice.once_in(crowded)).then(|| dice.choose(palette))).collect();
        let diagonal = dice.choose(&[Diagonal::Never, Diagonal::Always, Diagonal::NoSqueeze, Diagonal::NoCorners]);
        let mut cell = || Cell::new(dice.below(rows) as u32, dice.below(cols) as u32);
        let (start, mut goals) = (cell(), vec![cell()]);
        let others = [cell(), cell()];
        goals.extend(&others[..if dice.once_in(4) { 1 + dice.below(2) } else { 0 }]);
        Self { rows: rows as i64, cols: cols as i64, costs, diagonal, start, goals }
    }

    fn is_uniform(&self) -> bool {
        let mut costs = self.costs.iter().flatten();
        let first = costs.next();
        costs.all(|cost| Some(cost) == first)
    }

    /// The same map as the library has it.
    fn map(&self) -> Map {
        let ground = |cell: Cell| match self.at(cell.row.into(), cell.col.into()) {
            None => Ground::Blocked,
            Some(cost) => Ground::land(cost),
        };
        Map::new(&Terrain::from_fn(self.rows as u32, self.cols as u32, ground).unwrap(), self.diagonal)
    }

    fn at(&self, row: i64, col: i64) -> Option<u64> {
        let inside = (0..self.rows).contains(&row) && (0..self.cols).contains(&col);
        if inside { self.costs[(row * self.cols + col) as usize] } else { None }
    }

    /// What a step costs, if it is allowed.
    fn step(&self, (row, col): (i64, i64), (down, right): (i64, i64)) -> Option<Sum> {
        let cost = i128::from(self.at(row + down, col + right)?);
        if down == 0 || right == 0 {
            return Some(Sum { straight: cost, diagonal: 0 });
        }
        let beside = [self.at(row + down, col), self.at(row, col + right)];
        let free = beside.iter().flatten().count();
        let allowed = match self.diagonal {
            Diagonal::Never => false,
            Diagonal::Always => true,
            Diagonal::NoSqueeze => free > 0,
            Diagonal::NoCorners => free == 2,
        };
        allowed.then_some(Sum { straight: 0, diagonal: cost })
    }

    /// The cheapest way to a goal, by going over all steps until nothing changes.
    fn cheapest(&self) -> Option<Sum> {
        let start = (i64::from(self.start.row), i64::from(self.start.col));
        self.at(start.0, start.1)?;
        let mut sums: Vec<Option<Sum>> = vec![None; self.costs.len()];
        sums[(start.0 * self.cols + start.1) as usize] = Some(Sum { straight: 0, diagonal: 0 });
        loop {
            let mut changed = false;
            for index in 0..self.costs.len() {
                let Some(sum) = sums[index] else { continue };
                let here = (index as i64 / self.cols, index as i64 % self.cols);
                for delta in DELTAS {
                    let Some(step) = self.step(here, delta) else { continue };
                    let to = ((here.0 + delta.0) * self.cols + here.1 + delta.1) as usize;
                    let total = Sum { straight: sum.straight + step.straight, diagonal: sum.diagonal + step.diagonal };
                    if sums[to].is_none_or(|known| total < known) {
                        sums[to] = Some(total);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let free = self.goals.iter().filter(|goal| self.at(goal.row.into(), goal.col.into()).is_some());
        free.filter_map(|goal| sums[(i64::from(goal.row) * self.cols + i64::from(goal.col)) as usize]).min()
    }

    /// What a way costs, if it is one from the start to a goal.
    fn cost_of(&self, cells: &[Cell]) -> Option<Sum> {
        let ends = cells.first() == Some(&self.start) && self.goals.contains(cells.last()?);
        let mut sum = ends.then_some(Sum { straight: 0, diagonal: 0 })?;
        for pair in cells.windows(2) {
            let here = (i64::from(pair[0].row), i64::from(pair[0].col));
            let delta = (i64::from(pair[1].row) - here.0, i64::from(pair[1].col) - here.1);
            let step = DELTAS.contains(&delta).then(|| self.step(here, delta))??;
            sum = Sum { straight: sum.straight + step.straight, diagonal: sum.diagonal + step.diagonal };
        }
        Some(sum)
    }
}

const DELTAS: [(i64, i64); 8] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];
