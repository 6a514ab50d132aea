//! Searches that somebody listens to, by the names that their streams carry: whoever has such a name can have the search
//! end, and still gets what it has found.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pintu_search::Cancel;

use crate::id::Id;

/// The searches that are to be told of, waiting ones included: as many as the pool admits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ongoing(Arc<Mutex<HashMap<Id, Cancel>>>);

impl Ongoing {
    /// Gives a search a name for as long as what is returned is kept.
    pub(crate) fn name(&self, id: Id, switch: Cancel) -> Named {
        self.lock().insert(id.clone(), switch);
        Named { id, ongoing: self.clone() }
    }

    /// Ends a search early, if there is one of that name.
    pub(crate) fn end(&self, id: &Id) -> bool {
        self.lock().get(id).map(Cancel::cancel).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, Cancel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a search that goes on.
#[derive(Debug)]
pub(crate) struct Named {
    id: Id,
    ongoing: Ongoing,
}

impl Named {
    pub(crate) fn id(&self) -> &Id {
        &self.id
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        self.ongoing.lock().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_good_for_as_long_as_its_search_goes_on() {
        let (ongoing, id, switch) = (Ongoing::default(), Id::random().unwrap(), Cancel::new());
        let named = ongoing.name(id.clone(), switch.clone());
        assert!(!ongoing.end(&Id::random().unwrap()) && !switch.is_cancelled());
        assert!(ongoing.end(named.id()) && switch.is_cancelled());
        drop(named);
        assert!(!ongoing.end(&id));
    }
}
