use pintu_search::Counters;
use serde::{Serialize, Serializer};

/// What a search did at one depth, bound or `f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// How far it looked.
    pub bound: f64,
    /// States taken up.
    pub expanded: u64,
    /// States produced.
    pub generated: u64,
}

impl Growth {
    /// From what had been done when each bound was reached to what was done at each; `all` is what was done in the end.
    pub(crate) fn differences(growth: &mut [Self], all: &Counters) {
        if let Some(first) = growth.first_mut() {
            // What was done before, such as producing the start, belongs to the first.
            (first.expanded, first.generated) = (0, 0);
        }
        let mut end = (all.expanded, all.generated);
        for one in growth.iter_mut().rev() {
            let begin = (one.expanded, one.generated);
            (one.expanded, one.generated) = (end.0 - begin.0, end.1 - begin.1);
            end = begin;
        }
    }
}

impl Serialize for Growth {
    /// An array of three.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (super::compact::Decimal(self.bound), self.expanded, self.generated).serialize(serializer)
    }
}
