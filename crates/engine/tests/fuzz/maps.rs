//! Small maps of all sorts, with costs up to those that need 64 bits.

use pintu_engine::path::{PathAlgorithm, PathAnswer, PathError, PathRequest, PathStates, PathVerdict, find_path};
use pintu_grid::{Cell, Diagonal, Length, Map, Scratch, Terrain, TerrainKind};
use pintu_testing::maps::{plain_shortest, walk};

use crate::{
    dice::Dice,
    limits::{check_nodes, may_stop, path_request, watched},
};

/// Checks one algorithm on one map, twice with the same scratch memory.
pub(crate) fn check(dice: &mut Dice) {
    let case = Case::roll(dice);
    let map = Map::new(&case.terrain, case.diagonal);
    let request = path_request(dice, &PathAlgorithm::ALL, true);
    let truth = plain_shortest(&case.terrain, case.diagonal, case.start, &case.goals);
    let mut scratch = Scratch::new();
    let first = run(&case, &map, &request, &mut scratch, truth);
    let second = run(&case, &map, &request, &mut scratch, truth);
    if let (Some(first), Some(second), None) = (&first, &second, request.limits.time) {
        // Scratch memory is not asked for again, so the counts are compared only without a memory limit.
        if request.limits.memory.is_none() {
            let counts = |answer: &PathAnswer| (answer.counters.expanded, answer.counters.generated);
            assert_eq!(counts(first), counts(second), "{request:?} on\n{}", case.terrain);
        }
    }
}

fn run(
    case: &Case,
    map: &Map,
    request: &PathRequest,
    scratch: &mut Scratch,
    truth: Option<Length>,
) -> Option<PathAnswer> {
    let Case { terrain, diagonal, start, goals } = case;
    let found = watched(request.limits, |control| find_path(map, *start, goals, request, scratch, control));
    let answer = match found {
        Ok(answer) => answer,
        Err(PathError::Overestimates { .. } | PathError::HeuristicOfItsOwn { .. }) => return None,
        Err(error) if request.algorithm == PathAlgorithm::Jps => {
            assert!(!map.is_uniform(), "{error}");
            return None;
        }
        Err(error) => panic!("{request:?}: {error}"),
    };
    let context = || format!("{request:?}\n{map:?} from {start} to {goals:?}\n{terrain}{answer:?}\n{truth:?}");
    check_nodes(&request.limits, &answer.counters);
    match &answer.verdict {
        PathVerdict::Found { cost, path: PathStates::Cells(cells), optimal, .. } => {
            let paid = walk(terrain, *diagonal, cells, *start, goals);
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

/// A random map of at most nine rows and columns, with a start and goals.
struct Case {
    terrain: Terrain,
    diagonal: Diagonal,
    start: Cell,
    goals: Vec<Cell>,
}

impl Case {
    fn roll(dice: &mut Dice) -> Self {
        let (rows, cols) = (1 + dice.below(9), 1 + dice.below(9));
        let palette: &[u64] = dice.choose(&[
            &[1][..],
            &[1, 1, 1, 2],
            &[1, 2, 3, 9],
            &[7],
            &[1, 1, 20],
            &[1, 1_000_000],
            &[1, 50_000_000],
            &[4_000_000_000],
            &[4_294_967, 3, 65_536],
            &[1_000_000_000_000, 2_000_000_000_000],
        ]);
        let crowded = 2 + dice.below(5);
        let kind =
            |_| if dice.once_in(crowded) { TerrainKind::Blocked } else { TerrainKind::land(dice.choose(palette)) };
        let terrain = Terrain::from_fn(rows as u32, cols as u32, kind).unwrap();
        let diagonal = dice.choose(&Diagonal::ALL);
        let mut cell = || Cell::new(dice.below(rows) as u32, dice.below(cols) as u32);
        let (start, mut goals) = (cell(), vec![cell()]);
        let others = [cell(), cell()];
        goals.extend(&others[..if dice.once_in(4) { 1 + dice.below(2) } else { 0 }]);
        Self { terrain, diagonal, start, goals }
    }
}
