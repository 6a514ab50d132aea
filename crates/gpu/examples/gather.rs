//! Gathers what a network learns from: states of beams on a GPU, and what became of them.
//!
//! A state of a beam is worth what the best of its descendants is worth some levels later, and those levels. What has no
//! descendants by then is worth no less than what the beam left out. Only the states of one level are ever compared: so much
//! is taken from all of a level that those with descendants are worth in the mean what they were thought to be.
//!
//! Each eighth beam is eight times as wide.
//!
//!     gather SIDE [width=65536] [levels=30] [every=8] [each=150] [seconds=20] [threads=12]
//!
//! Each line that it reads is a round: WEIGHTS FILE SEED, with `-` before there are any weights. FILE gets a record for each
//! state: its board in normal form; the tables' score, what it is worth, both in 1/64 of a move and 32 bits; and a byte that
//! is one if it is worth no less.

use std::{
    collections::VecDeque,
    fs::File,
    io::{BufWriter, Write},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Instant,
};

use pintu_gpu::{BeamLevel, BeamStates, LargeSearcher, Scoring, TableWeights, first_gpu};
use pintu_search::Control;
use pintu_solver::{
    internals::{DeviceGuide, normal_form_of},
    training::Judge,
};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

/// The fewest levels after which something is known of a state, at the end of a beam.
const FEWEST_LEVELS: u32 = 8;
/// By how much the state before the goal is better than the others of the last level, in 1/16 of a move.
const AHEAD: u16 = 64;
/// Of so many beams one is so many times as wide.
const WIDE: usize = 8;
/// The device's scores are in 1/16 of a move, these in 1/64.
const FINER: i32 = 4;

struct Plan {
    side: usize,
    width: u32,
    levels: u32,
    every: u32,
    each: usize,
    seconds: f64,
    /// How many beams run side by side.
    threads: usize,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (first, rest) = words.split_first().expect("a side");
    let number = |name: &str, usual: f64| {
        let value = rest.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.map_or(usual, |value| value.parse().expect("a number"))
    };
    let plan = Plan {
        side: first.parse().expect("a side"),
        width: number("width", 65536.0) as u32,
        levels: number("levels", 30.0) as u32,
        every: number("every", 8.0) as u32,
        each: number("each", 150.0) as usize,
        seconds: number("seconds", 20.0),
        threads: number("threads", 12.0) as usize,
    };
    let size = Size::new(plan.side, plan.side).expect("a board's side");
    let (topology, goal) = (Topology::plain(size), NamedGoal::Standard.on(size));
    let (normal, blank) = normal_form_of(topology, goal.blank());
    let gpu = first_gpu().expect("a GPU");
    let searcher = |_| {
        let guide = DeviceGuide::new(normal, blank).expect("a square with a network");
        let guided = LargeSearcher::guided_by(&gpu, (normal, blank), guide, &Control::unlimited());
        guided.expect("the device builds").0
    };
    let mut searchers: Vec<LargeSearcher> = (0..plan.threads).map(searcher).collect();
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let [weights, file, seed] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("found {line}") };
        let known = (weights != "-").then(|| std::fs::read(weights).expect("weights"));
        let guide = match &known {
            None => DeviceGuide::new(normal, blank),
            Some(bytes) => DeviceGuide::trained(normal, blank, bytes),
        };
        let guide = guide.expect("as many weights as there must be");
        let tables = TableWeights { sum: guide.sum_weight, distance: guide.distance_weight, shift: 2 };
        let network = searchers[0].upload_network(&guide).expect("the device has room");
        let scoring = if weights == "-" { Scoring::Tables(tables) } else { Scoring::Network(&network) };
        let file = Mutex::new(BufWriter::new(File::create(file).expect("a file")));
        let seed: u64 = seed.parse().expect("a seed");
        if let Some(bytes) = &known {
            compare(&Judge::new(plan.side, Some(bytes)), &mut searchers[0], (scoring, tables), plan.side);
        }
        let began = Instant::now();
        // How many boards were tried and solved, and in how many moves.
        let counts = [const { AtomicUsize::new(0) }; 3];
        std::thread::scope(|scope| {
            for (thread, searcher) in (0..).zip(&mut searchers) {
                let (plan, file, counts) = (&plan, &file, &counts);
                let mut scrambler = Scrambler::new(topology, goal.clone(), 1000 * seed + thread);
                scope.spawn(move || {
                    while began.elapsed().as_secs_f64() < plan.seconds {
                        let number = counts[0].fetch_add(1, Relaxed);
                        let beam = beam(plan, searcher, (scoring, tables), &mut scrambler, number);
                        let Some((records, moves)) = beam else { continue };
                        counts[1].fetch_add(1, Relaxed);
                        counts[2].fetch_add(moves as usize, Relaxed);
                        file.lock().expect("no thread panics").write_all(&records).expect("records are written");
                    }
                });
            }
        });
        let [tried, solved, moves] = counts.map(AtomicUsize::into_inner);
        let seconds = began.elapsed().as_secs_f64();
        println!("{solved} of {tried} boards in {:.2} moves, {seconds:.1} s", moves as f64 / solved as f64);
    }
}

/// Panics unless the device scores boards as the processor does.
fn compare(judge: &Judge, searcher: &mut LargeSearcher, (scoring, tables): (Scoring<'_>, TableWeights), side: usize) {
    let square = Size::new(side, side).expect("a board's side");
    let goal = NamedGoal::Standard.on(square);
    let start = Scrambler::new(Topology::plain(square), goal.clone(), 1).uniform();
    let puzzle = Puzzle::new(Topology::plain(square), start, goal).expect("one size");
    let mut watch = |level: &BeamLevel<'_>| {
        if level.before_goal.is_none() && level.level().is_multiple_of(20) {
            let states = level.states().expect("the device goes on");
            let all: Vec<u32> = (0..states.scores.len() as u32).collect();
            let picked = level.pick(&states, &all, tables).expect("the device goes on");
            for (state, &score) in picked.iter().zip(&states.scores) {
                let board = &state.board;
                assert_eq!(
                    (i32::from(score), state.tables),
                    (judge.score(board) >> 2, judge.tables(board)),
                    "{board:?}"
                );
            }
        }
    };
    let most = 9 * square.cells() as u32;
    searcher.beam_to_learn_from(&puzzle, (1000, scoring), most, &mut watch).expect("the device goes on");
}

/// The records of a beam and the moves of its solution, if it finds one.
fn beam(
    plan: &Plan,
    searcher: &mut LargeSearcher,
    (scoring, tables): (Scoring<'_>, TableWeights),
    scrambler: &mut Scrambler,
    number: usize,
) -> Option<(Vec<u8>, u32)> {
    let cells = plan.side * plan.side;
    // Some are made by random walks, which leave more tiles near their goal cells.
    let start = match number % 4 {
        0 => scrambler.walk(500 + 250 * cells * (number / 4 % 16) / 16),
        _ => scrambler.uniform(),
    };
    let goal = NamedGoal::Standard.on(start.size());
    let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).expect("one size");
    let mut random = Random((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    // The levels that are looked at, until enough levels have followed.
    let mut waiting = VecDeque::new();
    let mut records = Vec::new();
    let mut moves = None;
    let mut watch = |level: &BeamLevel<'_>| {
        let is_last = level.before_goal.is_some();
        if is_last {
            moves = Some(level.level() + 1);
        } else if level.level().is_multiple_of(plan.every) {
            waiting.push_back(level.states().expect("the device goes on"));
        }
        let is_due = |states: &mut BeamStates| {
            let levels = level.level() - states.level;
            levels >= plan.levels || (is_last && levels >= FEWEST_LEVELS)
        };
        while let Some(states) = waiting.pop_front_if(is_due) {
            learn_from(plan, level, &states, tables, &mut random, &mut records);
        }
    };
    let most = 9 * cells as u32;
    let width = if number % WIDE == WIDE - 1 { plan.width * WIDE as u32 } else { plan.width };
    searcher.beam_to_learn_from(&puzzle, (width, scoring), most, &mut watch).expect("the device goes on");
    Some((records, moves?))
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Adds the records of an earlier level's states, of which this level's descend.
fn learn_from(
    plan: &Plan,
    level: &BeamLevel<'_>,
    states: &BeamStates,
    tables: TableWeights,
    random: &mut Random,
    records: &mut Vec<u8>,
) {
    let scores = level.scores().expect("the device goes on");
    let least = scores.iter().min().copied().unwrap_or(0);
    let most = scores.iter().max().copied().unwrap_or(0);
    // One move before the end: the best of all.
    let best = level.descendants(states, least.saturating_sub(AHEAD)).expect("the device goes on");
    let later = 16 * (level.level() - states.level) as i32;
    let (mut alive, mut dead): (Vec<u32>, Vec<u32>) =
        (0..best.len() as u32).partition(|&state| best[state as usize].is_some());
    let gain = |score: u16, state: u32| i32::from(score) + later - i32::from(states.scores[state as usize]);
    let gains: i64 = best.iter().zip(0..).filter_map(|(score, at)| score.map(|score| i64::from(gain(score, at)))).sum();
    let drift = (gains / alive.len().max(1) as i64) as i32;
    for (list, is_bound) in [(&mut alive, false), (&mut dead, true)] {
        let drawn: Vec<u32> =
            (0..plan.each.min(list.len())).map(|_| list.swap_remove(random.below(list.len()))).collect();
        let picked = level.pick(states, &drawn, tables).expect("the device goes on");
        for (state, at) in picked.iter().zip(drawn) {
            let worth = i32::from(best[at as usize].unwrap_or(most));
            records.extend_from_slice(&state.board);
            records.extend(state.tables.to_le_bytes());
            records.extend((FINER * (worth + later - drift)).to_le_bytes());
            records.push(u8::from(is_bound));
        }
    }
}
