//! A board's proof in shards, for many machines.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pintu_engine::shards::{ShardsError, begin, extent_of, search, split};
use pintu_search::Stop;
use pintu_solver::{
    internals::shards::{Proof as Inner, ProofError, Shard as Part, ShardRound as Round},
    store::{BuildError, Extent},
};
use pintu_tiles::Moves;
use pyo3::{exceptions::PyTimeoutError, prelude::*, types::PyBytes};

use crate::{
    board::{Board, read_moves},
    errors::{own_error, value_error, whole},
    solve::{all_cores, store},
    watch::{Bounds, interrupted, watched},
};

fn refused(py: Python<'_>, error: &ShardsError) -> PyErr {
    let said = error.to_string();
    match error {
        ShardsError::Shard(_) => own_error(py, "ShardError", (said,)),
        ShardsError::Proof(ProofError::Stopped(stop)) | ShardsError::Build(BuildError::Stopped(stop)) => match stop {
            Stop::Time => PyTimeoutError::new_err(said),
            _ => own_error(py, "PintuError", (said,)),
        },
        _ => value_error(said),
    }
}

/// A search for a board's optimum, between two rounds.
#[pyclass(frozen, module = "pintu")]
pub(crate) struct Proof {
    proof: Mutex<Inner>,
    tables: Option<PathBuf>,
}

#[pymethods]
impl Proof {
    /// Makes the short rounds, on tables that it builds on all cores if they are missing. `known` is a solution: only shorter
    /// ones are looked for. A time limit, here and in `split`, bounds the building of tables, too, and raises `TimeoutError`.
    #[new]
    #[pyo3(signature = (board, known = None, *, extent = None, tables = None, time_limit = None))]
    fn new(
        py: Python<'_>,
        board: &Board,
        known: Option<&str>,
        extent: Option<&str>,
        tables: Option<PathBuf>,
        time_limit: Option<f64>,
    ) -> PyResult<Self> {
        let named = |name: &str| {
            let found = Extent::ALL.into_iter().find(|extent| extent.name() == name);
            found.ok_or_else(|| value_error(format_args!("found the tables `{name}`, expected small or large")))
        };
        let (extent, known) = (extent.map(named).transpose()?, known.map(read_moves).transpose()?);
        let bounds = Bounds { seconds: time_limit, ..Bounds::default() };
        let control = bounds.control().part(bounds.limits()?);
        let place = store(tables.clone());
        let work = || begin(&board.0, extent, known, &place, all_cores(), &control);
        let (proof, raised) = watched(py, &control, None, work)?;
        raised.map_or(Ok(()), Err)?;
        Ok(Self { proof: Mutex::new(proof.map_err(|error| refused(py, &error))?), tables })
    }

    /// The shards of the next round; none if the proof is over.
    #[pyo3(signature = (shards, *, time_limit = None))]
    fn split(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] shards: usize,
        time_limit: Option<f64>,
    ) -> PyResult<Vec<Shard>> {
        let place = store(self.tables.clone());
        let bounds = Bounds { seconds: time_limit, ..Bounds::default() };
        let control = bounds.control().part(bounds.limits()?);
        let work = || split(&mut self.lock(), shards, &place, &control);
        let (made, raised) = watched(py, &control, None, work)?;
        raised.map_or(Ok(()), Err)?;
        Ok(made.map_err(|error| refused(py, &error))?.into_iter().map(Shard).collect())
    }

    /// Takes the results of a round.
    fn merge(&self, py: Python<'_>, rounds: Vec<PyRef<'_, ShardRound>>) -> PyResult<()> {
        let rounds: Vec<Round> = rounds.iter().map(|round| round.0.clone()).collect();
        self.lock().merge(&rounds).map_err(|error| refused(py, &error.into()))
    }

    /// No solution is shorter; the bound of the next round.
    #[getter]
    fn bound(&self) -> u32 {
        self.lock().bound()
    }

    /// Whether the solution is found and proved to be optimal.
    #[getter]
    fn is_over(&self) -> bool {
        self.lock().is_over()
    }

    /// The shortest solution that is known.
    #[getter]
    fn moves(&self) -> Option<String> {
        self.lock().known().moves().map(Moves::to_string)
    }

    #[getter]
    fn expanded(&self) -> u64 {
        self.lock().counters().expanded
    }

    #[getter]
    fn generated(&self) -> u64 {
        self.lock().counters().generated
    }

    /// The most states held at once where the proof is: its frontier. (A shard holds a path.)
    #[getter]
    fn peak_states(&self) -> u64 {
        self.lock().counters().peak_states
    }

    /// The most bytes held at once where the proof is, without tables.
    #[getter]
    fn memory(&self) -> u64 {
        self.lock().counters().peak_bytes
    }

    #[getter]
    fn board(&self) -> Board {
        Board(self.lock().puzzle().clone())
    }

    /// Reads a proof that was kept between two rounds.
    #[staticmethod]
    #[pyo3(signature = (bytes, tables = None))]
    fn from_bytes(py: Python<'_>, bytes: &[u8], tables: Option<PathBuf>) -> PyResult<Self> {
        let proof = Inner::from_bytes(bytes).map_err(|error| refused(py, &error.into()))?;
        Ok(Self { proof: Mutex::new(proof), tables })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock().to_bytes())
    }

    #[expect(clippy::type_complexity, reason = "what pickle asks for")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, Option<PathBuf>))> {
        let read = slf.get_type().getattr("from_bytes")?;
        Ok((read, (slf.get().to_bytes(slf.py()), slf.get().tables.clone())))
    }

    fn __repr__(&self) -> String {
        let proof = self.lock();
        let state = if proof.is_over() { "proved" } else { "going on" };
        format!("<Proof: bound {}, {} states expanded, {state}>", proof.bound(), proof.counters().expanded)
    }
}

impl Proof {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.proof.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of a round, as bytes that any machine can search.
#[pyclass(frozen, eq, module = "pintu")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Shard(Part);

#[pymethods]
impl Shard {
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        Part::from_bytes(bytes).map(Self).map_err(|error| refused(py, &error.into()))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// Its number, from 0.
    #[getter]
    fn number(&self) -> u32 {
        self.0.number().0
    }

    /// How many shards the round has.
    #[getter]
    fn count(&self) -> u32 {
        self.0.number().1
    }

    #[getter]
    fn subtrees(&self) -> usize {
        self.0.subtrees()
    }

    /// The hash that names the tables.
    #[getter]
    fn tables(&self) -> String {
        format!("{:016x}", self.0.tables_name())
    }

    /// Which tables these are, `small` or `large`.
    #[getter]
    fn extent(&self, py: Python<'_>) -> PyResult<&'static str> {
        extent_of(&self.0).map(Extent::name).map_err(|error| refused(py, &error))
    }

    /// The hash that names the split.
    #[getter]
    fn split(&self) -> String {
        format!("{:016x}", self.0.split_name())
    }

    #[getter]
    fn board(&self) -> Board {
        Board(self.0.puzzle().clone())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let read = slf.get_type().getattr("from_bytes")?;
        Ok((read, (slf.get().to_bytes(slf.py()),)))
    }

    fn __repr__(&self) -> String {
        let (number, of) = self.0.number();
        let half = self.0.begun_with().map_or_else(String::new, |bound| format!(", begun with bound {bound}"));
        format!("<Shard {number} of {of}: {} subtrees, split {}{half}>", self.0.subtrees(), self.split())
    }
}

/// What came of a shard.
#[pyclass(frozen, eq, module = "pintu")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ShardRound(Round);

#[pymethods]
impl ShardRound {
    /// The hash that names the split.
    #[getter]
    fn split(&self) -> String {
        format!("{:016x}", self.0.split)
    }

    #[getter]
    fn number(&self) -> u32 {
        self.0.number
    }

    #[getter]
    fn bound(&self) -> u32 {
        self.0.bound
    }

    #[getter]
    fn expanded(&self) -> u64 {
        self.0.expanded
    }

    #[getter]
    fn generated(&self) -> u64 {
        self.0.generated
    }

    /// The least bound at which there is more to search.
    #[getter]
    fn beyond(&self) -> Option<u32> {
        self.0.beyond
    }

    /// A solution as long as the bound.
    #[getter]
    fn moves(&self) -> Option<String> {
        self.0.moves.as_ref().map(Moves::to_string)
    }

    /// Why the search was stopped, if it was.
    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.0.rest.as_ref().map(|(why, _)| why.name())
    }

    /// The rest of a shard whose search was stopped.
    #[getter]
    fn rest(&self) -> Option<Shard> {
        self.0.rest.as_ref().map(|(_, rest)| Shard((**rest).clone()))
    }

    #[expect(clippy::type_complexity, reason = "all fields, for pickle")]
    fn __getstate__(&self) -> (u64, u32, u32, u64, u64, Option<u32>, Option<String>, Option<(String, Vec<u8>)>) {
        let Round { split, number, bound, expanded, generated, beyond, .. } = self.0;
        let rest = self.0.rest.as_ref().map(|(why, rest)| (why.name().to_owned(), rest.to_bytes()));
        (split, number, bound, expanded, generated, beyond, self.moves(), rest)
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "all fields, for pickle")]
    fn _of(
        py: Python<'_>,
        split: u64,
        number: u32,
        bound: u32,
        expanded: u64,
        generated: u64,
        beyond: Option<u32>,
        moves: Option<&str>,
        rest: Option<(String, Vec<u8>)>,
    ) -> PyResult<Self> {
        let moves = moves.map(read_moves).transpose()?;
        let read = |(why, bytes): (String, Vec<u8>)| {
            let stops = [Stop::Nodes, Stop::Time, Stop::Memory, Stop::Cancelled];
            let why = stops.into_iter().find(|stop| stop.name() == why).unwrap_or(Stop::Cancelled);
            let rest = Part::from_bytes(&bytes).map_err(|error| refused(py, &error.into()))?;
            PyResult::Ok((why, Box::new(rest)))
        };
        let rest = rest.map(read).transpose()?;
        Ok(Self(Round { split, number, bound, expanded, generated, beyond, moves, rest }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let of = slf.get_type().getattr("_of")?;
        Ok((of, slf.get().__getstate__().into_pyobject(slf.py())?.into_any()))
    }

    fn __repr__(&self) -> String {
        let end = match (&self.0.moves, &self.0.rest) {
            (Some(moves), _) => format!("solved in {} moves", moves.len()),
            (None, Some((why, _))) => format!("stopped: {}", why.name()),
            (None, None) => "no solution".to_owned(),
        };
        format!("<ShardRound {}: bound {}, {} states expanded, {end}>", self.0.number, self.0.bound, self.0.expanded)
    }
}

/// Searches a shard as far as a bound. A limit or an interrupt leaves the rest in the result.
#[pyfunction]
#[pyo3(signature = (shard, bound, *, tables = None, time_limit = None, node_limit = None, progress = None))]
pub(crate) fn search_shard(
    py: Python<'_>,
    shard: &Shard,
    // No solution is longer.
    #[pyo3(from_py_with = whole)] bound: u16,
    tables: Option<PathBuf>,
    time_limit: Option<f64>,
    #[pyo3(from_py_with = whole)] node_limit: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<ShardRound> {
    let bounds = Bounds { seconds: time_limit, nodes: node_limit, bytes: None };
    let control = bounds.control().part(bounds.limits()?);
    let place = store(tables);
    let (found, raised) = watched(py, &control, progress, || search(&shard.0, bound.into(), &place, &control))?;
    let found = ShardRound(found.map_err(|error| refused(py, &error))?);
    match raised {
        None => Ok(found),
        Some(error) => Err(interrupted(found.into_pyobject(py)?.into_any(), error)),
    }
}
