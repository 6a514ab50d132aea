//! Searches hold the bytes that they report, by the allocator's own count.

use pintu_search::{
    Backward, Control, Counters, Limits, Observer, Zero, astar, bidirectional_astar, bidirectional_dijkstra,
    breadth_first, cheapest_first, cheapest_paths, depth_first, distances, from_fn, ida, paths_by_cost,
};
use pintu_testing::Counting;

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// Four ways in a square of cells; costs that fit buckets, and some that do not.
fn square(side: u32) -> impl Backward<State = (u32, u32), Cost = u32> {
    let goal = (side - 1, side - 1);
    let cost =
        |a: (u32, u32), b: (u32, u32)| if (a.0 ^ b.1) % 97 == 0 { 17_000 } else { 1 + (a.0 + b.0 + a.1 + b.1) % 7 };
    let around = move |&(x, y): &(u32, u32)| {
        [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))]
            .into_iter()
            .filter(move |to| to.0 < side && to.1 < side)
    };
    from_fn(
        move |at| {
            let from = *at;
            around(at).map(move |to| (to, cost(from, to)))
        },
        move |&at| at == goal,
    )
    .backward(vec![goal], move |at| {
        let to = *at;
        around(at).map(move |from| (from, cost(from, to)))
    })
}

/// Watches, and keeps nothing.
struct Watching;

impl Observer<u32, u32> for Watching {}

/// The most bytes that a search held, and the bytes that it reported.
fn measured(search: impl FnOnce() -> Counters) -> (u64, u64) {
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let said = search().peak_bytes;
    (MEMORY.peak() - before, said)
}

/// Measures an iterator up to a number of items.
macro_rules! drained {
    ($name:ident($($argument:expr),*), $most:expr) => {
        (
            stringify!($name),
            measured(|| {
                let mut all = $name($($argument),*);
                all.by_ref().take($most).for_each(drop);
                all.counters()
            }),
        )
    };
}

// One test alone: others beside it would be counted too.
#[test]
fn nothing_is_taken_that_is_not_said() {
    let (large, small) = (square(200), square(12));
    let chain = from_fn(|&n: &u32| (n < 30_000).then_some((n + 1, 0_u32)), |_| false);
    let far = |&(x, y): &(u32, u32)| 398 - x - y;
    let near = |&(x, y): &(u32, u32)| x + y;
    let limit = |memory| Control::new(Limits::none().memory(memory));
    for memory in [1_u64 << 40, 1 << 20, 200 << 10] {
        let control = limit(memory);
        let found = [
            ("astar", measured(|| astar(&large, &(0, 0), far, &control).counters)),
            ("bidirectional_dijkstra", measured(|| bidirectional_dijkstra(&large, &(0, 0), &control).counters)),
            ("bidirectional_astar", measured(|| bidirectional_astar(&large, &(0, 0), far, near, &control).counters)),
            ("distances", measured(|| distances(&large, &(0, 0), &control).counters())),
            ("cheapest_paths", measured(|| cheapest_paths(&large, &(0, 0), &control).report().counters)),
            drained!(breadth_first(&large, &(0, 0), &control), usize::MAX),
            drained!(depth_first(&large, &(0, 0), &control), usize::MAX),
            drained!(cheapest_first(&large, &(0, 0), &control), usize::MAX),
            (
                "ida on free steps, watched",
                measured(|| {
                    let control = limit(memory);
                    let _ = ida(&chain, &0, Zero, (&control, &mut Watching));
                    control.counters()
                }),
            ),
            drained!(paths_by_cost(&small, &(0, 0), Zero, &control), 300),
        ];
        for (name, (took, said)) in found {
            assert!(said <= memory, "{name}: {said} bytes are more than {memory}");
            // Besides there are the path, and what does not grow.
            assert!(took <= said + (24 << 10), "{name}: took {took} bytes and said {said}, of {memory}");
            assert_eq!(control.held(), 0, "{name}");
        }
    }
}
