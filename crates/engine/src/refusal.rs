use std::borrow::Cow;

use pintu_search::Stop;
use pintu_solver::tables::{Pattern, PatternError};
use pintu_tiles::NotApplicable;
use serde::Serialize;

use crate::{RequestError, stop_name};

/// Why a heuristic says nothing of a board: in a word that programs know, so that they can say it in any language, and in a
/// sentence.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    /// `wraps`, `unsolvable`, `too-large`, `limit-` with the limit's name, as in `limit-memory`, or `other` for what has no
    /// word yet.
    pub code: Cow<'static, str>,
    /// The most cells of a board that it is for, where that is why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_cells: Option<usize>,
    /// The sentence.
    #[serde(skip)]
    pub reason: String,
}

impl Refusal {
    fn new(code: impl Into<Cow<'static, str>>, reason: &impl ToString) -> Self {
        Self { code: code.into(), most_cells: None, reason: reason.to_string() }
    }

    /// No moves lead to the goal.
    pub(crate) fn unsolvable() -> Self {
        Self::new("unsolvable", &"it counts moves to the goal, and no moves lead there")
    }

    /// A limit was reached before what it looks at was made.
    pub(crate) fn limit(why: Stop) -> Self {
        let name = stop_name(why);
        Self::new(format!("limit-{name}"), &format_args!("its tables could not be made within the limits: {name}"))
    }
}

impl From<NotApplicable> for Refusal {
    fn from(error: NotApplicable) -> Self {
        let code = match error {
            NotApplicable::Wraps { .. } => "wraps",
            NotApplicable::TableTooLarge { .. } => "too-large",
            _ => "other",
        };
        Self::new(code, &error)
    }
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::NotApplicable(error) => error.into(),
            RequestError::Pattern(PatternError::Board { .. }) => {
                Self { most_cells: Some(Pattern::MOST_CELLS), ..Self::new("too-large", &error) }
            }
            other => Self::new("other", &other),
        }
    }
}
