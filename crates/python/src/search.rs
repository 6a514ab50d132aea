//! Searches of graphs that Python has: by a function from a state to its successors, as nested dictionaries, or as a matrix.

pub(crate) mod matrix;

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    time::Instant,
};

use pintu_search::{
    Backward, Bound as LowerBound, Control, Counters, Fate, Guarantee, Node, Observer, Outcome, Overestimating, Real,
    Space, Stop, Tree, Weight, astar, bfs, bfs_tree, bidirectional, bidirectional_dijkstra, dfs, dfs_tree, dijkstra,
    distances, greedy, ida, ida_with_table, iddfs, weighted_astar,
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict, PyString, PyTuple},
};

use crate::{
    errors::{value_error, without_panic},
    watch::{Bounds, TICK, finish, look},
};

/// How a graph is to be searched.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    algorithm: String,
    weight: f64,
    max_depth: Option<u32>,
    /// Whether the heuristic may overestimate.
    inadmissible: bool,
    time_limit: Option<f64>,
    node_limit: Option<u64>,
    memory_limit: Option<u64>,
    /// Events to be recorded.
    events: Option<usize>,
}

impl Options {
    fn control(&self) -> PyResult<Control> {
        let &Self { time_limit, node_limit, memory_limit, .. } = self;
        let bounds = Bounds { seconds: time_limit, nodes: node_limit, bytes: memory_limit };
        Ok(bounds.control().part(bounds.limits()?))
    }
}

/// A search that is over: states by their numbers.
struct Found {
    status: &'static str,
    reason: Option<&'static str>,
    path: Vec<u32>,
    /// Where `path` has all states that were reached: what each costs, and where the one before it stands.
    reached: Option<(Vec<f64>, Vec<Option<usize>>)>,
    cost: Option<f64>,
    guarantee: &'static str,
    lower_bound: Option<f64>,
    overestimate: Option<Overestimate>,
    counters: Counters,
    events: Events,
}

/// Where on the path the heuristic estimates more than is left: the place, the estimate, and what is left.
type Overestimate = (usize, f64, f64);

impl Found {
    fn new(counters: Counters, events: Events) -> Self {
        Self {
            status: "unreachable",
            reason: None,
            path: Vec::new(),
            reached: None,
            cost: None,
            guarantee: "none",
            lower_bound: None,
            overestimate: None,
            counters,
            events,
        }
    }

    /// Python raised an exception after this number of expansions: successors were missing from then on, so only states that
    /// were expanded until then are sure to be reached by a cheapest path.
    fn cut_off(&mut self, expanded: usize) {
        (self.status, self.reason) = ("limit", Some(Stop::Cancelled.name()));
        (self.cost, self.guarantee, self.lower_bound, self.overestimate) = (None, "none", None, None);
        let sure = if self.reached.is_some() { expanded } else { 0 };
        self.path.truncate(sure);
        if let Some((costs, parents)) = &mut self.reached {
            costs.truncate(expanded);
            parents.truncate(expanded);
        }
    }

    /// A tuple of what is the same for all kinds of graphs; the path is still to be made of states.
    fn to_tuple<'py>(&self, py: Python<'py>, path: Bound<'py, PyAny>, seconds: f64) -> PyResult<Bound<'py, PyAny>> {
        let Counters { expanded, generated, peak_states, .. } = self.counters;
        let outcome = (self.status, self.reason, self.cost, self.guarantee, self.lower_bound, self.overestimate);
        let events = self.events.to_python(py);
        let counts = (expanded, generated, peak_states, seconds);
        Ok((path, outcome, counts, events, self.reached.clone()).into_pyobject(py)?.into_any())
    }
}

/// All states that a search reaches.
fn reach<S>(space: &S, start: u32, control: &Control, mut events: Events) -> Found
where
    S: Space<State = u32, Action = (u32, Real), Cost = Real>,
{
    let reached = distances(space, &start, (control, &mut events));
    let path: Vec<u32> = reached.iter().map(|(state, _)| *state).collect();
    let places: HashMap<u32, usize> = path.iter().copied().zip(0..).collect();
    let costs = reached.iter().map(|(_, cost)| cost.get()).collect();
    let parents = path.iter().map(|state| reached.parent(state).map(|parent| places[parent])).collect();
    Found {
        status: if reached.stopped().is_some() { "limit" } else { "found" },
        reason: reached.stopped().map(Stop::name),
        path,
        reached: Some((costs, parents)),
        cost: None,
        guarantee: "cheapest",
        lower_bound: None,
        overestimate: None,
        counters: reached.counters(),
        events,
    }
}

/// Runs an algorithm by its name. States are numbers.
fn run<S, H>(options: &Options, space: &S, start: u32, heuristic: H, control: &Control) -> PyResult<Found>
where
    S: Backward<State = u32, Action = (u32, Real), Cost = Real>,
    H: Fn(&u32) -> Option<Real> + Copy,
{
    let depth = options.max_depth.unwrap_or(u32::MAX);
    let mut events = Events::new(options.events);
    let watched = (control, &mut events);
    let report = match options.algorithm.as_str() {
        "bfs" => bfs(space, &start, watched),
        "bfs-tree" => bfs_tree(space, &start, watched),
        "dfs" => dfs(space, &start, depth, watched),
        "dfs-tree" => dfs_tree(space, &start, depth, watched),
        "iddfs" => iddfs(space, &start, watched),
        "distances" => return Ok(reach(space, start, control, events)),
        "dijkstra" => dijkstra(space, &start, watched),
        "bidirectional" => bidirectional(space, &start, watched),
        "bidirectional-dijkstra" => bidirectional_dijkstra(space, &start, watched),
        "greedy" => greedy(space, &start, heuristic, watched),
        "astar" if options.inadmissible => astar(space, &start, Overestimating(heuristic), watched),
        "astar" => astar(space, &start, heuristic, watched),
        "wastar" => {
            let weight = Weight::new(options.weight).map_err(value_error)?;
            weighted_astar(space, &start, heuristic, weight, watched)
        }
        "ida" => ida(space, &start, heuristic, watched),
        "ida-table" => ida_with_table(space, &start, heuristic, watched),
        other => return Err(value_error(format_args!("found the algorithm `{other}`, expected one of pintu.search"))),
    };
    let bound = |bound: LowerBound<Real>| match bound {
        LowerBound::Cost(cost) => cost.get(),
        LowerBound::Steps(steps) => steps as f64,
    };
    let mut found = Found::new(report.counters, events);
    match report.outcome {
        Outcome::Solved(solution) => {
            found.status = "found";
            found.cost = Some(solution.cost.get());
            found.guarantee = match solution.guarantee {
                Guarantee::Cheapest => "cheapest",
                Guarantee::Shortest => "shortest",
                Guarantee::Within { .. } => "within",
                _ => "none",
            };
            // The search's own bound leaves room for rounding.
            let is_cheapest = found.guarantee == "cheapest";
            found.lower_bound = if is_cheapest { found.cost } else { solution.lower_bound.map(bound) };
            if ["astar", "wastar", "ida", "ida-table"].contains(&options.algorithm.as_str()) && !options.inadmissible {
                found.overestimate =
                    overestimate(solution.path.start, &solution.path.actions, solution.cost.get(), heuristic);
            }
            if found.overestimate.is_some() {
                (found.guarantee, found.lower_bound) = ("none", None);
            }
            found.path.push(solution.path.start);
            found.path.extend(solution.path.actions.iter().map(|&(state, _)| state));
        }
        Outcome::NoSolution => {}
        Outcome::Stopped { why, lower_bound } => {
            found.status = "limit";
            found.reason = Some(why.name());
            found.lower_bound = lower_bound.map(bound);
        }
    }
    Ok(found)
}

/// Looks for an overestimate at the states before the goal, of which the search knows the estimates.
fn overestimate<H>(start: u32, actions: &[(u32, Real)], cost: f64, heuristic: H) -> Option<Overestimate>
where
    H: Fn(&u32) -> Option<Real>,
{
    let rounding = 1e-9 * cost;
    let (mut state, mut left) = (start, cost);
    for (place, &(next, step)) in actions.iter().enumerate() {
        let estimate = heuristic(&state).map_or(f64::INFINITY, Real::get);
        if estimate > left + rounding {
            return Some((place, estimate, left));
        }
        left -= step.get();
        state = next;
    }
    None
}

/// Events of a search, in the arrays and with the codes that docs/traces.md describes. States are numbers of the graph.
struct Events {
    most: usize,
    is_cut: bool,
    what: Vec<u8>,
    node: Vec<u32>,
    parent: Vec<u32>,
    paid: Vec<f64>,
    left: Vec<f64>,
    /// The graph's number of each state that the search has numbered, from the start and from the goal.
    states: [Vec<u32>; 2],
}

const NO_NODE: u32 = u32::MAX;

impl Events {
    fn new(most: Option<usize>) -> Self {
        Self {
            most: most.unwrap_or(0),
            is_cut: false,
            what: Vec::new(),
            node: Vec::new(),
            parent: Vec::new(),
            paid: Vec::new(),
            left: Vec::new(),
            states: Default::default(),
        }
    }

    fn push(&mut self, what: u8, node: &Node<'_, u32, Real>) {
        if self.what.len() >= self.most {
            self.is_cut = true;
            return;
        }
        self.what.push(what);
        self.node.push(*node.state);
        let states = &mut self.states[usize::from(node.tree == Tree::Backward)];
        let parent = node.parent.and_then(|id| states.get(id as usize).copied());
        self.parent.push(parent.unwrap_or(NO_NODE));
        self.paid.push(node.cost.get());
        self.left.push(node.estimate.map_or(f64::INFINITY, Real::get));
        let id = node.id as usize;
        if states.len() <= id {
            states.resize(id + 1, NO_NODE);
        }
        states[id] = *node.state;
    }

    fn to_python<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        if self.most == 0 {
            return None;
        }
        let floats = |all: &[f64]| PyBytes::new(py, &all.iter().flat_map(|one| one.to_le_bytes()).collect::<Vec<_>>());
        let numbers = |all: &[u32]| PyBytes::new(py, &all.iter().flat_map(|one| one.to_le_bytes()).collect::<Vec<_>>());
        let arrays = (
            PyBytes::new(py, &self.what),
            numbers(&self.node),
            numbers(&self.parent),
            floats(&self.paid),
            floats(&self.left),
            self.is_cut,
        );
        arrays.into_pyobject(py).ok().map(Bound::into_any)
    }
}

impl Observer<u32, Real> for Events {
    fn watches(&self) -> bool {
        self.most > 0
    }

    fn expand(&mut self, node: &Node<'_, u32, Real>, _: &Counters) -> Result<(), Stop> {
        self.push(0, node);
        Ok(())
    }

    fn generate(&mut self, node: &Node<'_, u32, Real>, fate: Fate, _: &Counters) -> Result<(), Stop> {
        self.push(code_of(fate), node);
        Ok(())
    }
}

fn code_of(fate: Fate) -> u8 {
    match fate {
        Fate::New => 1,
        Fate::Known => 2,
        Fate::Cheaper => 3,
        Fate::Reopened => 4,
        Fate::Cut => 5,
        Fate::DeadEnd => 6,
        _ => 7,
    }
}

/// Searches a graph that is a function from a state to its successors, or nested dictionaries (those of `NetworkX`).
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "what a search needs; the package's functions have names for them")]
#[pyo3(signature = (successors, start, goal, goal_test, heuristic, options, edge_weight = None, multigraph = false, predecessors = None, progress = None))]
pub(crate) fn search_calls<'py>(
    py: Python<'py>,
    successors: Bound<'py, PyAny>,
    start: &Bound<'py, PyAny>,
    goal: Option<&Bound<'py, PyAny>>,
    goal_test: Option<Bound<'py, PyAny>>,
    heuristic: Option<Bound<'py, PyAny>>,
    options: Options,
    edge_weight: Option<Bound<'py, PyString>>,
    multigraph: bool,
    predecessors: Option<Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let control = options.control()?;
    let edges = |of: Bound<'py, PyAny>| match of.cast::<PyDict>() {
        Ok(dict) => Edges::Dictionaries { all: dict.clone(), weight: edge_weight.clone(), multigraph },
        Err(_) => Edges::Function(of),
    };
    let calls = Calls {
        py,
        graph: edges(successors),
        reversed: predecessors.map(edges),
        goal: Cell::new(NO_NODE),
        goal_test,
        heuristic,
        numbers: PyDict::new(py),
        states: RefCell::default(),
        estimates: RefCell::default(),
        raised: RefCell::new(None),
        asked: Cell::new(0),
        looked: Cell::new(Instant::now()),
        progress: RefCell::new(progress),
        expanded: Cell::new(0),
        control: control.clone(),
    };
    let start = calls.number(start)?;
    if let Some(goal) = goal {
        calls.goal.set(calls.number(goal)?);
    }
    let estimate = |state: &u32| calls.estimate(*state);
    let ended = without_panic(py, || run(&options, &calls, start, estimate, &control)).flatten();
    let raised = calls.raised.take();
    let found = match (ended, &raised) {
        (ended, None) => ended?,
        (Ok(mut found), Some(_)) => {
            found.cut_off(calls.expanded.get());
            found
        }
        // A path is made of states whose successors are asked for again, which is no use after an exception.
        (Err(_), Some(_)) => {
            let mut found = Found::new(control.counters(), Events::new(options.events));
            found.cut_off(0);
            found
        }
    };
    let states = calls.states.borrow();
    let path = PyTuple::new(py, found.path.iter().map(|&state| &states[state as usize]))?;
    // The states that events speak of, by their numbers.
    let all = if found.events.most > 0 { Some(PyTuple::new(py, states.iter())?) } else { None };
    let found = found.to_tuple(py, path.into_any(), control.elapsed().as_secs_f64())?;
    finish((found, all).into_pyobject(py)?.into_any(), raised)
}

enum Edges<'py> {
    Function(Bound<'py, PyAny>),
    /// Of each node, its neighbours with the attributes of the edge, or of all parallel ones.
    Dictionaries {
        all: Bound<'py, PyDict>,
        weight: Option<Bound<'py, PyString>>,
        multigraph: bool,
    },
}

/// A space whose states are Python objects, numbered in the order in which they were first seen. An exception cancels the
/// search, and nothing is asked any more.
struct Calls<'py> {
    py: Python<'py>,
    graph: Edges<'py>,
    /// The edges that lead to a state, for searches from both ends.
    reversed: Option<Edges<'py>>,
    goal: Cell<u32>,
    goal_test: Option<Bound<'py, PyAny>>,
    heuristic: Option<Bound<'py, PyAny>>,
    numbers: Bound<'py, PyDict>,
    states: RefCell<Vec<Bound<'py, PyAny>>>,
    /// What the heuristic said of each state, so that it is asked once: not a number where it was not asked.
    estimates: RefCell<Vec<f64>>,
    raised: RefCell<Option<PyErr>>,
    asked: Cell<u32>,
    looked: Cell<Instant>,
    progress: RefCell<Option<Py<PyAny>>>,
    expanded: Cell<usize>,
    control: Control,
}

/// States, expanded or generated, between two checks for signals where no progress is told.
const STATES_A_LOOK: u32 = 1024;

impl<'py> Calls<'py> {
    fn number(&self, state: &Bound<'py, PyAny>) -> PyResult<u32> {
        if let Some(number) = self.numbers.get_item(state)? {
            return number.extract();
        }
        let mut states = self.states.borrow_mut();
        let number = states.len() as u32;
        self.numbers.set_item(state, number)?;
        states.push(state.clone());
        Ok(number)
    }

    /// Calls Python, unless it has raised an exception before.
    fn ask<T: Default>(&self, call: impl FnOnce() -> PyResult<T>) -> T {
        if self.raised.borrow().is_some() {
            return T::default();
        }
        call().unwrap_or_else(|error| {
            self.control.cancel();
            self.raised.replace(Some(error));
            T::default()
        })
    }

    fn state(&self, number: u32) -> Bound<'py, PyAny> {
        self.states.borrow()[number as usize].clone()
    }

    /// Listens to signals and tells progress now and then.
    fn look(&self) -> PyResult<()> {
        self.asked.set(self.asked.get().wrapping_add(1));
        let mut progress = self.progress.borrow_mut();
        let is_due = match *progress {
            Some(_) => self.looked.get().elapsed() >= TICK,
            None => self.asked.get().is_multiple_of(STATES_A_LOOK),
        };
        if is_due {
            self.looked.set(Instant::now());
            look(self.py, &self.control, &mut progress)?;
        }
        Ok(())
    }

    fn neighbours(&self, edges: &Edges<'py>, number: u32) -> PyResult<Vec<(u32, Real)>> {
        self.look()?;
        self.expanded.set(self.expanded.get() + 1);
        let state = self.state(number);
        match edges {
            Edges::Function(function) => {
                let mut found = Vec::new();
                for item in function.call1((state,))?.try_iter()? {
                    // A function may have successors without end.
                    self.look()?;
                    found.push(self.successor(&item?)?);
                }
                Ok(found)
            }
            Edges::Dictionaries { all, weight, multigraph } => {
                let Some(edges) = all.get_item(&state)? else { return Ok(Vec::new()) };
                let mut found = Vec::new();
                for (to, attributes) in edges.cast::<PyDict>()?.iter() {
                    let attributes = attributes.cast::<PyDict>()?;
                    let cost = match multigraph {
                        false => edge_cost(attributes, weight.as_ref())?,
                        true => cheapest(attributes, weight.as_ref())?,
                    };
                    found.push((self.number(&to)?, cost));
                }
                Ok(found)
            }
        }
    }

    /// A pair of a state and a cost.
    fn successor(&self, item: &Bound<'py, PyAny>) -> PyResult<(u32, Real)> {
        let pair = item
            .cast::<PyTuple>()
            .map_err(|_| value_error("found a successor that is no tuple, expected (state, cost)"))?;
        if pair.len() != 2 {
            return Err(value_error(format_args!("found a successor of {} items, expected (state, cost)", pair.len())));
        }
        let cost: f64 = pair.get_item(1)?.extract()?;
        Ok((self.number(&pair.get_item(0)?)?, Real::try_from(cost).map_err(value_error)?))
    }

    fn estimate(&self, number: u32) -> Option<Real> {
        let Some(heuristic) = &self.heuristic else { return Real::new(0.0) };
        let known = self.estimates.borrow().get(number as usize).copied().unwrap_or(f64::NAN);
        let estimate = if known.is_nan() {
            let said = self.ask(|| {
                let said = heuristic.call1((self.state(number),))?.extract::<f64>()?;
                let is_estimate = said >= 0.0;
                is_estimate
                    .then_some(said)
                    .ok_or_else(|| value_error(format_args!("found the estimate {said}, expected 0 or more")))
            });
            let mut estimates = self.estimates.borrow_mut();
            if estimates.len() <= number as usize {
                estimates.resize(number as usize + 1, f64::NAN);
            }
            estimates[number as usize] = said;
            said
        } else {
            known
        };
        // An infinite estimate is a dead end.
        Real::new(estimate)
    }
}

impl Space for Calls<'_> {
    type State = u32;
    type Action = (u32, Real);
    type Cost = Real;

    fn actions(&self, state: &u32) -> impl Iterator<Item = (u32, Real)> {
        self.ask(|| self.neighbours(&self.graph, *state)).into_iter()
    }

    fn apply(&self, state: &mut u32, action: &(u32, Real)) -> Real {
        *state = action.0;
        action.1
    }

    fn is_goal(&self, state: &u32) -> bool {
        match &self.goal_test {
            None => *state == self.goal.get() && self.raised.borrow().is_none(),
            Some(test) => self.ask(|| test.call1((self.state(*state),))?.is_truthy()),
        }
    }
}

impl Backward for Calls<'_> {
    fn goals(&self) -> impl Iterator<Item = u32> {
        Some(self.goal.get()).filter(|&goal| goal != NO_NODE).into_iter()
    }

    fn origins(&self, state: &u32) -> impl Iterator<Item = (u32, Real)> {
        let found = self.reversed.as_ref().map(|edges| self.ask(|| self.neighbours(edges, *state)));
        found.unwrap_or_default().into_iter()
    }
}

fn edge_cost(attributes: &Bound<'_, PyDict>, weight: Option<&Bound<'_, PyString>>) -> PyResult<Real> {
    let found = weight.map(|name| attributes.get_item(name)).transpose()?.flatten();
    let cost = found.map_or(Ok(1.0), |cost| cost.extract::<f64>())?;
    Real::try_from(cost).map_err(value_error)
}

/// The cheapest of parallel edges.
fn cheapest(edges: &Bound<'_, PyDict>, weight: Option<&Bound<'_, PyString>>) -> PyResult<Real> {
    let costs = edges.values().iter().map(|one| edge_cost(one.cast::<PyDict>()?, weight));
    let costs = costs.collect::<PyResult<Vec<Real>>>()?;
    costs.into_iter().min().ok_or_else(|| value_error("found a multigraph's edge without attributes"))
}

/// Whether an algorithm expands no state very often, so that a small graph or map takes a short time.
pub(crate) fn visits_once(algorithm: &str) -> bool {
    !["bfs-tree", "dfs-tree", "iddfs", "ida", "ida-table"].contains(&algorithm)
}
