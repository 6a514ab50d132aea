//! Boards, topologies and goals.

use pintu_engine::check;
use pintu_tiles::{
    Arrangement, Direction, Moves, NamedGoal, Puzzle, Scrambler, Size, Topology as Shape, fragment_of, least_moves,
    read_board, read_link,
};
use pyo3::{prelude::*, types::PyDict};

use crate::errors::{value_error, whole};

/// The shape of a board: its sides, and the rows and columns that wrap around.
#[pyclass(frozen, eq, hash, module = "pintu")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Topology(pub(crate) Shape);

#[pymethods]
impl Topology {
    #[new]
    #[pyo3(
        signature = (rows, cols, *, wrap_rows = Vec::new(), wrap_cols = Vec::new()),
        text_signature = "(rows, cols, *, wrap_rows=(), wrap_cols=())"
    )]
    fn new(
        #[pyo3(from_py_with = whole)] rows: usize,
        #[pyo3(from_py_with = whole)] cols: usize,
        #[pyo3(from_py_with = whole)] wrap_rows: Vec<usize>,
        #[pyo3(from_py_with = whole)] wrap_cols: Vec<usize>,
    ) -> PyResult<Self> {
        let size = Size::new(rows, cols).map_err(value_error)?;
        Ok(Self(Shape::wrapped(size, wrap_rows, wrap_cols).map_err(value_error)?))
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.size().rows()
    }

    #[getter]
    fn cols(&self) -> usize {
        self.0.size().cols()
    }

    #[getter]
    fn wrap_rows(&self) -> Vec<usize> {
        self.0.wrap_rows().collect()
    }

    #[getter]
    fn wrap_cols(&self) -> Vec<usize> {
        self.0.wrap_cols().collect()
    }

    /// The cells beside a cell, numbered in reading order.
    fn neighbours(&self, #[pyo3(from_py_with = whole)] cell: usize) -> PyResult<Vec<usize>> {
        if cell >= self.0.cells() {
            return Err(value_error(format_args!("found cell {cell}, expected one below {}", self.0.cells())));
        }
        Ok(self.0.neighbours(cell).collect())
    }

    fn __repr__(&self) -> String {
        let wraps = match (self.wrap_rows(), self.wrap_cols()) {
            (rows, cols) if rows.is_empty() && cols.is_empty() => String::new(),
            (rows, cols) => format!(", wrap_rows={rows:?}, wrap_cols={cols:?}"),
        };
        format!("Topology({}, {}{wraps})", self.rows(), self.cols())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((usize, usize), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("wrap_rows", self.wrap_rows())?;
        named.set_item("wrap_cols", self.wrap_cols())?;
        Ok(((self.rows(), self.cols()), named))
    }
}

/// A board with its goal.
///
/// `tiles` is a text in any shape that the command line reads, numbers in reading order (0 for the blank), or rows of
/// them; `goal` is `standard`, `blank-first`, `snail` or a board. `size` is (rows, columns), for numbers that are no
/// square; `wrap_rows` and `wrap_cols` number the rows and columns that wrap around.
#[pyclass(frozen, eq, module = "pintu")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Board(pub(crate) Puzzle);

#[pymethods]
impl Board {
    #[new]
    #[pyo3(
        signature = (tiles, goal = None, *, size = None, wrap_rows = Vec::new(), wrap_cols = Vec::new()),
        text_signature = "(tiles, goal=None, *, size=None, wrap_rows=(), wrap_cols=())"
    )]
    fn new(
        tiles: &Bound<'_, PyAny>,
        goal: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole)] size: Option<(usize, usize)>,
        #[pyo3(from_py_with = whole)] wrap_rows: Vec<usize>,
        #[pyo3(from_py_with = whole)] wrap_cols: Vec<usize>,
    ) -> PyResult<Self> {
        if let Ok(text) = tiles.extract::<String>()
            && let Some(puzzle) = read_link(&text)
        {
            return puzzle.map(Self).map_err(value_error);
        }
        let size = size.map(|(rows, cols)| Size::new(rows, cols).map_err(value_error)).transpose()?;
        let start = arrangement(tiles, size)?;
        let topology = Shape::wrapped(start.size(), wrap_rows, wrap_cols).map_err(value_error)?;
        let goal = goal_on(start.size(), goal)?;
        Ok(Self(Puzzle::new(topology, start, goal).map_err(value_error)?))
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.size().rows()
    }

    #[getter]
    fn cols(&self) -> usize {
        self.0.size().cols()
    }

    /// The tiles in reading order, 0 for the blank.
    #[getter]
    fn tiles(&self) -> Vec<u32> {
        numbers(self.0.start())
    }

    /// The goal's tiles in reading order.
    #[getter]
    fn goal(&self) -> Vec<u32> {
        numbers(self.0.goal())
    }

    #[getter]
    fn topology(&self) -> Topology {
        Topology(self.0.topology())
    }

    #[getter]
    fn is_solved(&self) -> bool {
        self.0.is_solved()
    }

    #[getter]
    fn is_solvable(&self) -> bool {
        self.0.solvable().is_ok()
    }

    /// No solution is shorter than this: Manhattan distance, and conflicts within lines where they count.
    #[getter]
    fn least_moves(&self) -> u32 {
        if self.0.solvable().is_ok() { least_moves(&self.0) } else { 0 }
    }

    /// The directions in which the blank can go, as letters.
    #[getter]
    fn moves(&self) -> String {
        let (topology, blank) = (self.0.topology(), self.0.start().blank());
        let open = Direction::ALL.into_iter().filter(|&to| topology.neighbour(blank, to).is_some());
        open.map(Direction::letter).collect()
    }

    /// The fragment of a link that opens the board in the game.
    #[getter]
    fn link(&self) -> String {
        fragment_of(&self.0)
    }

    /// The board after moves of the blank.
    fn play(&self, moves: &str) -> PyResult<Self> {
        let mut start = self.0.start().clone();
        start.play(self.0.topology(), &read_moves(moves)?).map_err(value_error)?;
        Ok(Self(Puzzle::new(self.0.topology(), start, self.0.goal().clone()).map_err(value_error)?))
    }

    /// Whether moves of the blank solve it.
    fn is_solved_by(&self, moves: &str) -> PyResult<bool> {
        Ok(self.0.is_solved_by(&read_moves(moves)?))
    }

    /// Whether it can be solved and why, as JSON.
    fn _check(&self) -> PyResult<String> {
        json(&check(&self.0))
    }

    fn __str__(&self) -> String {
        let size = self.0.size();
        let width = (size.cells() - 1).to_string().len();
        let cell = |&tile: &u8| if tile == 0 { format!("{:>width$}", "·") } else { format!("{tile:>width$}") };
        let row = |row: &[u8]| row.iter().map(cell).collect::<Vec<_>>().join(" ");
        self.0.start().tiles().chunks(size.cols()).map(row).collect::<Vec<_>>().join("\n")
    }

    fn __repr__(&self) -> String {
        let mut more = String::new();
        if self.rows() != self.cols() {
            more = format!(", size=({}, {})", self.rows(), self.cols());
        }
        if *self.0.goal() != NamedGoal::Standard.on(self.0.size()) {
            more = format!(", goal='{}'{more}", self.0.goal());
        }
        let topology = self.topology();
        if !self.0.topology().is_plain() {
            let (rows, cols) = (topology.wrap_rows(), topology.wrap_cols());
            more = format!("{more}, wrap_rows={rows:?}, wrap_cols={cols:?}");
        }
        format!("Board('{}'{more})", self.0.start())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.0.start().tiles(), self.0.goal().tiles(), self.0.topology()).hash(&mut hasher);
        hasher.finish()
    }

    #[expect(clippy::type_complexity, reason = "what pickle asks for")]
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((Vec<u32>, Vec<u32>), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        let topology = self.topology();
        named.set_item("size", (self.rows(), self.cols()))?;
        named.set_item("wrap_rows", topology.wrap_rows())?;
        named.set_item("wrap_cols", topology.wrap_cols())?;
        Ok(((self.tiles(), self.goal()), named))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pintu._show")?.getattr("board_svg")?.call1((slf,))
    }
}

/// A goal by its name, its blank cell, or its tiles; `None` is the standard one. Its tiles in reading order.
#[pyfunction]
pub(crate) fn goal(
    #[pyo3(from_py_with = whole)] rows: usize,
    #[pyo3(from_py_with = whole)] cols: usize,
    goal: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<u32>> {
    let size = Size::new(rows, cols).map_err(value_error)?;
    Ok(numbers(&goal_on(size, goal)?))
}

/// The longest random walk: a second of it or less, for signals are checked after each.
const MAX_WALK: usize = 10_000_000;
/// Random boards between two checks for signals, where they are no walks.
const BOARDS_A_LOOK: usize = 64;

/// Random boards: uniform over those that can be solved, or `walk` random steps from the goal.
#[pyfunction]
pub(crate) fn scrambles(
    py: Python<'_>,
    topology: &Topology,
    goal: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = whole)] count: usize,
    #[pyo3(from_py_with = whole)] seed: u64,
    #[pyo3(from_py_with = whole)] walk: Option<usize>,
) -> PyResult<Vec<Board>> {
    let goal = goal_on(topology.0.size(), goal)?;
    if let Some(steps) = walk.filter(|&steps| steps > MAX_WALK) {
        return Err(value_error(format_args!("found a walk of {steps} steps, expected at most {MAX_WALK}")));
    }
    let mut scrambler = Scrambler::new(topology.0, goal.clone(), seed);
    let mut next = || match walk {
        Some(steps) => scrambler.walk(steps),
        None => scrambler.uniform(),
    };
    let at_once = if walk.is_some() { 1 } else { BOARDS_A_LOOK };
    let mut boards = Vec::new();
    while boards.len() < count {
        py.check_signals()?;
        let left = at_once.min(count - boards.len());
        let mut board = |_| Puzzle::new(topology.0, next(), goal.clone()).map(Board);
        let made = py.detach(|| (0..left).map(&mut board).collect::<Result<Vec<Board>, _>>());
        boards.append(&mut made.map_err(value_error)?);
    }
    Ok(boards)
}

/// Tiles from a text, numbers in reading order, or rows of numbers.
fn arrangement(tiles: &Bound<'_, PyAny>, size: Option<Size>) -> PyResult<Arrangement> {
    if let Ok(text) = tiles.extract::<String>() {
        return read_board(&text, size).map_err(value_error);
    }
    if let Ok(numbers) = tiles.extract::<Vec<u32>>() {
        let cells = numbers.len();
        let size = size.or_else(|| Size::square(cells)).ok_or_else(|| {
            value_error(format_args!("found {cells} numbers, expected a square or size=(rows, cols)"))
        })?;
        return Arrangement::new(size, &numbers).map_err(value_error);
    }
    let rows = tiles
        .extract::<Vec<Vec<u32>>>()
        .map_err(|_| value_error("found no board, expected a text, whole numbers in reading order, or rows of them"))?;
    let cols = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != cols) {
        return Err(value_error("found rows of different lengths, expected a rectangle"));
    }
    let size = Size::new(rows.len(), cols).map_err(value_error)?;
    Arrangement::new(size, &rows.concat()).map_err(value_error)
}

fn goal_on(size: Size, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Arrangement> {
    let Some(goal) = goal else { return Ok(NamedGoal::Standard.on(size)) };
    if let Ok(name) = goal.extract::<String>()
        && let Some(named) = NamedGoal::from_name(&name)
    {
        return Ok(named.on(size));
    }
    let wrong = |error: PyErr| match goal.extract::<String>() {
        Ok(name) if !name.contains(|one: char| one.is_ascii_digit()) => {
            value_error(format_args!("goal: found `{name}`, expected standard, blank-first, snail or a board"))
        }
        _ => value_error(format_args!("goal: {}", error.value(goal.py()))),
    };
    arrangement(goal, Some(size)).map_err(wrong)
}

fn numbers(board: &Arrangement) -> Vec<u32> {
    board.tiles().iter().map(|&tile| tile.into()).collect()
}

pub(crate) fn read_moves(text: &str) -> PyResult<Moves> {
    text.parse().map_err(value_error)
}

pub(crate) fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(value_error)
}
