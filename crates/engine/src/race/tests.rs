use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use pintu_search::{Stop, Weight};
use pintu_tiles::{Notation, Puzzle, Topology, least_moves};

use super::*;
use crate::{
    Entry, HeuristicName, Verdict, compare,
    fixtures::{puzzle, scrambled, solved},
    trace::MAX_NEWS,
};

fn contestants(names: &[&str]) -> Vec<Contestant> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// A race in which contestants have the same expansions.
fn race(request: &Request, names: &[&str], control: &Control) -> Race {
    Race::new(request, &contestants(names), Fair::Expansions, control).unwrap()
}

fn hard(limits: Limits) -> Request {
    Request { limits, ..Request::new(puzzle(HARD), Algorithm::Auto) }
}

const ALL: [&str; 8] =
    ["bfs", "bidirectional", "dijkstra", "greedy:manhattan", "astar:manhattan", "wastar:manhattan:5", "ida", "iddfs"];
const HARD: &str = "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0";

#[test]
fn contestants_count_as_they_do_alone() {
    let board = puzzle("8 6 7 2 5 4 3 0 1");
    let request = Request::new(board.clone(), Algorithm::Auto);
    let contestants = contestants(&ALL[..7]);
    let alone = compare(&request, &[board], &contestants, &Control::unlimited(), &mut |_| ()).unwrap();
    for fair in [Fair::Expansions, Fair::Time] {
        let race = Race::new(&request, &contestants, fair, &Control::unlimited()).unwrap().with_growth();
        let finishes = race.run().unwrap();
        for (finish, entry) in finishes.iter().zip(&alone) {
            let (own, other) = (&finish.answer, &entry.answers[0]);
            assert_eq!(own.counters, other.counters, "{}", finish.contestant);
            assert_eq!(own.moves(), other.moves(), "{}", finish.contestant);
            assert_adds_up(finish);
        }
        for (row, finish) in race.rows().iter().zip(&finishes) {
            assert!(row.status == "done" && row.seconds > 0.0);
            let (moves, is_optimal) = (finish.answer.moves().unwrap(), finish.answer.is_optimal());
            assert_eq!((row.length, row.optimal), (Some(moves.len()), Some(is_optimal)), "{}", row.contestant);
        }
    }
}

/// The counts of all depths or bounds add up to the answer's.
fn assert_adds_up(finish: &Finish) {
    let (growth, counters) = (finish.growth.as_ref().unwrap(), finish.answer.counters);
    let sum = |value: fn(&Growth) -> u64| growth.iter().map(value).sum::<u64>();
    let sums = (sum(|one| one.expanded), sum(|one| one.generated));
    assert_eq!(sums, (counters.expanded, counters.generated), "{}: {counters:?}", finish.contestant);
}

#[test]
fn growth_is_by_depth_and_by_bound() {
    let request = Request::new(puzzle("0 1 3 4 2 5 7 8 6"), Algorithm::Auto);
    let control = Control::unlimited();
    let race = race(&request, &["bfs", "ida:none"], &control).with_growth();
    let finishes = race.run().unwrap();
    let depths = |finish: &Finish| finish.growth.as_ref().unwrap().iter().map(|one| one.bound).collect::<Vec<_>>();
    assert_eq!(depths(&finishes[0]), [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(finishes[0].growth.as_ref().unwrap()[1].expanded, 2, "two moves from a corner");
    assert_eq!(depths(&finishes[1]), [0.0, 1.0, 2.0, 3.0, 4.0]);
    let text = serde_json::to_string(&finishes[0].record(Notation::Blank)).unwrap();
    assert!(text.contains(r#""contestant":"bfs","status":"solved""#) && text.contains(r#""growth":[[0,1,"#), "{text}");
}

#[test]
fn growth_adds_up_wherever_a_limit_ends_it() {
    for nodes in [0, 1, 2, 7, 100] {
        let limits = Limits::none().nodes(nodes);
        let request = Request { limits, ..Request::new(puzzle("8 6 7 2 5 4 3 0 1"), Algorithm::Auto) };
        let race = race(&request, &ALL, &Control::unlimited()).with_growth();
        race.run().unwrap().iter().for_each(assert_adds_up);
    }
}

/// Looks at a race again and again while it runs.
fn watched(race: &Race, mut look: impl FnMut(&[RaceRow])) -> Vec<Finish> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let running = scope.spawn(|| {
            let finishes = race.run().unwrap();
            is_over.store(true, Relaxed);
            finishes
        });
        while !is_over.load(Relaxed) {
            look(&race.rows());
            thread::sleep(Duration::from_micros(300));
        }
        running.join().unwrap()
    })
}

/// The sums of all reported growth, by bound.
type Grown = BTreeMap<u64, (u64, u64)>;

fn add(grown: &mut [Grown], rows: &[RaceRow]) {
    for (grown, row) in grown.iter_mut().zip(rows) {
        grown.extend(row.growth.iter().map(|one| (one.bound as u64, (one.expanded, one.generated))));
    }
}

#[test]
fn growth_is_told_while_it_goes_on() {
    let request = hard(Limits::none().nodes(60_000));
    let race = race(&request, &ALL, &Control::unlimited()).with_growth();
    let (mut grown, mut live) = (vec![Grown::new(); ALL.len()], vec![0; ALL.len()]);
    let mut found = None;
    let finishes = watched(&race, |rows| {
        // Weighted A* is done long before the others.
        found = found.or(rows[5].length.zip(rows[5].optimal).filter(|_| rows[0].status == "running"));
        assert!(rows.iter().all(|row| row.growth.len() <= MAX_NEWS));
        add(&mut grown, rows);
        for ((row, grown), live) in rows.iter().zip(&grown).zip(&mut live) {
            *live = if row.status == "running" { grown.len() } else { *live };
        }
    });
    assert_eq!(found, finishes[5].answer.moves().map(|moves| (moves.len(), false)), "seen while others still run");
    // IDA* has one bound after the other from the beginning; breadth-first search has gone some way.
    assert!(live[0] > 5 && live[6] > 1, "{live:?}");
    loop {
        let rows = race.rows();
        if rows.iter().all(|row| row.growth.is_empty()) {
            break;
        }
        add(&mut grown, &rows);
    }
    for (grown, finish) in grown.iter().zip(&finishes) {
        let growth = finish.growth.as_ref().unwrap();
        let ends: Vec<_> = growth.iter().map(|one| (one.bound as u64, (one.expanded, one.generated))).collect();
        assert!(growth.windows(2).all(|pair| pair[0].bound < pair[1].bound), "{}", finish.contestant);
        assert_eq!(grown.clone().into_iter().collect::<Vec<_>>(), ends, "{}", finish.contestant);
    }
}

#[test]
fn none_is_ahead_by_more_than_the_quantum_and_states_that_are_held_are_seen() {
    let request = hard(Limits::none().nodes(60_000));
    let race = race(&request, &ALL, &Control::unlimited());
    let (mut looks, mut seen) = (0, [0; ALL.len()]);
    let finishes = watched(&race, |rows| {
        let running = || rows.iter().zip(0..).filter(|(row, _)| row.status == "running");
        if let (Some(least), Some(most)) =
            (running().map(|(row, _)| row.expanded).min(), running().map(|(row, _)| row.expanded).max())
        {
            looks += usize::from(running().count() > 1);
            assert!(most - least <= QUANTUM, "{least} {most}");
        }
        for (row, number) in running() {
            assert!(row.peak_states >= seen[number], "{}", row.contestant);
            seen[number] = row.peak_states;
        }
    });
    assert!(looks > 10);
    for (finish, seen) in finishes.iter().zip(seen) {
        let (contestant, counters) = (finish.contestant, finish.answer.counters);
        assert!(seen <= counters.peak_states, "{contestant}: {seen} of {}", counters.peak_states);
        if finish.answer.moves().is_none() {
            assert_eq!(counters.expanded, 60_000, "{contestant}: each has its own nodes");
            assert!(seen > 0 || contestant.algorithm == Algorithm::Ida, "{contestant}");
        }
    }
}

#[test]
fn time_is_shared_out_evenly() {
    let request = hard(Limits::none().time(Duration::from_millis(600)));
    let times = || -> Vec<f64> {
        let control = Control::unlimited();
        let race = Race::new(&request, &contestants(&["bfs", "ida:none", "dijkstra"]), Fair::Time, &control).unwrap();
        let finishes = race.run().unwrap();
        assert!(finishes.iter().all(|finish| finish.answer.status() == "limit"));
        finishes.iter().map(|finish| finish.answer.seconds).collect()
    };
    // A third each. A busy machine may give one contestant more, but not each time.
    let is_even = |_| times().iter().all(|&time| time > 0.1 && time < 0.35);
    assert!((0..20).any(is_even), "it was never shared out evenly");
}

#[test]
fn one_switch_ends_all_of_them() {
    let request = Request::new(puzzle(HARD), Algorithm::Auto);
    let control = Control::unlimited();
    let race = race(&request, &["ida:none", "iddfs", "ida:misplaced"], &control);
    let finishes = watched(&race, |rows| {
        if rows.iter().all(|row| row.expanded > 2000) {
            control.cancel_switch().cancel();
        }
    });
    for finish in finishes {
        assert_eq!((finish.answer.status(), finish.answer.reason().as_deref()), ("limit", Some("cancelled")));
    }
}

#[test]
fn one_limit_on_memory_holds_for_all() {
    let request = hard(Limits::none().memory(8 << 20));
    let control = Control::unlimited();
    let race = race(&request, &["bfs", "dijkstra", "astar:none"], &control);
    let finishes = race.run().unwrap();
    let held: u64 = finishes.iter().map(|finish| finish.answer.counters.peak_bytes).sum();
    assert!(finishes.iter().all(|finish| finish.answer.reason().as_deref() == Some("memory")));
    // The last contestant may have the memory that the others gave back.
    assert!(control.counters().peak_bytes <= 8 << 20 && held > 4 << 20, "{held}");
}

#[test]
fn impossible_contestants_are_refused_before_anything_runs() {
    let request = Request::new(puzzle("0 1 3 4 2 5 7 8 6"), Algorithm::Auto);
    let weighted = Contestant { weight: Some(Weight::ONE), ..Contestant::new(Algorithm::Bfs) };
    let guided = Contestant { heuristic: Some(HeuristicName::Manhattan), ..Contestant::new(Algorithm::Bfs) };
    let deep = |algorithm| Contestant { max_depth: Some(20), ..Contestant::new(algorithm) };
    let race = |contestant| Race::new(&request, &[contestant], Fair::Time, &Control::unlimited());
    for contestant in
        [weighted, guided].into_iter().chain([Algorithm::Astar, Algorithm::Iddfs, Algorithm::Auto].map(deep))
    {
        assert!(race(contestant).is_err(), "{contestant:?}");
    }
    assert!([Algorithm::Dfs, Algorithm::DfsTree].map(deep).into_iter().all(|contestant| race(contestant).is_ok()));
}

#[test]
fn a_heuristic_that_does_not_hold_is_refused_before_anything_runs_and_its_contestant_named() {
    let (large, plain) = (solved(8, 8), puzzle("0 1 3 4 2 5 7 8 6"));
    let around = Topology::wrapped(plain.size(), [0], []).unwrap();
    let wrapped = Puzzle::new(around, plain.start().clone(), plain.goal().clone()).unwrap();
    let cases = [
        (&large, "astar:pattern", "found a board of 64 cells"),
        (&wrapped, "astar:euclidean", "euclidean"),
        (&wrapped, "ida:linear-conflict", "linear-conflict"),
        (&wrapped, "greedy:walking-distance", "walking-distance"),
    ];
    for (puzzle, name, why) in cases {
        let request = Request::new(puzzle.clone(), Algorithm::Auto);
        let pair = contestants(&["astar:manhattan", name]);
        let refused = [
            Race::new(&request, &pair, Fair::Expansions, &Control::unlimited()).map(drop).unwrap_err(),
            Series::new(&request, vec![puzzle.clone()], &pair, Fair::Time).map(drop).unwrap_err(),
            compare(&request, std::slice::from_ref(puzzle), &pair, &Control::unlimited(), &mut |turn| {
                panic!("{} had its turn", turn.contestant)
            })
            .unwrap_err(),
        ];
        for error in refused.map(|error| error.to_string()) {
            assert!(error.starts_with(&format!("{name}: ")) && error.contains(why), "{error}");
        }
    }
}

#[test]
fn a_series_ends_with_its_time_and_answers_every_board() {
    let request = hard(Limits::none().time(Duration::from_millis(50)));
    let boards = vec![puzzle(HARD); 2_000];
    let series = Series::new(&request, boards, &contestants(&["bfs", "astar", "ida"]), Fair::Expansions).unwrap();
    let begun = Instant::now();
    let entries = series.run(&Control::unlimited()).unwrap();
    // Searching one of them takes minutes; a busy machine takes seconds to answer for all.
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
    for entry in entries {
        assert_eq!(entry.answers.len(), 2_000);
        assert!(matches!(entry.answers[1_999].verdict, Verdict::Limit { why: Stop::Time, .. }));
    }
}

/// A bound means the same while a search runs and when it has ended: no solution is shorter.
#[test]
fn a_bound_is_what_answers_say_from_the_beginning() {
    let request = hard(Limits::none().nodes(60_000));
    let names = ["bfs", "ida:misplaced", "greedy:manhattan", "dfs", "wastar:manhattan:5"];
    let race = race(&request, &names, &Control::unlimited());
    let mut told: Vec<Vec<u64>> = vec![Vec::new(); names.len()];
    let finishes = watched(&race, |rows| {
        for (row, told) in rows.iter().zip(&mut told).filter(|(row, _)| row.expanded > 0) {
            told.extend(row.bound);
        }
    });
    let least = u64::from(least_moves(&request.puzzle));
    for ((finish, row), told) in finishes.iter().zip(race.rows()).zip(told) {
        let proved = finish.answer.lower_bound().map(u64::from);
        assert_eq!(row.bound, proved, "{}", finish.contestant);
        assert!(!told.is_empty(), "{}", finish.contestant);
        assert!(
            told.iter().all(|&bound| (least..=proved.unwrap()).contains(&bound)),
            "{}: {told:?}",
            finish.contestant
        );
    }
}

/// A cancelled series has the averages of the boards that all contestants have done, as a comparison of these boards has.
#[test]
fn a_series_that_is_cancelled_is_about_the_boards_that_all_have_done() {
    let boards: Vec<Puzzle> = scrambled(3, 3, 7).take(2_000).collect();
    let request = Request::new(boards[0].clone(), Algorithm::Auto);
    let contestants = contestants(&["bfs", "wastar:manhattan:5"]);
    let control = Control::unlimited();
    let series = Series::new(&request, boards.clone(), &contestants, Fair::Expansions).unwrap();
    let raced = thread::scope(|scope| {
        scope.spawn(|| {
            while series.rows()[0].boards < Some(3) {
                thread::sleep(Duration::from_millis(1));
            }
            control.cancel_switch().cancel();
        });
        series.run(&control).unwrap()
    });
    let done = raced[0].answers.len();
    assert!((3..2_000).contains(&done), "{done}");
    let compared = compare(&request, &boards[..done], &contestants, &Control::unlimited(), &mut |_| ()).unwrap();
    for (raced, compared) in raced.iter().zip(&compared) {
        let counts = |entry: &Entry| entry.answers.iter().map(|answer| answer.counters).collect::<Vec<_>>();
        assert_eq!(counts(raced), counts(compared));
        let (own, other) = (raced.summary().unwrap(), compared.summary().unwrap());
        assert_eq!((own.boards, own.unanswered, own.solved), (2_000, 2_000 - done, done));
        assert_eq!((own.status, other.status, other.unanswered), ("limit", "solved", 0));
        assert_eq!(own.mean.unwrap().expanded.to_bits(), other.mean.unwrap().expanded.to_bits());
    }
}

#[test]
fn a_series_that_is_cancelled_before_a_board_is_done_has_an_answer_and_no_averages() {
    let request = Request::new(puzzle(HARD), Algorithm::Auto);
    let control = Control::unlimited();
    control.cancel_switch().cancel();
    let series = Series::new(&request, vec![puzzle(HARD); 9], &contestants(&["bfs", "ida"]), Fair::Expansions).unwrap();
    for entry in series.run(&control).unwrap() {
        let summary = entry.summary().unwrap();
        assert_eq!((summary.boards, summary.unanswered, summary.solved), (9, 9, 0));
        assert!(summary.mean.is_none());
    }
}

/// Answers with many moves are kept within the memory of the series, and dropped if there is none for them.
#[test]
fn a_series_keeps_its_answers_within_its_memory() {
    let limits = Limits::none().memory(6 << 20);
    let board = puzzle("8 6 7 2 5 4 3 0 1");
    let request = Request { limits, max_depth: Some(1_000_000), ..Request::new(board.clone(), Algorithm::Auto) };
    let control = Control::unlimited();
    let series = Series::new(&request, vec![board; 200], &contestants(&["dfs"]), Fair::Expansions).unwrap();
    let answers = &series.run(&control).unwrap()[0].answers;
    let held: usize = answers.iter().filter_map(Answer::moves).map(Moves::len).sum();
    assert!(answers[0].moves().is_some_and(|moves| moves.len() > 10_000), "{:?}", answers[0].status());
    assert!(held < 6 << 20 && answers.iter().any(|answer| answer.moves().is_none()), "{held}");
    assert!(control.counters().peak_bytes <= 6 << 20);
}

/// A race on one thread, as in a browser.
fn alone(request: &Request, names: &[&str], fair: Fair, control: &Control) -> Race {
    Race::with(false, request, &contestants(names), fair, control).unwrap().with_growth()
}

#[test]
fn without_threads_contestants_count_as_they_do_alone() {
    let board = puzzle("8 6 7 2 5 4 3 0 1");
    let request = Request::new(board.clone(), Algorithm::Auto);
    let names: Vec<&str> = ALL[..7].iter().copied().chain(["auto"]).collect();
    let entries = compare(&request, &[board], &contestants(&names), &Control::unlimited(), &mut |_| ()).unwrap();
    for fair in [Fair::Expansions, Fair::Time] {
        let race = alone(&request, &names, fair, &Control::unlimited());
        let finishes = race.run().unwrap();
        for ((finish, row), entry) in finishes.iter().zip(race.rows()).zip(&entries) {
            let (own, other) = (&finish.answer, &entry.answers[0]);
            assert_eq!((own.counters, own.moves()), (other.counters, other.moves()), "{}", finish.contestant);
            assert_eq!((row.status, row.expanded), ("done", own.counters.expanded), "{}", finish.contestant);
            assert_adds_up(finish);
        }
    }
}

#[test]
fn without_threads_each_has_its_nodes_and_all_have_the_time() {
    let names = ["bfs", "ida:none", "iddfs", "astar:manhattan"];
    let nodes = 100_000;
    let finishes = alone(&hard(Limits::none().nodes(nodes)), &names, Fair::Expansions, &Control::unlimited()).run();
    for finish in finishes.unwrap() {
        let reason = finish.answer.reason();
        assert_eq!(
            (finish.answer.counters.expanded, reason.as_deref()),
            (nodes, Some("nodes")),
            "{}",
            finish.contestant
        );
    }
    for fair in [Fair::Expansions, Fair::Time] {
        let limits = Limits::none().time(Duration::from_millis(400));
        let began = Instant::now();
        let finishes = alone(&hard(limits), &names, fair, &Control::unlimited()).run().unwrap();
        assert!(began.elapsed() < Duration::from_secs(30));
        assert!(finishes.iter().all(|finish| finish.answer.reason().as_deref() == Some("time")));
        assert!(finishes.iter().any(|finish| finish.answer.counters.expanded > 0));
    }
}

#[test]
fn without_threads_a_race_that_is_asked_to_end_keeps_the_longest_attempts() {
    let began = Instant::now();
    let control = Control::with_cancel(
        Limits::none(),
        pintu_search::Cancel::asking(move || began.elapsed() > Duration::from_millis(500)),
    );
    let names = ["ida:none", "iddfs", "ida:misplaced"];
    let race = alone(&hard(Limits::none()), &names, Fair::Expansions, &control);
    for (finish, row) in race.run().unwrap().iter().zip(race.rows()) {
        assert_eq!(finish.answer.reason().as_deref(), Some("cancelled"));
        assert_eq!((row.status, row.expanded), ("done", finish.answer.counters.expanded), "{}", finish.contestant);
    }
}
