//! Batches on several threads under one limit on memory: what the largest board takes by itself is enough for all of them,
//! and the allocator counts no more than the limit.

use std::{
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
    time::Duration,
};

use pintu_engine::{Algorithm, Answer, Done, HeuristicName, Request, run_batch, tables::Store};
use pintu_search::{Control, Limits};
use pintu_testing::Counting;
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

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

/// The answers on so many threads under a limit, and the most bytes that were held.
fn batch(requests: &[Request], threads: usize, limit: Option<u64>) -> (Vec<Answer>, u64) {
    let control = Control::new(Limits { memory: limit, ..Limits::default() });
    let items = requests.iter().map(|request| ((), Some(request.clone())));
    let mut answers = Vec::with_capacity(requests.len());
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let sent: Result<(), ()> = run_batch(items, threads, &control, &Done::default(), |(), answered| {
        answers.push(answered.unwrap().1.unwrap());
        Ok(())
    });
    assert!(sent.is_ok());
    assert_eq!(control.memory_left(), limit, "what was held is given back");
    (answers, MEMORY.peak() - before)
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
        let (alone, _) = batch(&requests, 1, None);
        let most = most_bytes(&alone);
        // All are answered where the largest fits, and where it does not, the same ones as on one thread.
        for limit in [most, most * 5 / 4, most * 2, most * 2 / 3] {
            let (answers, held) = batch(&requests, THREADS, Some(limit));
            let (expected, _) = batch(&requests, 1, Some(limit));
            assert_eq!(told(&answers), told(&expected), "{algorithm} under {limit} of {most} bytes");
            check_held(held, limit);
        }
    }
}

#[test]
fn nobody_waits_for_boards_that_are_still_to_come() {
    let _turn = turn();
    let requests = requests(3, 2, Algorithm::Bfs);
    let limit = most_bytes(&batch(&requests, 1, None).0);
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
    let (alone, _) = batch(&requests, 1, None);
    let limit = most_bytes(&alone) * 5 / 4;
    let (answers, held) = batch(&requests, THREADS, Some(limit));
    assert_eq!(lengths(&answers), lengths(&alone));
    check_held(held, limit);
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
            let (answers, held) = batch(&requests, THREADS, Some(limit));
            assert!(answers.iter().all(|answer| answer.moves().is_some()));
            check_held(held, limit);
        }
    }
}
