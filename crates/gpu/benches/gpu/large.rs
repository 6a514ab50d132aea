//! Large boards: steps that are carried out in order, so that tables are built once for many of them.
//!
//!     cargo xtask bench gpu steps FILE tables=TILES,PARTITIONS bounds beam=WIDTH,HALVES,FIRST,COUNT prove=SECONDS,COUNT …
//!
//! FILE has a board a line, its tiles in reading order with 0 for the blank, which belongs last, and the length of a
//! solution that somebody else has found.

use std::{
    fmt::Write as _,
    fs,
    time::{Duration, Instant},
};

use pintu_gpu::{DeviceNetwork, Gpu, GpuSolver, LargeSearcher, LargeTables, Scoring, TableWeights};
use pintu_search::{Control, Limits};
use pintu_solver::{
    SolveOptions,
    internals::{DeviceGuide, normal_form_of},
};
use pintu_tiles::{Arrangement, Moves, NamedGoal, Puzzle, Size, Topology};

struct Board {
    number: usize,
    puzzle: Puzzle,
    /// The other's length.
    other: u32,
    /// What is known here.
    best: Option<Moves>,
    bound: u32,
    proofs: usize,
}

impl Board {
    fn length(&self) -> u32 {
        self.best.as_ref().map_or(u32::MAX, |moves| moves.len() as u32)
    }

    fn offer(&mut self, moves: Moves) -> bool {
        assert!(self.puzzle.is_solved_by(&moves), "board {}: no solution", self.number);
        assert!(moves.len() as u32 >= self.bound, "board {}: shorter than its bound", self.number);
        let is_better = (moves.len() as u32) < self.length();
        if is_better {
            self.best = Some(moves);
        }
        is_better
    }
}

struct Steps<'a> {
    gpu: &'a Gpu,
    boards: Vec<Board>,
    topology: Topology,
    blank: usize,
    searcher: Option<LargeSearcher>,
    /// If it has the tables for one.
    network: Option<DeviceNetwork>,
    /// Boards by how far the bound is from the other's length, the nearest first.
    ranking: Vec<usize>,
    room: u32,
    began: Instant,
    until: Duration,
}

/// Carries out steps on the boards of a file.
pub(crate) fn run(gpu: &Gpu, file: &str, steps: &[String]) {
    let boards = read(file);
    let puzzle = &boards[0].puzzle;
    let (topology, blank) = normal_form_of(puzzle.topology(), puzzle.goal().blank());
    let ranking = (0..boards.len()).collect();
    let mut all = Steps {
        gpu,
        boards,
        topology,
        blank,
        searcher: None,
        network: None,
        ranking,
        room: 1 << 24,
        began: Instant::now(),
        until: Duration::from_secs(100_000),
    };
    for step in steps {
        let (name, rest) = step.split_once('=').unwrap_or((step, ""));
        let numbers: Vec<u64> = rest.split(',').filter_map(|number| number.parse().ok()).collect();
        let at = |index: usize, usual: u64| numbers.get(index).copied().unwrap_or(usual);
        let began = Instant::now();
        if all.began.elapsed() > all.until {
            println!("{step}: no time left");
            continue;
        }
        match name {
            "tables" => all.build(at(0, 6) as usize, at(1, 1) as usize),
            "network" => all.guide(rest),
            "room" => all.room = at(0, 1 << 24) as u32,
            "until" => all.until = Duration::from_secs(at(0, 600)),
            "bounds" => all.rank(),
            "beam" => all.beams(at(0, 1 << 20) as u32, at(1, 4) as i32, at(2, 0) as usize, at(3, 4) as usize),
            "easy" => all.beams_of_easy(at(0, 1 << 20) as u32, at(1, 4) as i32, at(2, 20) as usize),
            "rounds" => all.rounds(at(0, 4), at(1, 10) as usize, at(2, 4) as usize),
            "boards" => all.ranking = numbers.iter().map(|&number| number as usize).collect(),
            "solve" => all.solve(at(0, 10), at(1, 0) as usize, at(2, 1) as usize),
            "sift" => all.sift(at(0, 60) as usize, at(1, 4) as usize),
            "prove" => all.prove(at(0, 60), at(1, 20) as usize, at(2, 4) as usize),
            other => panic!("found {other:?}, expected a step"),
        }
        println!("{step}: {:.2} s", began.elapsed().as_secs_f64());
        all.write();
    }
}

fn read(file: &str) -> Vec<Board> {
    let text = fs::read_to_string(file).expect("a file of boards");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.enumerate().map(|(number, line)| board(number, line)).collect()
}

fn board(number: usize, line: &str) -> Board {
    let numbers: Vec<u32> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let (other, tiles) = numbers.split_last().expect("tiles and a length");
    let across = tiles.len().isqrt();
    let size = Size::new(across, across).expect("a square");
    let topology = Topology::plain(size);
    let start = Arrangement::new(size, tiles).expect("a board");
    let puzzle = Puzzle::new(topology, start, NamedGoal::Standard.on(size)).expect("of one size");
    Board { number, puzzle, other: *other, best: None, bound: 0, proofs: 0 }
}

impl Steps<'_> {
    fn build(&mut self, tiles: usize, count: usize) {
        (self.searcher, self.network) = (None, None);
        let partitions = LargeTables::partitions(self.topology, self.blank, tiles, count);
        println!("partitions of {tiles}: {partitions:?}");
        let tables = LargeTables::build(self.gpu, self.topology, self.blank, partitions, &Control::unlimited());
        let tables = tables.expect("the device builds");
        println!("tables: {:.2} GB, {} views", tables.bytes() as f64 / 1e9, tables.view_count());
        self.searcher = Some(LargeSearcher::new(tables));
    }

    /// The small tables that a network corrects, and the network, or one whose weights are in a file: beams go by it from now
    /// on.
    fn guide(&mut self, file: &str) {
        (self.searcher, self.network) = (None, None);
        let guide = match file {
            "" => DeviceGuide::new(self.topology, self.blank),
            file => DeviceGuide::trained(self.topology, self.blank, &fs::read(file).expect("weights")),
        };
        let guide = guide.expect("the board has a network");
        let guided = LargeSearcher::guided_by(self.gpu, (self.topology, self.blank), guide, &Control::unlimited());
        let (searcher, network) = guided.expect("the device builds");
        (self.searcher, self.network) = (Some(searcher), Some(network));
    }

    fn searcher(&mut self) -> &mut LargeSearcher {
        self.searcher.as_mut().expect("tables come first")
    }

    /// The bounds of all boards, by all views.
    fn rank(&mut self) {
        let views: Vec<usize> = (0..self.searcher().tables().view_count()).collect();
        let puzzles: Vec<Puzzle> = self.boards.iter().map(|board| board.puzzle.clone()).collect();
        let mut sums = vec![0.0; views.len()];
        for views in views.chunks(8) {
            let estimates = self.searcher().estimates(&puzzles, views).expect("the device goes on");
            for (board, estimate) in self.boards.iter_mut().zip(estimates) {
                for (view, moves) in views.iter().zip(&estimate) {
                    sums[*view] += f64::from(*moves);
                }
                board.bound = board.bound.max(estimate.into_iter().max().unwrap_or(0));
            }
        }
        let count = self.boards.len() as f64;
        println!(
            "means of views: {:?}",
            sums.iter().map(|sum| (sum / count * 100.0).round() / 100.0).collect::<Vec<_>>()
        );
        let boards = &self.boards;
        self.ranking.sort_by_key(|&at| (boards[at].other.min(boards[at].length()) - boards[at].bound, at));
        let gap = |at: &usize| boards[*at].other - boards[*at].bound;
        let easiest: Vec<(usize, u32)> = self.ranking.iter().take(30).map(|at| (*at, gap(at))).collect();
        println!("easiest: {easiest:?}");
        let gaps: Vec<u32> = self.ranking.iter().map(gap).collect();
        println!("gaps: median {}, mean {:.2}", gaps[gaps.len() / 2], f64::from(gaps.iter().sum::<u32>()) / count);
    }

    fn beams(&mut self, width: u32, halves: i32, first: usize, count: usize) {
        let range = first..(first + count).min(self.boards.len());
        self.beams_of(width, halves, range.collect(), false);
    }

    fn beams_of_easy(&mut self, width: u32, halves: i32, count: usize) {
        let easy = self.ranking.iter().copied().take(count).collect();
        self.beams_of(width, halves, easy, true);
    }

    /// Beams; within the other's length, where they need not find anything longer.
    fn beams_of(&mut self, width: u32, halves: i32, boards: Vec<usize>, is_bounded: bool) {
        let views: Vec<usize> = (0..self.searcher().tables().view_count().min(8)).collect();
        let tables = Scoring::Tables(TableWeights::of_excess(halves, views.len()));
        let network = self.network.take();
        let scoring = network.as_ref().map_or(tables, Scoring::Network);
        let (mut ours, mut others, mut seconds, mut solved, mut shorter, mut longer) = (0, 0, 0.0_f64, 0, 0, 0);
        let mut slowest = 0.0_f64;
        for at in boards {
            if self.began.elapsed() > self.until {
                break;
            }
            let began = Instant::now();
            let searcher = self.searcher.as_mut().expect("tables come first");
            let control = Control::unlimited();
            let board = &mut self.boards[at];
            let most = if is_bounded { board.other } else { 500 };
            let found =
                searcher.beam(&board.puzzle, &views, (width, scoring), most, &control).expect("the device goes on");
            let took = began.elapsed().as_secs_f64();
            seconds += took;
            slowest = slowest.max(took);
            if let Some(moves) = found {
                let length = moves.len() as u32;
                (ours, others, solved) = (ours + length, others + board.other, solved + 1);
                shorter += usize::from(length < board.other);
                longer += usize::from(length > board.other);
                board.offer(moves);
            }
        }
        self.network = network;
        let count = f64::from(solved);
        println!(
            "beam {width} × {halves}/2: {solved} solved, mean {:.2} against {:.2} ({:+.2}), {shorter} shorter, {longer} \
             longer, {:.2} s each, slowest {slowest:.2} s",
            f64::from(ours) / count,
            f64::from(others) / count,
            f64::from(ours) / count - f64::from(others) / count,
            seconds / count
        );
    }

    /// Solves boards as the program does, each for `seconds` seconds, which include building the tables of the first.
    fn solve(&mut self, seconds: u64, first: usize, count: usize) {
        self.searcher = None;
        let mut device = GpuSolver::new(self.gpu.clone());
        let (mut ours, mut others) = (0, 0);
        for at in first..(first + count).min(self.boards.len()) {
            let control = Control::new(Limits::none().time(Duration::from_secs(seconds)));
            let mut told = String::new();
            let board = &mut self.boards[at];
            let mut on_better = |moves: &Moves, bound: u32| {
                let _ = write!(told, " {}≥{bound}@{:.2}s", moves.len(), control.elapsed().as_secs_f64());
            };
            let options = SolveOptions::new().on_better(&mut on_better);
            let solved = device.solve(&board.puzzle, &control, options).expect("the device goes on");
            let took = control.elapsed().as_secs_f64();
            let (bound, by) = (solved.known.bound(), solved.by);
            let moves = solved.known.into_moves().expect("there is one at once");
            (ours, others) = (ours + moves.len() as u32, others + board.other);
            println!("solve {at}: {} against {}, ≥ {bound}, by {by:?}, {took:.2} s:{told}", moves.len(), board.other);
            board.offer(moves);
        }
        println!("{seconds} s: {ours} against {others} of {count} boards");
    }

    /// The best few views of some partitions for a board.
    fn views_for(&mut self, at: usize, partitions: &[usize], most: usize) -> Vec<usize> {
        let views = self.searcher().tables().views_of(partitions);
        let puzzle = [self.boards[at].puzzle.clone()];
        let mut ranked: Vec<(u32, usize)> = Vec::new();
        for views in views.chunks(8) {
            let estimates = self.searcher().estimates(&puzzle, views).expect("the device goes on");
            ranked.extend(estimates[0].iter().copied().zip(views.iter().copied()));
        }
        ranked.sort_by_key(|&(moves, view)| (u32::MAX - moves, view));
        ranked.into_iter().take(most).map(|(_, view)| view).collect()
    }

    /// Runs rounds of the nearest boards, each for `seconds` seconds, to see how they grow.
    fn rounds(&mut self, seconds: u64, count: usize, views: usize) {
        let all: Vec<usize> = (0..self.searcher().tables().partition_count()).collect();
        for at in self.ranking.clone().into_iter().take(count) {
            let views = self.views_for(at, &all, views);
            self.ascend(at, &views, seconds, "rounds");
        }
    }

    /// Ranks the nearest boards by what their proofs are expected to expand, from rounds of less than a second.
    fn sift(&mut self, count: usize, views: usize) {
        let all: Vec<usize> = (0..self.searcher().tables().partition_count().div_ceil(2)).collect();
        let mut expected: Vec<(f64, usize)> = Vec::new();
        for at in self.ranking.clone().into_iter().take(count) {
            let views = self.views_for(at, &all, views);
            let room = self.room;
            let searcher = self.searcher.as_mut().expect("tables come first");
            let board = &mut self.boards[at];
            let puzzle = [board.puzzle.clone()];
            let estimate = searcher.estimates(&puzzle, &views).expect("the device goes on")[0].iter().copied().max();
            let mut bound = estimate.unwrap_or(0);
            let target = board.other.min(board.length());
            let control = Control::unlimited();
            let (mut last, mut ratio) = (0.0_f64, 12.0_f64);
            while bound < target && last < 3e7 {
                let round = searcher.round(&board.puzzle, &views, bound, room, &control).expect("the device goes on");
                if let Some(moves) = round.moves {
                    board.offer(moves);
                    break;
                }
                ratio = if last > 1000.0 { (round.expanded as f64 / last).clamp(6.0, 25.0) } else { ratio };
                last = round.expanded as f64;
                bound += 2;
            }
            let rounds = target.saturating_sub(bound) / 2;
            expected.push((last * ratio.powi(rounds as i32), at));
        }
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));
        let told: Vec<String> = expected.iter().take(40).map(|(states, at)| format!("{at}:{states:.0e}")).collect();
        println!("expected states: {}", told.join(" "));
        self.ranking = expected.into_iter().map(|(_, at)| at).collect();
    }

    /// Rounds with rising bounds; says whether the last one below the best length was searched whole.
    fn ascend(&mut self, at: usize, views: &[usize], seconds: u64, name: &str) -> bool {
        let room = self.room;
        let board = &mut self.boards[at];
        let searcher = self.searcher.as_mut().expect("tables come first");
        let left = self.until.saturating_sub(self.began.elapsed()) + Duration::from_secs(5);
        let control = Control::new(Limits::none().time(Duration::from_secs(seconds).min(left)));
        let puzzle = [board.puzzle.clone()];
        let own = searcher.estimates(&puzzle, views).expect("the device goes on")[0].iter().copied().max().unwrap_or(0);
        // Whatever was known before is not used, so that a proof stands for itself.
        let mut bound = own;
        let mut told = String::new();
        let mut is_proved = false;
        let mut times: Vec<f64> = Vec::new();
        while control.check().is_ok() {
            if bound >= board.length() {
                is_proved = true;
                break;
            }
            let began = control.elapsed().as_secs_f64();
            let round = searcher.round(&board.puzzle, views, bound, room, &control).expect("the device goes on");
            let took = control.elapsed().as_secs_f64() - began;
            let _ = write!(told, " {bound}:{:.2e}/{took:.2}s@{}", round.expanded as f64, round.frontier.1);
            if let Some(moves) = round.moves {
                let length = moves.len() as u32;
                told += "*";
                board.offer(moves);
                is_proved = length == bound;
                break;
            }
            if !round.is_whole {
                told += "…";
                break;
            }
            times.push(took);
            bound += 2;
            // What the last round would take, as far as one sees.
            if let [.., before, last] = times[..]
                && last > 0.3
            {
                let rounds = (board.length().min(board.other).saturating_sub(bound)) / 2;
                let expected = last * (last / before).clamp(3.0, 20.0).powi(rounds as i32);
                if expected > 3.0 * control.time_left().map_or(f64::MAX, |left| left.as_secs_f64()) {
                    let _ = write!(told, " (would take {expected:.0} s)");
                    break;
                }
            }
        }
        board.bound = board.bound.max(bound.min(board.length()));
        if is_proved {
            board.proofs += 1;
        }
        let took = control.elapsed().as_secs_f64();
        let said = if is_proved { "PROVED" } else { "open" };
        println!(
            "{name} {}: other {}, ours {}, from {own} by {views:?}: {said} {took:.1} s;{told}",
            board.number,
            board.other,
            board.best.as_ref().map_or(0, |moves| moves.0.len())
        );
        is_proved
    }

    /// Proofs of the nearest boards, and each again with the views of other partitions.
    fn prove(&mut self, seconds: u64, count: usize, views: usize) {
        let partitions = self.searcher().tables().partition_count();
        let half = partitions.div_ceil(2);
        let (first, second): (Vec<usize>, Vec<usize>) = (0..partitions).partition(|&index| index < half);
        let mut proved = 0;
        for at in self.ranking.clone().into_iter().take(count) {
            if self.began.elapsed() > self.until {
                break;
            }
            if self.boards[at].proofs > 1 {
                continue;
            }
            let chosen = self.views_for(at, &first, views);
            if self.ascend(at, &chosen, seconds, "prove") && !second.is_empty() {
                let others = self.views_for(at, &second, views);
                proved += usize::from(self.ascend(at, &others, 2 * seconds, "again"));
            }
            self.write();
        }
        println!("{proved} proved twice");
    }

    /// What is known of all boards.
    fn write(&self) {
        let Ok(folder) = std::env::var("OUT") else { return };
        let row = |board: &Board| {
            let length = board.best.as_ref().map_or(0, |moves| moves.0.len());
            format!("{}\t{}\t{length}\t{}\t{}\n", board.number, board.other, board.bound, board.proofs)
        };
        let rows: String = self.boards.iter().map(row).collect();
        let name = format!("{folder}/boards-{}.tsv", self.topology.cells());
        let _ = fs::write(name, rows);
        let moves = |board: &Board| board.best.as_ref().map(|moves| format!("{}\t{moves}\n", board.number));
        let _ = fs::write(
            format!("{folder}/moves-{}.tsv", self.topology.cells()),
            self.boards.iter().filter_map(moves).collect::<String>(),
        );
    }
}
