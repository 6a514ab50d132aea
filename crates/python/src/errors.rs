//! Errors as Python has them: `ValueError` for what is asked wrongly, the package's own for the rest.

use std::{any::Any, fmt::Display};

use pyo3::{PyErr, PyResult, Python, exceptions::PyValueError, prelude::*};

/// A wrong argument.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// One of the package's own exceptions, by its name in `pintu._errors`.
pub(crate) fn own_error(py: Python<'_>, name: &str, args: impl for<'py> pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("pintu._errors").and_then(|errors| errors.getattr(name)?.call1(args));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A panic as an exception: it is a mistake of this package, or of a callable that contradicts itself.
pub(crate) fn panic_error(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the search failed");
    own_error(py, "PintuError", (said.to_owned(),))
}

/// Runs what may panic.
pub(crate) fn without_panic<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|panic| panic_error(py, &*panic))
}
