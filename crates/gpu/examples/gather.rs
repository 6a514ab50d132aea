//! Gathers what a network learns from: states of beams on a GPU, and what became of them.
//!
//! A state of a beam is worth what the best of its descendants is worth some levels later, and those levels. What has no
//! descendants by then is worth no less than what the beam left out. Only the states of one level are ever compared: so much
//! is taken from all of a level that those with descendants are worth in the mean what they were thought to be.
//!
//!     gather SIDE [width=16384] [levels=30] [every=6] [each=80] [seconds=20] [threads=10]
//!
//! Each line that it reads is a round: WEIGHTS FILE SEED, with `-` before there are any weights. FILE gets a record for each
//! state: its board in normal form; the tables' score, what it is worth, both in 1/64 of a move and 32 bits; and a byte that
//! is one if it is worth no less.

use std::{
    fs::File,
    io::{BufWriter, Write},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Instant,
};

use pintu_gpu::{BeamLevel, BeamStates, LargeSearcher, Scoring, first_gpu};
use pintu_search::Control;
use pintu_solver::{
    internals::{DeviceGuide, normal_form_of},
    training::Judge,
};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

/// The fewest levels after which something is known of a state, at the end of a beam.
const FEWEST_LEVELS: usize = 8;
/// By how much the state before the goal is better than the others of the last level, in 1/16 of a move.
const AHEAD: u16 = 64;
/// The device's scores are in 1/16 of a move, these in 1/64.
const FINER: i32 = 4;

struct Plan {
    side: usize,
    width: u32,
    levels: usize,
    every: usize,
    each: usize,
    seconds: f64,
    /// How many beams run side by side.
    threads: usize,
}

/// A level of a beam.
struct Level {
    parents: Vec<u32>,
    scores: Vec<u16>,
    /// Those of some levels only.
    states: Option<BeamStates>,
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
        width: number("width", 16384.0) as u32,
        levels: number("levels", 30.0) as usize,
        every: number("every", 6.0) as usize,
        each: number("each", 80.0) as usize,
        seconds: number("seconds", 20.0),
        threads: number("threads", 10.0) as usize,
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
    let judge = Judge::new(plan.side, None);
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let [weights, file, seed] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("found {line}") };
        let guide = match weights {
            "-" => DeviceGuide::new(normal, blank),
            file => DeviceGuide::trained(normal, blank, &std::fs::read(file).expect("weights")),
        };
        let guide = guide.expect("as many weights as there must be");
        let tables = pintu_gpu::TableWeights { sum: guide.sum_weight, distance: guide.distance_weight, shift: 2 };
        let network = searchers[0].upload_network(&guide).expect("the device has room");
        let scoring = if weights == "-" { Scoring::Tables(tables) } else { Scoring::Network(&network) };
        let file = Mutex::new(BufWriter::new(File::create(file).expect("a file")));
        let seed: u64 = seed.parse().expect("a seed");
        let began = Instant::now();
        // How many boards were tried and solved, and in how many moves.
        let counts = [const { AtomicUsize::new(0) }; 3];
        std::thread::scope(|scope| {
            for (thread, searcher) in (0..).zip(&mut searchers) {
                let (plan, judge, file, counts) = (&plan, &judge, &file, &counts);
                let mut scrambler = Scrambler::new(topology, goal.clone(), 1000 * seed + thread);
                scope.spawn(move || {
                    while began.elapsed().as_secs_f64() < plan.seconds {
                        let number = counts[0].fetch_add(1, Relaxed);
                        let Some((levels, found)) = beam(plan, searcher, scoring, &mut scrambler, number) else {
                            continue;
                        };
                        counts[1].fetch_add(1, Relaxed);
                        counts[2].fetch_add(levels.len() + 1, Relaxed);
                        let records = learn_from(plan, judge, number, levels, found);
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

/// The levels of a beam and the successor that is the goal, if it finds it.
fn beam(
    plan: &Plan,
    searcher: &mut LargeSearcher,
    scoring: Scoring<'_>,
    scrambler: &mut Scrambler,
    number: usize,
) -> Option<(Vec<Level>, u32)> {
    let cells = plan.side * plan.side;
    // Some are made by random walks, which leave more tiles near their goal cells.
    let start = match number % 4 {
        0 => scrambler.walk(500 + 250 * cells * (number / 4 % 16) / 16),
        _ => scrambler.uniform(),
    };
    let goal = NamedGoal::Standard.on(start.size());
    let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).expect("one size");
    let mut levels = Vec::new();
    let mut found = None;
    let mut watch = |level: &BeamLevel<'_>| {
        found = level.goal;
        if found.is_none() {
            let (parents, scores) = level.kept().expect("the device goes on");
            let is_looked_at = (levels.len() + 1).is_multiple_of(plan.every);
            let states = is_looked_at.then(|| level.states().expect("the device goes on"));
            levels.push(Level { parents, scores, states });
        }
    };
    let most = 9 * cells as u32;
    searcher.beam_to_learn_from(&puzzle, (plan.width, scoring), most, &mut watch).expect("the device goes on");
    Some((levels, found?))
}

/// The records of one beam.
fn learn_from(plan: &Plan, judge: &Judge, number: usize, mut levels: Vec<Level>, goal: u32) -> Vec<u8> {
    if let Some(level) = levels.last_mut() {
        // One move before the end: the best of all.
        let least = level.scores.iter().copied().min().unwrap_or(0);
        level.scores[goal as usize / 4] = least.saturating_sub(AHEAD);
    }
    let mut records = Vec::new();
    let mut state = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for at in (plan.every - 1..levels.len()).step_by(plan.every) {
        let end = (at + plan.levels).min(levels.len() - 1);
        if end - at < FEWEST_LEVELS {
            break;
        }
        let Some(states) = &levels[at].states else { continue };
        let last = &levels[end].scores;
        let most = last.iter().copied().max().unwrap_or(0);
        let mut best = vec![u16::MAX; levels[at].scores.len()];
        for (index, &score) in last.iter().enumerate() {
            let origin =
                levels[at + 1..=end].iter().rev().fold(index, |state, level| level.parents[state] as usize / 4);
            best[origin] = best[origin].min(score);
        }
        let later = 16 * (end - at) as i32;
        let (mut alive, mut dead): (Vec<usize>, Vec<usize>) =
            (0..best.len()).partition(|&state| best[state] < u16::MAX);
        let gain = |&state: &usize| i32::from(best[state]) + later - i32::from(levels[at].scores[state]);
        let drift = alive.iter().map(gain).sum::<i32>() / alive.len().max(1) as i32;
        for (list, is_bound) in [(&mut alive, false), (&mut dead, true)] {
            for _ in 0..plan.each.min(list.len()) {
                let state = list.swap_remove(draw(list.len()));
                let worth = i32::from(if is_bound { most } else { best[state] });
                let board = states.board(state);
                records.extend_from_slice(&board);
                records.extend(judge.tables(&board).to_le_bytes());
                records.extend((FINER * (worth + later - drift)).to_le_bytes());
                records.push(u8::from(is_bound));
            }
        }
    }
    records
}
