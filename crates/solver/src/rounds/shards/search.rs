//! The frontier as subtrees, and the search of a shard.

use pintu_search::{Control, Limits, Stop};
use pintu_tiles::{Direction, Moves};

use super::{
    Half, Shard, ShardError, ShardRound,
    format::{Subtree, Subtrees},
};
use crate::{
    pruning::Automaton,
    rounds::{deepening::frontier_within, descent::Descent, frontier::Frontier},
    tables::Tables,
    views::{Cells, Layout, Mask, Options, SizedSearch, State, Task, with_task},
};

/// Grows a frontier and takes its open states, those nearest to the goal first.
#[derive(Clone, Copy)]
pub(super) struct Splitting {
    pub(super) most: usize,
}

impl SizedSearch for Splitting {
    /// The solution if the frontier reaches the goal, and the open states.
    type End = (Result<Option<Moves>, Stop>, Subtrees);

    fn run<M: Mask, const CELLS: usize, const GROUPS: usize>(self, task: Task<'_>) -> Self::End {
        let mut frontier = Frontier::<M, CELLS, GROUPS>::new(task.rounds, task.board, task.blank, task.control.hold());
        let most = frontier_within::<M, CELLS, GROUPS>(self.most, 0, task.control);
        let grown = frontier.grow(most, task.automaton, &mut task.control.meter());
        task.control.note_states(frontier.len() as u64);
        let mut subtrees = Subtrees::new(task.rounds.groups.len());
        let ended = grown.map(|goal| goal.map(|id| task.moves(&frontier.path(id))));
        if let Ok(None) = ended {
            for id in frontier.roots(u32::MAX) {
                let moves = task.moves_so_far(&frontier.path(id));
                subtrees.push(&moves.0, moves.len().min(1), frontier.estimates(id));
            }
        }
        (ended, subtrees)
    }
}

/// Searches all subtrees of a shard as far as a bound, on this thread, unless the control ends it: then the result has what
/// is left.
pub fn search_shard(shard: &Shard, tables: &Tables, bound: u32, control: &Control) -> Result<ShardRound, ShardError> {
    let (found, expected) = (tables.name(), shard.name.tables);
    if found != expected || !tables.serve(&shard.puzzle) {
        return Err(ShardError::Tables { found, expected });
    }
    if let Some(expected) = shard.begun_with().filter(|&begun| begun != bound) {
        return Err(ShardError::Bound { found: bound, expected });
    }
    let part = control.part(Limits::default());
    let options = Options { threads: 1, known: None };
    let chosen = shard.views.map(|pair| {
        let views = pair.map(|view| tables.views().get(usize::from(view)));
        views.into_iter().collect::<Option<Vec<_>>>().ok_or(ShardError::Damaged)
    });
    let layout = Layout::new(tables, chosen.transpose()?.unwrap_or_else(|| tables.first_views().iter().collect()));
    if layout.groups.len() != shard.subtrees.groups {
        return Err(ShardError::Damaged);
    }
    let searched = with_task(&shard.puzzle, tables, &part, &options, |task| {
        let mut hold = part.hold();
        let automaton = if shard.is_deep {
            tables.deep_automaton(u64::MAX, &mut hold)
        } else {
            tables.quick_automaton(&mut hold).ok()
        };
        // Another automaton would count other states.
        let automaton = automaton.ok_or(Stop::Memory)?;
        Ok(Task { rounds: &layout, ..task }.run(Searching { shard, automaton, bound }))
    });
    let begun = shard.half.unwrap_or(Half { bound, ..Half::default() });
    let searched = searched.map_err(|(why, _)| why).and_then(|searched| searched);
    let counted = part.counters();
    let (expanded, generated) = (begun.expanded + counted.expanded, begun.generated + counted.generated);
    let Searched { beyond, moves, rest } = searched.unwrap_or_else(|why| Searched {
        beyond: begun.beyond,
        moves: None,
        rest: Some((why, shard.subtrees.clone())),
    });
    let half = Half { bound, beyond, expanded, generated };
    Ok(ShardRound {
        split: shard.name.split,
        number: shard.number,
        bound,
        expanded,
        generated,
        beyond: (beyond != u32::MAX).then_some(beyond),
        moves,
        rest: rest.map(|(why, subtrees)| (why, Box::new(Shard { half: Some(half), subtrees, ..shard.clone() }))),
    })
}

#[derive(Clone, Copy)]
struct Searching<'a> {
    shard: &'a Shard,
    automaton: &'a Automaton,
    bound: u32,
}

struct Searched {
    beyond: u32,
    moves: Option<Moves>,
    rest: Option<(Stop, Subtrees)>,
}

impl SizedSearch for Searching<'_> {
    type End = Searched;

    fn run<M: Mask, const CELLS: usize, const GROUPS: usize>(self, task: Task<'_>) -> Searched {
        let Self { shard, automaton, bound } = self;
        let mut beyond = shard.half.map_or(u32::MAX, |half| half.beyond);
        let places = Places::new(task);
        let mut roots: Vec<Subtree<'_>> = Vec::new();
        let mut left = shard.subtrees.iter();
        let mut descent = Descent::<M, CELLS, GROUPS>::new(task.rounds, automaton, task.control);
        let halted = descent.search(|| {
            let subtree = left.find(|subtree| {
                let length = least_length(task.rounds, subtree);
                if length > bound {
                    beyond = beyond.min(length);
                }
                length <= bound
            })?;
            roots.push(subtree);
            Some(((roots.len() - 1) as u32, places.state(task.rounds, automaton, &subtree, bound)))
        });
        beyond = beyond.min(bound.saturating_add(descent.shortfall));
        if let Some((root, path_back)) = descent.found.take() {
            let mut moves: Vec<Direction> = roots[root as usize].directions().collect();
            moves.extend(places.directions(&moves, path_back.iter().rev()));
            let moves = Moves(moves);
            assert!(task.puzzle.is_solved_by(&moves), "its tables were changed while they were in use");
            return Searched { beyond, moves: Some(moves), rest: None };
        }
        let rest = halted.is_err().then(|| {
            let mut rest = Subtrees::new(shard.subtrees.groups);
            for (root, path_back, estimates) in descent.waiting() {
                let root = &roots[root as usize];
                let mut moves: Vec<Direction> = root.directions().collect();
                moves.extend(places.directions(&moves, path_back.iter().rev()));
                rest.push(&moves, root.seen + path_back.len(), &estimates[..rest.groups]);
            }
            left.for_each(|subtree| rest.copy(&subtree));
            (task.control.stopped().unwrap_or(Stop::Cancelled), rest)
        });
        Searched { beyond, moves: None, rest }
    }
}

/// The least length of a solution through a subtree, as its estimates say.
fn least_length(layout: &Layout<'_>, subtree: &Subtree<'_>) -> u32 {
    subtree.made as u32 + u32::from(layout.sums(subtree.estimates).max().unwrap_or(0))
}

/// Translates between the puzzle's moves and cells of the board in normal form.
struct Places<'a> {
    task: Task<'a>,
    /// The cell of the normal form for each cell of the puzzle.
    normal: Vec<u8>,
}

impl<'a> Places<'a> {
    fn new(task: Task<'a>) -> Self {
        let mut normal = vec![0; task.origins.len()];
        for (cell, &origin) in (0..).zip(task.origins) {
            normal[usize::from(origin)] = cell;
        }
        Self { task, normal }
    }

    /// The blank's cells in the puzzle, from the start on.
    fn path(&self, moves: impl IntoIterator<Item = Direction>) -> impl Iterator<Item = usize> {
        let (puzzle, mut blank) = (self.task.puzzle, self.task.puzzle.start().blank());
        moves.into_iter().map(move |to| {
            blank = puzzle.topology().neighbour(blank, to).expect("paths are checked where shards are read");
            blank
        })
    }

    /// The directions of the blank's further way through cells of the normal form, after some moves.
    fn directions<'b>(&self, before: &[Direction], cells: impl Iterator<Item = &'b u8> + 'b) -> Vec<Direction> {
        let puzzle = self.task.puzzle;
        let mut blank = self.path(before.iter().copied()).last().unwrap_or_else(|| puzzle.start().blank());
        let step = |&cell: &u8| {
            let to = usize::from(self.task.origins[usize::from(cell)]);
            let from = std::mem::replace(&mut blank, to);
            puzzle.topology().direction(from, to).expect("the blank goes from a cell to its neighbour")
        };
        cells.map(step).collect()
    }

    /// The state at the root of a subtree, with as many moves to be made as the bound leaves.
    fn state<M: Mask, const CELLS: usize, const GROUPS: usize>(
        &self,
        layout: &Layout<'_>,
        automaton: &Automaton,
        subtree: &Subtree<'_>,
        bound: u32,
    ) -> State<M, CELLS, GROUPS> {
        let mut board: Cells = *self.task.board;
        let mut blank = self.task.blank;
        let mut seen = None;
        for (at, cell) in self.path(subtree.directions()).enumerate() {
            if at == subtree.made - subtree.seen {
                seen = Some(Automaton::start(blank));
            }
            let to = usize::from(self.normal[cell]);
            board.swap(blank, to);
            blank = to;
            seen = seen.map(|state| {
                let steps = automaton.transitions(state).steps();
                let step = steps.iter().find(|step| usize::from(step.to) == to);
                step.map_or(Automaton::start(to), |step| step.next)
            });
        }
        let mut state = State::new(layout, &board, subtree.estimates, (bound as usize - subtree.made) as u16);
        state.automaton = seen.unwrap_or(Automaton::start(blank));
        state
    }
}
