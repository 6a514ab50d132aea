use std::process::ExitCode;

/// What the command ends with. Of several that apply, the highest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Every problem was solved.
    #[default]
    Solved = 0,
    /// One has no solution.
    NoSolution = 1,
    /// Bad usage or input.
    BadInput = 2,
    /// A limit was reached without a solution.
    Limit = 3,
}

impl Exit {
    /// Of an answer.
    pub(crate) fn of(verdict: &pintu_engine::Verdict) -> Self {
        match verdict {
            pintu_engine::Verdict::Solved { .. } => Self::Solved,
            pintu_engine::Verdict::Unsolvable(_) => Self::NoSolution,
            pintu_engine::Verdict::Limit { .. } => Self::Limit,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
