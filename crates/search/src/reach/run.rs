use std::sync::LazyLock;

use crate::{Control, Observer};

/// How an iterator over a space is run, its last argument: as [`Run`](crate::Run), `()`, `&control`, `&mut observer` or
/// both, which it borrows for as long as it lives.
pub trait LazyRun<'c, St, C> {
    /// Who watches.
    type Observer: Observer<St, C>;

    /// The control and the observer.
    fn parts(self) -> (&'c Control, Self::Observer);
}

/// The control of all that runs without one.
static NO_LIMIT: LazyLock<Control> = LazyLock::new(Control::unlimited);

impl<'c, St, C> LazyRun<'c, St, C> for () {
    type Observer = ();

    fn parts(self) -> (&'c Control, ()) {
        (&NO_LIMIT, ())
    }
}

impl<'c, St, C> LazyRun<'c, St, C> for &'c Control {
    type Observer = ();

    fn parts(self) -> (&'c Control, ()) {
        (self, ())
    }
}

impl<'c, St, C, O: Observer<St, C>> LazyRun<'c, St, C> for &'c mut O {
    type Observer = Self;

    fn parts(self) -> (&'c Control, Self) {
        (&NO_LIMIT, self)
    }
}

impl<'c, St, C, O: Observer<St, C>> LazyRun<'c, St, C> for (&'c Control, &'c mut O) {
    type Observer = &'c mut O;

    fn parts(self) -> (&'c Control, &'c mut O) {
        self
    }
}

/// One whose type is not known: `&mut *boxed`.
impl<'c, St, C> LazyRun<'c, St, C> for &'c mut (dyn Observer<St, C> + '_) {
    type Observer = Self;

    fn parts(self) -> (&'c Control, Self) {
        (&NO_LIMIT, self)
    }
}

impl<'c, 'd, St, C> LazyRun<'c, St, C> for (&'c Control, &'c mut (dyn Observer<St, C> + 'd)) {
    type Observer = &'c mut (dyn Observer<St, C> + 'd);

    fn parts(self) -> (&'c Control, Self::Observer) {
        self
    }
}
