//! Batches on several threads under one limit on memory: every board is answered as it is alone, and the allocator counts no
//! more than the limit.

use std::{
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
    time::Duration,
};

use pintu_engine::{Algorithm, Answer, Done, HeuristicName, Request, run_batch, tables::Store};
use pintu_search::{Control, Counters, Limits};
use pintu_testing::Counting;
use pintu_tiles::{Moves, NamedGoal, Puzzle, Scrambler, Size, Topology};

#[global_allocator]
static MEMORY: Counting = Counting::new();

const THREADS: usize = 4;
/// What a thread holds besides what grows: its own names, the question, the answer, what a construction takes.
const BESIDES: u64 = 32 << 10;

/// The allocator counts for the whole process: one test at a time.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn requests(side: usize, count: u64, algorithm: Algorithm) -> Vec<Request> {
    let topology = Topology::plain(Size::new(side, side).unwrap());
    let goal = NamedGoal::Standard.on(topology.size());
    let start = |seed| Scrambler::new(topology, goal.clone(), seed).uniform();
    let tables = Store::in_memory();
    let request = |seed| Request {
        tables: tables.clone(),
        ..Request::new(Puzzle::new(topology, start(seed), goal.clone()).unwrap(), algorithm)
    };
    (1..=count).map(request).collect()
}

/// What came of a batch.
struct Ran {
    answers: Vec<Answer>,
    /// The most bytes that were held.
    held: u64,
    /// How many boards were begun again.
    again: usize,
}

/// Solves on so many threads under a limit, for which tables give way.
fn batch(requests: &[Request], threads: usize, limit: Option<u64>) -> Ran {
    let control = Control::new(Limits { memory: limit, ..Limits::default() });
    requests[0].tables.give_way_to(&control);
    let items = requests.iter().map(|request| ((), Some(request.clone())));
    let mut answers = Vec::with_capacity(requests.len());
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let done = Done::default();
    let sent: Result<(), ()> = run_batch(items, threads, &control, &done, |(), answered| {
        answers.push(answered.unwrap().1.unwrap());
        Ok(())
    });
    assert!(sent.is_ok());
    assert_eq!(control.held(), 0, "what was held is given back");
    assert_eq!(control.counters().expanded, answers.iter().map(|answer| answer.counters.expanded).sum::<u64>());
    Ran { answers, held: MEMORY.peak() - before, again: done.again() }
}

/// What the board that takes most says that it has held.
fn most_bytes(answers: &[Answer]) -> u64 {
    answers.iter().map(|answer| answer.counters.peak_bytes).max().unwrap()
}

fn check_held(held: u64, limit: u64) {
    assert!(held <= limit + THREADS as u64 * BESIDES, "held {held} bytes under a limit of {limit}");
}

#[test]
fn boards_that_are_refused_what_others_hold_are_answered_as_if_alone() {
    let _turn = turn();
    let told = |answers: &[Answer]| -> Vec<_> {
        answers.iter().map(|answer| (answer.status(), answer.moves().cloned(), answer.counters)).collect()
    };
    for algorithm in [Algorithm::Bfs, Algorithm::Dijkstra, Algorithm::Bidirectional] {
        let requests = requests(3, 12, algorithm);
        let most = most_bytes(&batch(&requests, 1, None).answers);
        // All are answered where the largest fits, and where it does not, the same ones as on one thread.
        for limit in [most, most * 5 / 4, most * 2, most * 2 / 3] {
            let ran = batch(&requests, THREADS, Some(limit));
            let expected = batch(&requests, 1, Some(limit));
            assert_eq!(told(&ran.answers), told(&expected.answers), "{algorithm} under {limit} of {most} bytes");
            check_held(ran.held, limit);
        }
    }
}

#[test]
fn nobody_waits_for_boards_that_are_still_to_come() {
    let _turn = turn();
    let requests = requests(3, 2, Algorithm::Bfs);
    let limit = most_bytes(&batch(&requests, 1, None).answers);
    let (tell, told) = mpsc::channel();
    // Whoever sends the boards wants both answers before going on.
    let boards = requests.iter().map(|request| ((), Some(request.clone())));
    let items = boards.chain(std::iter::once_with(move || {
        (0..2).for_each(|_| told.recv_timeout(Duration::from_mins(1)).expect("an answer"));
        ((), None)
    }));
    let control = Control::new(Limits { memory: Some(limit), ..Limits::default() });
    let sent = run_batch(items, THREADS, &control, &Done::default(), |(), answered| match answered {
        Some((_, answer)) => {
            assert!(answer.unwrap().is_optimal());
            tell.send(())
        }
        None => Ok(()),
    });
    assert!(sent.is_ok());
}

#[test]
fn boards_that_share_too_little_for_tables_are_proved_all_the_same() {
    let _turn = turn();
    let requests = requests(4, 4, Algorithm::Auto);
    let lengths = |answers: &[Answer]| -> Vec<_> {
        assert!(answers.iter().all(Answer::is_optimal));
        answers.iter().map(|answer| answer.moves().unwrap().len()).collect()
    };
    let alone = batch(&requests, 1, None).answers;
    let limit = most_bytes(&alone) * 5 / 4;
    let ran = batch(&requests, THREADS, Some(limit));
    assert_eq!(lengths(&ran.answers), lengths(&alone));
    check_held(ran.held, limit);
}

#[test]
fn what_beams_prepare_is_asked_for_first() {
    let _turn = turn();
    for (side, limits) in [(8, [100_000, 400_000, 1_500_000]), (16, [1_000_000, 4_000_000, 12_000_000])] {
        let nodes = Limits { nodes: Some(50_000), ..Limits::default() };
        let requests = requests(side, 4, Algorithm::Auto).into_iter();
        let heuristic = Some(HeuristicName::Manhattan);
        let requests: Vec<_> = requests.map(|request| Request { limits: nodes, heuristic, ..request }).collect();
        for limit in limits {
            let ran = batch(&requests, THREADS, Some(limit));
            assert!(ran.answers.iter().all(|answer| answer.moves().is_some()));
            check_held(ran.held, limit);
        }
    }
}

fn with_nodes(requests: Vec<Request>, nodes: u64) -> Vec<Request> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    requests.into_iter().map(|request| Request { limits, ..request }).collect()
}

/// Everything but the bytes, of which the first board holds more: it makes the tables.
fn told(answer: &Answer) -> (&'static str, Option<usize>, Option<u32>, [u64; 3]) {
    let Counters { expanded, generated, peak_states, .. } = answer.counters;
    (answer.status(), answer.moves().map(Moves::len), answer.lower_bound(), [expanded, generated, peak_states])
}

#[test]
fn what_makes_do_with_less_beside_others_is_solved_as_if_alone() {
    let _turn = turn();
    let boards = [(5, 6, 300_000), (6, 4, 2_000_000)];
    for ((side, count, nodes), cases) in boards.into_iter().zip([&[(24, 4), (48, 3)][..], &[(24, 4)]]) {
        let requests = with_nodes(requests(side, count, Algorithm::Auto), nodes);
        for &(mebibytes, threads) in cases {
            let limit = mebibytes << 20;
            let alone: Vec<_> =
                requests.iter().map(|request| batch(std::slice::from_ref(request), 1, Some(limit))).collect();
            let alone: Vec<_> = alone.iter().map(|ran| told(&ran.answers[0])).collect();
            let ran = batch(&requests, threads, Some(limit));
            let beside: Vec<_> = ran.answers.iter().map(told).collect();
            assert_eq!(beside, alone, "{side}×{side} under {mebibytes} MiB on {threads} threads");
            check_held(ran.held, limit);
        }
    }
}

#[test]
fn nothing_is_begun_again_where_there_is_plenty() {
    let _turn = turn();
    for (side, nodes) in [(4, 1_000_000), (5, 300_000), (6, 300_000)] {
        let requests = with_nodes(requests(side, 8, Algorithm::Auto), nodes);
        for limit in [None, Some(1 << 30)] {
            assert_eq!(batch(&requests, THREADS, limit).again, 0, "{side}×{side}");
        }
    }
}

#[test]
fn tables_that_nobody_uses_are_not_held_beside_the_limit() {
    let _turn = turn();
    let boards = requests(4, 6, Algorithm::Auto);
    // Those that need no tables come after the ones that have made some, and before others that want them again.
    let mixed = boards.iter().enumerate().map(|(at, board)| Request {
        algorithm: if at % 2 == 0 { Algorithm::Auto } else { Algorithm::Bfs },
        limits: Limits { nodes: Some(400_000), ..Limits::default() },
        ..board.clone()
    });
    let mixed: Vec<Request> = mixed.collect();
    for mebibytes in [13, 15] {
        let limit = mebibytes << 20;
        let alone = mixed.iter().map(|request| {
            let fresh = Request { tables: Store::in_memory(), ..request.clone() };
            told(&batch(&[fresh], 1, Some(limit)).answers[0])
        });
        let alone: Vec<_> = alone.collect();
        for threads in [1, THREADS] {
            let tables = Store::in_memory();
            let mixed: Vec<_> =
                mixed.iter().map(|request| Request { tables: tables.clone(), ..request.clone() }).collect();
            let ran = batch(&mixed, threads, Some(limit));
            assert_eq!(ran.answers.iter().map(told).collect::<Vec<_>>(), alone, "{mebibytes} MiB, {threads} threads");
            check_held(ran.held, limit);
        }
        assert!(alone.iter().any(|one| one.0 == "solved") && alone.iter().any(|one| one.0 == "limit"));
    }
}
