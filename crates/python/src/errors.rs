//! Errors as Python has them: `ValueError` for what is asked wrongly, the package's own for the rest.

use std::{any::Any, fmt::Display, io};

use pintu_solver::internals::SpawnError;
use pyo3::{
    PyErr, PyResult, Python,
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
};

/// A wrong argument.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Whole numbers. Those that are negative or too large are a `ValueError`, where Python would overflow.
pub(crate) fn whole<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    given.extract::<T>().map_err(|error| {
        let error: PyErr = error.into();
        if error.is_instance_of::<PyOverflowError>(given.py()) {
            value_error(format_args!("found {given}, expected whole numbers that are not negative or too large"))
        } else {
            error
        }
    })
}

/// One of the package's own exceptions, by its name in `pintu._errors`.
pub(crate) fn own_error(py: Python<'_>, name: &str, args: impl for<'py> pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("pintu._errors").and_then(|errors| errors.getattr(name)?.call1(args));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Leaves what a panic says to the exception that it becomes. With `RUST_BACKTRACE` it is printed, too.
pub(crate) fn tell_panics_once() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| ()));
    }
}

/// A panic as an exception: the system has no thread left, or it is a mistake of this package, or of a callable that
/// contradicts itself.
pub(crate) fn panic_error(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let no_thread = panic.downcast_ref::<SpawnError>().map(SpawnError::to_string);
    let no_thread = no_thread.or_else(|| {
        panic.downcast_ref::<io::Error>().map(|why| format!("cannot start a thread for the search: {why}"))
    });
    if let Some(said) = no_thread {
        return own_error(py, "PintuError", (said,));
    }
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the search failed");
    let named =
        |said: &str| format!("{said} (a mistake of pintu, or of a function that does not always answer the same)");
    own_error(py, "PintuError", (named(said),))
}

/// Runs what may panic.
pub(crate) fn without_panic<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|panic| panic_error(py, &*panic))
}
