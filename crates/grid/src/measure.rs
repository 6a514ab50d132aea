/// A length, or what is left of one, as those who watch a search are shown it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// A whole number.
    Whole(u64),
    /// Any other: the number itself or one that is barely less.
    Real(f64),
}

impl Measure {
    /// The nearest floating-point number, or one beside it.
    pub fn value(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(value) => value,
        }
    }
}
