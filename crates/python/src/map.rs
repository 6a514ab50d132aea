//! Maps and paths on them.

use std::{
    num::NonZeroU64,
    sync::{Mutex, PoisonError},
};

use pintu_engine::{
    Progress,
    path::{
        MapOrGraph, PathAlgorithm, PathError, PathRequest, Reading, distances, find_path, find_path_traced,
        run_scenarios,
    },
    trace::{EventBudget, Form},
};
use pintu_grid::{
    Cell, Diagonal, Format, Heuristic, Length, Map as Grid, Scenario, Scratch, SymbolCost, Terrain, TerrainKind,
    Toward, draw,
};
use pintu_search::Weight;
use pyo3::{prelude::*, types::PyBytes};

use crate::{
    board::json,
    errors::{own_error, value_error, whole},
    search::visits_once,
    watch::{Bounds, finish, watched},
};

/// A map, prepared for searches.
#[pyclass(frozen, module = "pintu._pintu", name = "Map")]
pub(crate) struct Map {
    terrain: Terrain,
    grid: Grid,
    /// Memory of searches that are over, for the next one.
    scratches: Mutex<Vec<Scratch>>,
}

/// Maps of fewer cells are searched at once, without a thread that listens to signals.
const SOON_CELLS: u64 = 1 << 16;

/// How a path is to be looked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    algorithm: String,
    heuristic: Option<String>,
    weight: Option<f64>,
    nearest: bool,
    inadmissible: bool,
    time_limit: Option<f64>,
    node_limit: Option<u64>,
    memory_limit: Option<u64>,
}

impl Options {
    fn bounds(&self) -> Bounds {
        let &Self { time_limit, node_limit, memory_limit, .. } = self;
        Bounds { seconds: time_limit, nodes: node_limit, bytes: memory_limit }
    }

    fn request(&self) -> PyResult<PathRequest> {
        let algorithm: PathAlgorithm = self.algorithm.parse().map_err(value_error)?;
        let heuristic = self.heuristic.as_deref().map(str::parse::<Heuristic>).transpose().map_err(value_error)?;
        Ok(PathRequest {
            heuristic,
            weight: self.weight.map(Weight::new).transpose().map_err(value_error)?,
            nearest: self.nearest,
            inadmissible: self.inadmissible,
            limits: self.bounds().limits()?,
            ..PathRequest::new(algorithm)
        })
    }
}

fn refused(py: Python<'_>, error: &PathError) -> PyErr {
    match error {
        PathError::Stopped(_) => own_error(py, "PintuError", (error.to_string(),)),
        _ => value_error(error),
    }
}

#[pymethods]
impl Map {
    /// Reads a text in one of the map formats.
    #[staticmethod]
    #[pyo3(signature = (text, format = None, diagonal = None, costs = Vec::new()))]
    fn from_text(text: &str, format: Option<&str>, diagonal: Option<&str>, costs: Vec<String>) -> PyResult<Self> {
        let costs = costs.iter().map(|one| one.parse::<SymbolCost>().map_err(value_error)).collect::<PyResult<_>>()?;
        let reading = Reading {
            format: format.map(str::parse).transpose().map_err(value_error)?,
            diagonal: diagonal.map(str::parse).transpose().map_err(value_error)?,
            costs,
            directed: false,
        };
        match reading.read(text).map_err(value_error)? {
            MapOrGraph::Map { terrain, map } => Ok(Self { terrain, grid: *map, scratches: Mutex::default() }),
            MapOrGraph::Graph(_) => Err(value_error("found a graph, expected a map")),
        }
    }

    /// A map of what its cells cost to enter: 64-bit whole numbers row by row, those below 1 are blocked.
    #[staticmethod]
    fn from_costs(costs: &[u8], rows: u32, cols: u32, diagonal: &str) -> PyResult<Self> {
        let (costs, rest) = costs.as_chunks::<8>();
        if !rest.is_empty() || costs.len() as u64 != u64::from(rows) * u64::from(cols) {
            return Err(value_error("found another number of costs than cells"));
        }
        let kind = |cell: Cell| {
            let cost = i64::from_le_bytes(costs[(cell.row * cols + cell.col) as usize]);
            let positive = u64::try_from(cost).ok().and_then(NonZeroU64::new);
            positive.map_or(TerrainKind::Blocked, TerrainKind::Land)
        };
        let terrain = Terrain::from_fn(rows, cols, kind).map_err(value_error)?;
        let diagonal: Diagonal = diagonal.parse().map_err(value_error)?;
        Ok(Self { grid: Grid::new(&terrain, diagonal), terrain, scratches: Mutex::default() })
    }

    #[getter]
    fn rows(&self) -> u32 {
        self.grid.rows()
    }

    #[getter]
    fn cols(&self) -> u32 {
        self.grid.cols()
    }

    #[getter]
    fn diagonal(&self) -> String {
        self.grid.diagonal().to_string()
    }

    #[getter]
    fn is_octile(&self) -> bool {
        self.terrain.format() == Format::Octile
    }

    /// Where the map says that a path begins.
    #[getter]
    fn start(&self) -> Option<(u32, u32)> {
        self.terrain.start.map(|cell| (cell.row, cell.col))
    }

    /// Where the map says that a path ends.
    #[getter]
    fn goals(&self) -> Vec<(u32, u32)> {
        self.terrain.goals.iter().map(|cell| (cell.row, cell.col)).collect()
    }

    /// What each cell costs to enter, as 64-bit whole numbers row by row, 0 for blocked ones.
    fn costs<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let cost = |cell| self.terrain.kind(cell).cost().map_or(0, NonZeroU64::get);
        let bytes: Vec<u8> = self.cells().flat_map(|cell| cost(cell).to_le_bytes()).collect();
        PyBytes::new(py, &bytes)
    }

    /// A path to the nearest of some cells: the answer as JSON, and the recording if `events` are to be recorded.
    #[pyo3(signature = (start, goals, options, events = None, progress = None))]
    fn path<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] start: (u32, u32),
        #[pyo3(from_py_with = whole)] goals: Vec<(u32, u32)>,
        options: Options,
        #[pyo3(from_py_with = whole)] events: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = options.request()?;
        let is_quick = visits_once(&options.algorithm);
        let (from, to) = (cell_of(start), goals.into_iter().map(cell_of).collect::<Vec<Cell>>());
        let control = options.bounds().control();
        let work = || -> Result<(String, Option<Vec<u8>>), PathError> {
            let Some(events) = events else {
                let mut scratch = self.scratch();
                let answer = find_path(&self.grid, from, &to, &request, &mut scratch, &control);
                self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
                return Ok((serde_json::to_string(&answer?).unwrap_or_default(), None));
            };
            let budget = EventBudget::new(events, Form::Packed);
            let traced = find_path_traced(&self.grid, from, &to, &request, &control, &budget)?;
            let mut bytes = Vec::new();
            let _ = traced.write(Form::Packed, &mut bytes);
            Ok((serde_json::to_string(&traced.answer).unwrap_or_default(), Some(bytes)))
        };
        let is_small = u64::from(self.rows()) * u64::from(self.cols()) < SOON_CELLS;
        let is_soon = is_small && is_quick && progress.is_none();
        let (found, raised) = if is_soon {
            (crate::errors::without_panic(py, || py.detach(work))?, None)
        } else {
            watched(py, &control, progress, work)?
        };
        let (answer, trace) = found.map_err(|error| refused(py, &error))?;
        let trace = trace.map(|bytes| PyBytes::new(py, &bytes));
        finish((answer, trace).into_pyobject(py)?.into_any(), raised)
    }

    /// How far every cell is from one of them, or it from every cell: 64-bit floating-point numbers row by row.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] cell: (u32, u32),
        toward: bool,
        options: Options,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (request, control) = (options.request()?, options.bounds().control());
        let toward = if toward { Toward::Cell } else { Toward::Others };
        let work = || {
            let found = distances(&self.grid, cell_of(cell), toward, &request, &control)?;
            let length = |cell| found.length(cell).map_or(f64::INFINITY, Length::value);
            Ok::<Vec<u8>, PathError>(self.cells().flat_map(|cell| length(cell).to_le_bytes()).collect())
        };
        match watched(py, &control, None, work)? {
            // A search that an interrupt has cancelled has an error, too: the interrupt is raised.
            (_, Some(raised)) => Err(raised),
            (found, None) => Ok(PyBytes::new(py, &found.map_err(|error| refused(py, &error))?)),
        }
    }

    /// Every query of a scenario file, checked against its length on record: a summary as JSON.
    #[pyo3(signature = (text, options, threads, progress = None))]
    fn scenarios<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        options: Options,
        #[pyo3(from_py_with = whole)] threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let queries = Scenario::read_all(text).map_err(value_error)?;
        let (request, control) = (options.request()?, options.bounds().control());
        let work = || run_scenarios(&self.grid, &queries, &request, threads, &control, &Progress::default());
        let (found, raised) = watched(py, &control, progress, work)?;
        let summary = json(&found.map_err(|error| refused(py, &error))?)?;
        finish(summary.into_pyobject(py)?.into_any(), raised)
    }

    /// The map as a text, with a path drawn into it.
    fn draw(&self, #[pyo3(from_py_with = whole)] path: Vec<(u32, u32)>) -> String {
        draw(&self.terrain, &path.into_iter().map(cell_of).collect::<Vec<_>>())
    }
}

impl Map {
    fn scratch(&self) -> Scratch {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        let (rows, cols) = (self.grid.rows(), self.grid.cols());
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Cell::new(row, col)))
    }
}

fn cell_of((row, col): (u32, u32)) -> Cell {
    Cell::new(row, col)
}
