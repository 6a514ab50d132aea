use proptest::prelude::*;

use super::*;
use crate::{Zero, from_fn};

/// A number in a state so large that a recursion gets few levels.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Large(u32, [u8; 1 << 14]);

/// The result and the counts of a dive to a bound.
fn dive<S: Space<Cost = u32>>(space: &S, start: &S::State, bound: u32) -> (Option<u32>, usize, Counters) {
    let (control, mut observer) = (Control::unlimited(), ());
    let starts = std::slice::from_ref(start);
    let mut dive = Dive::new(space, &Zero, Forgetful, starts, &control, &mut observer);
    let Ok(end) = dive.within(bound, Bound::Cost(bound)) else { panic!("nothing stops it") };
    let cost = if let End::Goal(cost) = end { Some(cost) } else { None };
    (cost, cost.map_or(0, |_| dive.path().len()), dive.counters())
}

proptest! {
    #[test]
    fn moving_the_path_to_the_heap_changes_nothing(
        edges in prop::collection::vec((0..9_u32, 0..9_u32, 0..3_u32), 0..20),
        bound in 0..9_u32,
    ) {
        let successors = |n: u32| edges.iter().filter(move |edge| edge.0 == n).map(|&(_, to, cost)| (to, cost));
        let small = from_fn(|&n: &u32| successors(n).collect::<Vec<_>>(), |&n| n == 8);
        let large = |n| Large(n, [0; 1 << 14]);
        let wide = from_fn(
            |state: &Large| successors(state.0).map(|(to, cost)| (large(to), cost)).collect::<Vec<_>>(),
            |state| state.0 == 8,
        );
        let few = dive(&wide, &large(0), bound);
        let many = dive(&small, &0, bound);
        prop_assert_eq!((few.0, few.1, few.2.expanded, few.2.generated), (many.0, many.1, many.2.expanded, many.2.generated));
        prop_assert_eq!(few.2.peak_states, many.2.peak_states);
    }
}
