//! Boards solved: one, many, or side by side.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
    time::Instant,
};

use pintu_engine::{
    Algorithm, Answer, Contestant, Progress, Request, RequestError, compare as compare_side_by_side,
    device::Device,
    device::run_batch_on_gpu,
    run_batch, solve as solve_request, solve_traced,
    tables::{Key, Store},
    trace::{EventBudget, Form},
};
use pintu_search::{Control, Weight};
use pintu_solver::store::Extent;
use pyo3::{
    prelude::*,
    types::{PyBytes, PyCFunction, PyDict, PyString, PyTuple},
};
use serde_json::Value;

use crate::{
    board::Board,
    errors::{own_error, panic_error, value_error, whole},
    search::visits_once,
    watch::{Bounds, finish, watched},
};

/// Boards of at most this many cells are solved without a thread that listens to signals: that takes milliseconds.
const SOON_CELLS: usize = 9;

/// The table store of the user, or the one of a directory; each is opened once.
pub(crate) fn store(dir: Option<PathBuf>) -> Store {
    static USER: OnceLock<Store> = OnceLock::new();
    static NAMED: OnceLock<Mutex<HashMap<PathBuf, Store>>> = OnceLock::new();
    let Some(dir) = dir else { return USER.get_or_init(Store::of_user).clone() };
    let mut named = NAMED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    named.entry(dir).or_insert_with_key(|dir| Store::at(dir.clone())).clone()
}

pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// How boards are to be solved.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    algorithm: String,
    heuristic: Option<String>,
    weight: Option<f64>,
    max_depth: Option<u32>,
    time_limit: Option<f64>,
    node_limit: Option<u64>,
    memory_limit: Option<u64>,
    threads: Option<usize>,
    device: String,
    tables: Option<PathBuf>,
}

impl Options {
    fn bounds(&self) -> Bounds {
        let &Self { time_limit, node_limit, memory_limit, .. } = self;
        Bounds { seconds: time_limit, nodes: node_limit, bytes: memory_limit }
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(all_cores).max(1)
    }

    fn request(&self, board: &Board) -> PyResult<Request> {
        let request = Request {
            heuristic: self.heuristic.as_deref().map(str::parse).transpose().map_err(value_error)?,
            weight: self.weight.map(Weight::new).transpose().map_err(value_error)?,
            max_depth: self.max_depth,
            limits: self.bounds().limits()?,
            threads: self.threads(),
            tables: store(self.tables.clone()),
            device: self.device.parse().map_err(value_error)?,
            ..Request::new(board.0.clone(), self.algorithm.parse().map_err(value_error)?)
        };
        if request.max_depth.is_some() && !request.algorithm.has_depth() {
            return Err(value_error(RequestError::DepthUnused(request.algorithm)));
        }
        request.check().map_err(value_error)?;
        Ok(request)
    }
}

/// What becomes of a request that the engine refuses.
fn refused(py: Python<'_>, error: &RequestError) -> PyErr {
    match error {
        RequestError::Device(_) => own_error(py, "DeviceError", (error.to_string(),)),
        RequestError::Stopped(_) => own_error(py, "PintuError", (error.to_string(),)),
        _ => value_error(error),
    }
}

/// Solves a board: the fields of the answer, and the recording if `events` are to be recorded.
#[pyfunction]
#[pyo3(signature = (board, options, events = None, progress = None))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    board: &Board,
    options: Options,
    #[pyo3(from_py_with = whole)] events: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = options.request(board)?;
    let control = options.bounds().control();
    let work = || -> Result<(Value, Option<Vec<u8>>), RequestError> {
        let Some(events) = events else { return Ok((fields(&solve_request(&request, &control)?), None)) };
        let traced = solve_traced(&request, &control, &EventBudget::new(events, Form::Packed))?;
        let mut bytes = Vec::new();
        // A vector takes all that is written.
        let _ = traced.write(Form::Packed, &mut bytes);
        Ok((fields(&traced.answer), Some(bytes)))
    };
    let is_guided = !matches!(options.heuristic.as_deref(), Some("none" | "misplaced"));
    let is_quick = visits_once(&options.algorithm) || (request.algorithm == Algorithm::Ida && is_guided);
    let is_soon = request.puzzle.size().cells() <= SOON_CELLS && is_quick && progress.is_none();
    let (found, raised) = if is_soon {
        let done = py.detach(|| std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)));
        (done.map_err(|panic| panic_error(py, &*panic))?, None)
    } else {
        watched(py, &control, progress, work)?
    };
    let (answer, trace) = found.map_err(|error| refused(py, &error))?;
    let trace = trace.map(|bytes| PyBytes::new(py, &bytes));
    finish((to_python(py, &answer)?, trace).into_pyobject(py)?.into_any(), raised)
}

/// The seconds of the Rust call alone, from the request to the moment when all that it took is freed: what a call from
/// Python is measured beside.
#[pyfunction]
pub(crate) fn time_solve(py: Python<'_>, board: &Board, options: Options) -> PyResult<f64> {
    let began = Instant::now();
    let request = options.request(board)?;
    let control = options.bounds().control();
    let answer = py.detach(|| solve_request(&request, &control)).map_err(|error| refused(py, &error))?;
    drop((answer, control, request));
    Ok(began.elapsed().as_secs_f64())
}

/// An answer as it would be written to JSON. (To write and read that takes longer.)
fn fields(answer: &Answer) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}

fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(is_so) => is_so.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => number.as_f64().into_pyobject(py)?,
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            values.into_pyobject(py)?
        }
        Value::Object(fields) => {
            let made = PyDict::new(py);
            for (name, value) in fields {
                made.set_item(PyString::intern(py, name), to_python(py, value)?)?;
            }
            made.into_any()
        }
    })
}

fn written(answer: &Answer) -> String {
    // An answer is made of numbers and texts.
    serde_json::to_string(answer).unwrap_or_default()
}

/// Solves many boards on several threads: the answers as JSON, in order.
#[pyfunction]
#[pyo3(signature = (boards, options, progress = None))]
pub(crate) fn solve_many<'py>(
    py: Python<'py>,
    boards: Vec<PyRef<'py, Board>>,
    options: Options,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = options.threads().min(boards.len().max(1));
    let one = |board: &PyRef<'py, Board>| {
        let mut request = options.request(board)?;
        // A batch on the processor has a thread a board.
        if request.device == Device::Cpu {
            request.threads = 1;
        }
        Ok(request)
    };
    let requests = boards.iter().map(one).collect::<PyResult<Vec<Request>>>()?;
    drop(boards);
    let control = options.bounds().control();
    let is_for_gpu = requests.first().is_some_and(|request| request.device == Device::Gpu);
    let answered = Arc::new(Progress::default());
    let progress = progress.map(|callback| counting(py, callback, answered.clone())).transpose()?;
    let work = || batch(requests, threads, is_for_gpu, &control, &answered);
    let (found, raised) = watched(py, &control, progress, work)?;
    let answers = found.map_err(|error| refused(py, &error))?;
    finish(answers.into_pyobject(py)?.into_any(), raised)
}

/// The callback, called with the number of boards that are answered, too.
fn counting(py: Python<'_>, callback: Py<PyAny>, answered: Arc<Progress>) -> PyResult<Py<PyAny>> {
    let call = move |row: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let row = row.add((answered.count(),))?;
        callback.bind(row.py()).call1(row.cast_into::<PyTuple>()?).map(Bound::unbind)
    };
    Ok(PyCFunction::new_closure(py, None, None, call)?.into_any().unbind())
}

fn batch(
    requests: Vec<Request>,
    threads: usize,
    on_gpu: bool,
    control: &Control,
    answered: &Progress,
) -> Result<Vec<String>, RequestError> {
    let mut answers = Vec::with_capacity(requests.len());
    let items = requests.into_iter().map(|request| ((), Some(request)));
    let output = |(), done: Option<pintu_engine::Answered>| {
        let (_, answer) = done.expect("every item has a request");
        answers.push(written(&answer?));
        Ok::<(), RequestError>(())
    };
    if on_gpu {
        run_batch_on_gpu(items, control, answered, output)?;
    } else {
        run_batch(items, threads, control, answered, output)?;
    }
    Ok(answers)
}

/// Several algorithms side by side: each contestant with its answers as JSON, board by board.
#[pyfunction]
#[pyo3(signature = (boards, contestants, options, progress = None))]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    boards: Vec<PyRef<'py, Board>>,
    contestants: Vec<String>,
    options: Options,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(first) = boards.first() else { return Err(value_error("found no boards, expected one at least")) };
    let request = options.request(first)?;
    let puzzles: Vec<_> = boards.iter().map(|board| board.0.clone()).collect();
    drop(boards);
    let named = contestants.iter().map(|name| name.parse::<Contestant>().map_err(value_error));
    let mut contestants = named.collect::<PyResult<Vec<_>>>()?;
    if contestants.is_empty() {
        contestants = Contestant::usual(&puzzles[0]);
    }
    let control = options.bounds().control();
    let work = || compare_side_by_side(&request, &puzzles, &contestants, &control, &mut |_| ());
    let (found, raised) = watched(py, &control, progress, work)?;
    let entries = found.map_err(|error| refused(py, &error))?;
    let rows: Vec<(String, Vec<String>)> = entries
        .iter()
        .map(|entry| (entry.contestant.to_string(), entry.answers.iter().map(written).collect()))
        .collect();
    finish(rows.into_pyobject(py)?.into_any(), raised)
}

/// Makes the tables of a board's shape and goal, or finds them; returns their bytes.
#[pyfunction]
#[pyo3(signature = (board, large, threads = None, tables = None, device = "cpu"))]
pub(crate) fn build_tables<'py>(
    py: Python<'py>,
    board: &Board,
    large: bool,
    #[pyo3(from_py_with = whole)] threads: Option<usize>,
    tables: Option<PathBuf>,
    device: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let device: Device = device.parse().map_err(value_error)?;
    let key = Key::of(&board.0, if large { Extent::Large } else { Extent::Small });
    let threads = threads.unwrap_or_else(all_cores);
    let (store, control) = (store(tables), Control::unlimited());
    let work = || store.build(key, device, threads, &control, &mut |_| ());
    let (made, raised) = watched(py, &control, None, work)?;
    if let Some(error) = raised {
        return Err(error);
    }
    let made = made.map_err(|error| own_error(py, "TablesError", (error.to_string(),)))?;
    Ok(made.tables.bytes().into_pyobject(py)?.into_any())
}
