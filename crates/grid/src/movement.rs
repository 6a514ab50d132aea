//! Movement: the eight steps, the four corner rules, and the steps that a search may leave out.

/// One step on a map. The order is that in which successors are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the row above.
    Up,
    /// To the column before.
    Left,
    /// To the next column.
    Right,
    /// To the next row.
    Down,
    /// To the row above and the column before.
    UpLeft,
    /// To the row above and the next column.
    UpRight,
    /// To the next row and the column before.
    DownLeft,
    /// To the next row and the next column.
    DownRight,
}

impl Step {
    /// All steps, the straight ones first.
    pub const ALL: [Self; 8] =
        [Self::Up, Self::Left, Self::Right, Self::Down, Self::UpLeft, Self::UpRight, Self::DownLeft, Self::DownRight];

    /// The change of the row and of the column.
    pub const fn delta(self) -> (i32, i32) {
        DELTAS[self as usize]
    }

    /// The step that changes row and column by these numbers.
    pub fn from_delta(row: i32, col: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.delta() == (row, col))
    }

    /// Whether it changes both row and column.
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// An arrow that points where the step leads.
    pub const fn arrow(self) -> char {
        ['↑', '←', '→', '↓', '↖', '↗', '↙', '↘'][self as usize]
    }

    /// The step back.
    #[must_use]
    pub const fn back(self) -> Self {
        Self::ALL[BACK[self as usize] as usize]
    }
}

/// The step back of each step, by number.
pub(crate) const BACK: [u8; 8] = [3, 2, 1, 0, 7, 6, 5, 4];

/// The change of row and column by each step, by number.
pub(crate) const DELTAS: [(i32, i32); 8] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The corner rules: whether, and past which obstacles, diagonal steps are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Diagonal {
    /// Four-way movement.
    Never,
    /// Past and between any obstacles.
    Always,
    /// Not between two obstacles.
    NoSqueeze,
    /// Not past any obstacle.
    NoCorners,
}

impl Diagonal {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Never, Self::Always, Self::NoSqueeze, Self::NoCorners];

    /// Whether a diagonal step is allowed when `free_beside` of the two cells beside it are free.
    pub(crate) const fn allows(self, free_beside: u32) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::NoSqueeze => free_beside >= 1,
            Self::NoCorners => free_beside == 2,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Always => "always",
            Self::NoSqueeze => "no-squeeze",
            Self::NoCorners => "no-corners",
        }
    }
}

named!(Diagonal, DiagonalError, "corner rule", "found `{0}`, expected never, always, no-squeeze or no-corners");

/// The possible steps for each of the 256 sets of free cells around (bit `n`
/// for the cell to which step `n` leads).
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) legal: [u8; 256],
    /// The legal steps that a search which arrived by step `n` needs to take where all cells around cost the
    /// same (entry 8 is for the start: all).
    pub(crate) needed: Box<[[u8; 256]; ARRIVALS]>,
    /// The legal steps that a search which arrived by step `n` needs to take whatever the cells cost.
    pub(crate) useful: Box<[[u8; 256]; ARRIVALS]>,
}

/// The entry of [`Rules::needed`] for a search that has just begun.
pub(crate) const NOWHERE: u8 = 8;
/// As many entries as four bits tell apart, so that none of them needs to be checked.
const ARRIVALS: usize = 16;

/// For each step by which one can arrive, and none, the bit of the step back.
pub(crate) const BACK_BIT: [u8; ARRIVALS] = {
    let mut bits = [0; ARRIVALS];
    let mut step = 0;
    while step < BACK.len() {
        bits[step] = 1 << BACK[step];
        step += 1;
    }
    bits
};

/// The number of steps in each set of them. (Not every processor has an instruction that counts bits.)
pub(crate) static STEPS_IN: [u8; 256] = {
    let mut counts = [0; 256];
    let mut set = 0;
    while set < counts.len() {
        counts[set] = set.count_ones() as u8;
        set += 1;
    }
    counts
};

impl Rules {
    pub(crate) fn new(rule: Diagonal) -> Self {
        let mut legal = [0; 256];
        let mut needed = Box::new([[0; 256]; ARRIVALS]);
        for around in 0..=u8::MAX {
            let window = Window { around, rule };
            let steps = || Step::ALL.into_iter().filter(|step| window.can_step((0, 0), step.delta()));
            legal[usize::from(around)] = set_of(steps());
            for arrived in Step::ALL {
                let needs = |&step: &Step| step != arrived.back() && !window.is_needless(arrived, step);
                needed[arrived as usize][usize::from(around)] = set_of(steps().filter(needs));
            }
        }
        needed[usize::from(NOWHERE)] = legal;
        let useful = Box::new(std::array::from_fn(|arrived| legal.map(|steps| steps & useful_after(arrived))));
        Self { legal, needed, useful }
    }
}

/// The steps that can be of use to a search which arrived by step `arrived`. To a cell straight beside the
/// one it came from, the direct step is cheaper than any two, whatever they cost.
fn useful_after(arrived: usize) -> u8 {
    let Some(arrived) = Step::ALL.get(arrived).copied() else {
        return u8::MAX;
    };
    let is_far = |step: &Step| {
        let ((row, col), (on_row, on_col)) = (arrived.delta(), step.delta());
        (row + on_row).abs() + (col + on_col).abs() > 1
    };
    set_of(Step::ALL.into_iter().filter(is_far))
}

fn set_of(steps: impl Iterator<Item = Step>) -> u8 {
    steps.fold(0, |set, step| set | 1 << step as u8)
}

/// The three by three cells around one that is free.
struct Window {
    around: u8,
    rule: Diagonal,
}

/// Row and column relative to the middle.
type Offset = (i32, i32);

impl Window {
    fn is_free(&self, (row, col): Offset) -> bool {
        (row, col) == (0, 0) || Step::from_delta(row, col).is_some_and(|step| self.around >> step as u8 & 1 == 1)
    }

    fn can_step(&self, from: Offset, to: Offset) -> bool {
        let Some(step) = step_between(from, to) else {
            return false;
        };
        let beside = u32::from(self.is_free((from.0, to.1))) + u32::from(self.is_free((to.0, from.1)));
        self.is_free(to) && (!step.is_diagonal() || self.rule.allows(beside))
    }

    /// Whether a path that came to the middle by `arrived` need not go on by `step`: the cell it leads to can be
    /// reached past the middle, at less cost or, by a preferred path, at the same cost.
    ///
    /// Of equally cheap paths, one that goes diagonally first (four-way: vertically first) is preferred. So a step is
    /// left out for an equal path only if it is diagonal (vertical), and then the preferred path ends with a straight
    /// (horizontal) one, which is itself never left out for an equal. That is why a search that keeps one parent for
    /// each cell, whichever of several equals, still reaches every cell by a cheapest path.
    fn is_needless(&self, arrived: Step, step: Step) -> bool {
        let (row, col) = arrived.delta();
        let (before, after) = ((-row, -col), step.delta());
        if self.can_step(before, after) {
            return true;
        }
        let through = weight(arrived) + weight(step);
        Step::ALL.into_iter().map(Step::delta).any(|between| {
            let steps = (step_between(before, between), step_between(between, after));
            let (Some(first), Some(second)) = steps else {
                return false;
            };
            let legal = self.can_step(before, between) && self.can_step(between, after);
            let past = weight(first) + weight(second);
            let preferred = self.comes_first(first) && !self.comes_first(arrived) && self.comes_first(step);
            legal && (past < through || (past == through && preferred))
        })
    }

    fn comes_first(&self, step: Step) -> bool {
        match self.rule {
            Diagonal::Never => matches!(step, Step::Up | Step::Down),
            _ => step.is_diagonal(),
        }
    }
}

fn step_between(from: Offset, to: Offset) -> Option<Step> {
    Step::from_delta(to.0 - from.0, to.1 - from.1)
}

/// Exact enough to compare paths of two steps.
fn weight(step: Step) -> u32 {
    if step.is_diagonal() { 99 } else { 70 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: usize = 255;

    #[test]
    fn steps_know_their_reverse() {
        for step in Step::ALL {
            let ((row, col), (back_row, back_col)) = (step.delta(), step.back().delta());
            assert_eq!((row + back_row, col + back_col), (0, 0));
            assert_eq!(Step::from_delta(row, col), Some(step));
        }
    }

    #[test]
    fn rules_have_names() {
        for rule in Diagonal::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        assert!("sometimes".parse::<Diagonal>().is_err());
    }

    #[test]
    fn open_terrain_needs_few_steps() {
        for rule in [Diagonal::Always, Diagonal::NoSqueeze, Diagonal::NoCorners] {
            let rules = Rules::new(rule);
            assert_eq!(rules.needed[Step::Right as usize][OPEN], 1 << Step::Right as u8);
            let three = 1 << Step::UpRight as u8 | 1 << Step::Up as u8 | 1 << Step::Right as u8;
            assert_eq!(rules.needed[Step::UpRight as usize][OPEN], three);
            assert_eq!(rules.needed[usize::from(NOWHERE)][OPEN], 255);
        }
        let four = Rules::new(Diagonal::Never);
        assert_eq!(four.needed[Step::Right as usize][OPEN], 1 << Step::Right as u8);
        let three = 1 << Step::Up as u8 | 1 << Step::Left as u8 | 1 << Step::Right as u8;
        assert_eq!(four.needed[Step::Up as usize][OPEN], three);
    }
}
