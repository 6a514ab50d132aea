use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

use super::{EventKind, Form};

/// The number of events that a recording may have in the form in which it will be written, and the number that it has.
/// Clones share the budget, which may be read while the search runs.
#[derive(Clone, Debug)]
pub struct EventBudget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    max: usize,
    form: Form,
    events: AtomicUsize,
    is_cut: AtomicBool,
}

impl EventBudget {
    /// A budget of `max` events of a form.
    pub fn new(max: usize, form: Form) -> Self {
        Self(Arc::new(Shared { max, form, events: AtomicUsize::new(0), is_cut: AtomicBool::new(false) }))
    }

    pub fn max(&self) -> usize {
        self.0.max
    }

    /// The number of events so far.
    pub fn events(&self) -> usize {
        self.0.events.load(Relaxed)
    }

    /// Whether an event was left out for want of room.
    pub fn is_cut(&self) -> bool {
        self.0.is_cut.load(Relaxed)
    }

    /// Spends the room of an event, if there is enough. In Posthoc's form an expanded state has two events, one where
    /// it is closed, unless the search goes depth first; an iteration has none.
    pub(super) fn spend(&self, what: EventKind, depth_first: bool) -> bool {
        let events = match (self.0.form, what) {
            (Form::Posthoc, EventKind::Iteration) => 0,
            (Form::Posthoc, EventKind::Expanded) if !depth_first => 2,
            _ => 1,
        };
        let is_left = self.events() + events <= self.0.max;
        if is_left {
            self.0.events.fetch_add(events, Relaxed);
        }
        is_left
    }

    /// Starts, or restarts, a recording of a search to `goals` goals: Posthoc's form has an event for the start, the
    /// end and each goal.
    pub(super) fn begin(&self, goals: usize) {
        self.0.events.store(if self.0.form == Form::Posthoc { goals + 2 } else { 0 }, Relaxed);
        self.0.is_cut.store(false, Relaxed);
    }

    pub(super) fn cut(&self) {
        self.0.is_cut.store(true, Relaxed);
    }
}
