//! Batches on several threads: memory is divided so that answers do not depend on the order in which threads run, the
//! allocator counts no more than the limit, and a worker that panics ends the batch.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use pintu_engine::{
    Algorithm, Answer, HeuristicName, Progress, Request, memory::MIN_SHARE_BYTES, run_batch, tables::Store,
};
use pintu_search::{Control, Limits};
use pintu_solver::store::{Extent, Key, TableSource as _};
use pintu_testing::Counting;
use pintu_tiles::{Moves, NamedGoal, Puzzle, Scrambler, Size, Topology};

#[global_allocator]
static MEMORY: Counting = Counting::new();

const THREADS: usize = 4;
/// Bytes that a thread holds besides growing structures: its names, the request, the answer, a construction.
const BESIDES: u64 = 32 << 10;

/// The allocator counts for the whole process: one test at a time.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn requests(side: usize, count: u64, algorithm: Algorithm, nodes: Option<u64>) -> Vec<Request> {
    let topology = Topology::plain(Size::new(side, side).unwrap());
    let goal = NamedGoal::Standard.on(topology.size());
    let start = |seed| Scrambler::new(topology, goal.clone(), seed).uniform();
    let request = |seed| Request {
        limits: Limits::none().nodes(nodes),
        ..Request::new(Puzzle::new(topology, start(seed), goal.clone()).unwrap(), algorithm)
    };
    (1..=count).map(request).collect()
}

/// The result of a request: its status, length, bound, and counts.
type Told = (&'static str, Option<usize>, Option<u32>, [u64; 4]);

fn told(answer: &Answer) -> Told {
    let counters = answer.counters;
    let counts = [counters.expanded, counters.generated, counters.peak_states, counters.peak_bytes];
    (answer.status(), answer.moves().map(Moves::len), answer.lower_bound(), counts)
}

/// Solves with fresh tables on `threads` threads under a limit, which binds what the allocator counts.
fn batch(requests: &[Request], threads: usize, limit: Option<u64>) -> Vec<Told> {
    let control = Control::new(Limits::none().memory(limit));
    let tables = Store::in_memory();
    tables.evict_for(&control);
    let items = requests.iter().map(|request| ((), Some(Request { tables: tables.clone(), ..request.clone() })));
    let mut answers = Vec::with_capacity(requests.len());
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let sent: Result<(), ()> = run_batch(items, threads, &control, &Progress::default(), |(), answered| {
        answers.push(told(&answered.unwrap().1.unwrap()));
        Ok(())
    });
    let held = MEMORY.peak() - before;
    assert!(sent.is_ok());
    assert_eq!(control.held(), 0, "what was held is given back");
    assert_eq!(control.counters().expanded, answers.iter().map(|told| told.3[0]).sum::<u64>());
    if let Some(limit) = limit {
        assert!(held <= limit + THREADS as u64 * BESIDES, "held {held} bytes under a limit of {limit}");
    }
    answers
}

#[test]
fn each_board_is_answered_as_it_is_alone_with_its_share() {
    let _one = one_at_a_time();
    for requests in [Algorithm::Bfs, Algorithm::Bidirectional].map(|algorithm| requests(4, 3, algorithm, None)) {
        let share = MIN_SHARE_BYTES + 12_345;
        let alone: Vec<Told> =
            requests.iter().flat_map(|request| batch(std::slice::from_ref(request), 1, Some(share))).collect();
        assert_eq!(batch(&requests, THREADS, Some(THREADS as u64 * share)), alone);
        // With less than two shares, one search runs at a time, and has all memory.
        let little = 2 * MIN_SHARE_BYTES - 1;
        let alone: Vec<Told> =
            requests.iter().flat_map(|request| batch(std::slice::from_ref(request), 1, Some(little))).collect();
        assert_eq!(batch(&requests, THREADS, Some(little)), alone);
    }
}

#[test]
fn no_answer_depends_on_the_order_in_which_threads_run() {
    let _one = one_at_a_time();
    // Boards that use tables, other tables and none: with beams, which adapt to little memory, and with blind searches.
    let four = requests(4, 3, Algorithm::Auto, Some(200_000));
    let blind = requests(4, 2, Algorithm::Bfs, Some(200_000));
    let five = requests(5, 2, Algorithm::Auto, Some(200_000));
    let mixed: Vec<Request> = [&four[..2], &blind, &five, &four[2..]].concat();
    for mebibytes in [24, 60] {
        let first = batch(&mixed, THREADS, Some(mebibytes << 20));
        assert_eq!(batch(&mixed, THREADS, Some(mebibytes << 20)), first, "{mebibytes} MiB");
    }
}

#[test]
fn tables_that_all_share_count_once() {
    let _one = one_at_a_time();
    let requests = requests(4, 6, Algorithm::Auto, None);
    let key = Key::of(&requests[0].puzzle, Extent::Small);
    let tables = Store::in_memory().make(key, 1, &Control::unlimited()).unwrap().bytes();
    let limit = tables + THREADS as u64 * MIN_SHARE_BYTES;
    let alone = batch(&requests, 1, None).into_iter();
    for (alone, beside) in alone.zip(batch(&requests, THREADS, Some(limit))).skip(1) {
        let [expanded, generated, states, bytes] = alone.3;
        let expected = (alone.0, alone.1, alone.2, [expanded, generated, states, bytes - tables]);
        assert_eq!(beside, expected);
    }
}

#[test]
fn what_beams_prepare_is_asked_for_first() {
    let _one = one_at_a_time();
    for (side, limits) in [(8, [100_000, 400_000, 1_500_000]), (16, [1_000_000, 4_000_000, 12_000_000])] {
        let requests = requests(side, 4, Algorithm::Auto, Some(50_000)).into_iter();
        let heuristic = Some(HeuristicName::Manhattan);
        let requests: Vec<_> = requests.map(|request| Request { heuristic, ..request }).collect();
        for limit in limits {
            assert!(batch(&requests, THREADS, Some(limit)).iter().all(|told| told.0 == "solved"));
        }
    }
}

#[test]
fn nobody_waits_for_boards_that_are_still_to_come() {
    let _one = one_at_a_time();
    let (tell, wait) = mpsc::channel();
    // The sender of the boards wants both answers before it goes on.
    let boards = requests(3, 2, Algorithm::Bfs, None).into_iter().map(|request| ((), Some(request)));
    let items = boards.chain(std::iter::once_with(move || {
        (0..2).for_each(|_| wait.recv_timeout(Duration::from_mins(1)).expect("an answer"));
        ((), None)
    }));
    let sent = run_batch(items, THREADS, &Control::unlimited(), &Progress::default(), |(), answered| match answered {
        Some((_, answer)) => {
            assert!(answer.unwrap().is_optimal());
            tell.send(())
        }
        None => Ok(()),
    });
    assert!(sent.is_ok());
}

#[test]
fn a_panic_ends_the_batch() {
    let _one = one_at_a_time();
    let easy = requests(3, 1, Algorithm::Astar, None).remove(0);
    // The panic is in the items, or in the output while others wait for the first answer or for items.
    let run = |panics_at: usize, in_items: bool| {
        let items = (0..500).map(|at| {
            assert!(!in_items || at != panics_at, "as it should");
            (at, Some(easy.clone()))
        });
        catch_unwind(AssertUnwindSafe(|| {
            run_batch(items, THREADS, &Control::unlimited(), &Progress::default(), |at, _| {
                assert!(in_items || at != panics_at, "as it should");
                Ok::<(), ()>(())
            })
        }))
    };
    let (tell, wait) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            for panics_at in [0, 1, 2, 7, 80, 300, 499] {
                for in_items in [false, true] {
                    assert!(run(panics_at, in_items).is_err());
                }
            }
            tell.send(())
        });
        wait.recv_timeout(Duration::from_mins(1)).expect("no worker waits for ever");
    });
}
