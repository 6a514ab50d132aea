//! Searches of graphs that are sparse matrices.

use pintu_search::{Backward, Real, Space};
use pyo3::prelude::*;

use super::{Options, run, visits_once};
use crate::{
    errors::{value_error, whole, without_panic},
    watch::{finish, watched},
};

/// Searches a graph that is a sparse matrix, row by row: where each row begins, columns, and costs. The lock is released.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arrays of a sparse matrix are three")]
#[pyo3(signature = (rows, columns, costs, start, goals, estimates, options, progress = None))]
pub(crate) fn search_matrix<'py>(
    py: Python<'py>,
    rows: &[u8],
    columns: &[u8],
    costs: &[u8],
    #[pyo3(from_py_with = whole)] start: u32,
    #[pyo3(from_py_with = whole)] goals: Vec<u32>,
    estimates: Option<Vec<u8>>,
    options: Options,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let control = options.control()?;
    let mut matrix = Matrix::new(rows, columns, costs, &goals)?;
    if options.algorithm.starts_with("bidirectional") {
        matrix.turn_round();
    }
    let nodes = matrix.goals.len();
    if let Some(node) = goals.iter().chain([&start]).find(|&&node| node as usize >= nodes) {
        return Err(value_error(format_args!("found node {node}, expected one below {nodes}")));
    }
    let estimates: Option<Vec<f64>> = estimates.map(|bytes| floats(&bytes));
    if let Some(estimates) = &estimates
        && (estimates.len() != nodes || estimates.iter().any(|&one| one.is_nan() || one < 0.0))
    {
        return Err(value_error(format_args!("found no {nodes} estimates of 0 or more")));
    }
    let estimate = |node: &u32| match &estimates {
        Some(estimates) => Real::new(estimates[*node as usize]),
        None => Real::new(0.0),
    };
    let work = || run(&options, &matrix, start, estimate, &control);
    let is_soon = matrix.edges.len() < SOON_EDGES && visits_once(&options.algorithm);
    let (found, raised) = if is_soon && progress.is_none() {
        (without_panic(py, || py.detach(work))?, None)
    } else {
        watched(py, &control, progress, work)?
    };
    let found = found?;
    let path = found.path.clone().into_pyobject(py)?.into_any();
    let found = found.to_tuple(py, path, control.elapsed().as_secs_f64())?;
    finish((found, py.None()).into_pyobject(py)?.into_any(), raised)
}

/// Graphs of fewer edges are searched at once, without a thread that listens to signals.
const SOON_EDGES: usize = 1 << 18;

struct Matrix {
    rows: Vec<u32>,
    edges: Vec<(u32, Real)>,
    goals: Vec<bool>,
    /// The edges that lead to each node, for searches from both ends.
    origins: Vec<Vec<(u32, Real)>>,
}

impl Matrix {
    fn new(rows: &[u8], columns: &[u8], costs: &[u8], goals: &[u32]) -> PyResult<Self> {
        let rows = numbers(rows);
        let nodes = rows.len().saturating_sub(1);
        let cost = |(column, cost): (u32, f64)| {
            let is_node = (column as usize) < nodes;
            let cost = Real::try_from(cost).map_err(value_error)?;
            is_node.then_some((column, cost)).ok_or_else(|| value_error("found an edge to a node that is not there"))
        };
        let edges = numbers(columns).into_iter().zip(floats(costs)).map(cost).collect::<PyResult<Vec<_>>>()?;
        let is_ascending = rows.is_sorted() && rows.last().is_some_and(|&last| last as usize == edges.len());
        if !is_ascending {
            return Err(value_error("found rows of a sparse matrix that do not fit its edges"));
        }
        let mut is_goal = vec![false; nodes];
        for &goal in goals {
            if let Some(slot) = is_goal.get_mut(goal as usize) {
                *slot = true;
            }
        }
        Ok(Self { rows, edges, goals: is_goal, origins: Vec::new() })
    }

    fn turn_round(&mut self) {
        let mut origins = vec![Vec::new(); self.goals.len()];
        for (from, range) in (0..).zip(self.rows.windows(2)) {
            for &(to, cost) in &self.edges[range[0] as usize..range[1] as usize] {
                origins[to as usize].push((from, cost));
            }
        }
        self.origins = origins;
    }
}

impl Space for Matrix {
    type State = u32;
    type Action = (u32, Real);
    type Cost = Real;

    fn actions(&self, state: &u32) -> impl Iterator<Item = (u32, Real)> {
        let [first, end] = [0, 1].map(|more| self.rows[*state as usize + more] as usize);
        self.edges[first..end].iter().copied()
    }

    fn apply(&self, state: &mut u32, action: &(u32, Real)) -> Real {
        *state = action.0;
        action.1
    }

    fn is_goal(&self, state: &u32) -> bool {
        self.goals[*state as usize]
    }
}

impl Backward for Matrix {
    fn goals(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.goals).filter(|(_, is_goal)| **is_goal).map(|(node, _)| node)
    }

    fn origins(&self, state: &u32) -> impl Iterator<Item = (u32, Real)> {
        self.origins[*state as usize].iter().copied()
    }
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|&chunk| u32::from_le_bytes(chunk)).collect()
}

fn floats(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|&chunk| f64::from_le_bytes(chunk)).collect()
}
