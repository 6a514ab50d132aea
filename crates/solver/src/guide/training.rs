//! Training: a network learns from beams what the tables miss.
//!
//! The worth of a beam's state, which the network learns, is that of its best descendant some levels later, plus those
//! levels. For a state without descendants by then, it is at least the worth of the states left out of the beam.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use pintu_search::Control;
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

use super::{
    SHAPES,
    beam::{GuidedTask, Level, Watcher, search},
    evaluation::{Guide, SCALE, Shape},
    network::{self, FIRST, Network, OUTPUT_MOVES, SECOND, Weights},
    patterns::Board,
};
use crate::{
    beam::spread_numbers,
    tables::{NormalForm, normal_form_of},
    threads::share_out,
};

/// Judges boards of a square whose goal has the blank in a corner.
pub struct Judge(Guide);

impl Judge {
    /// A judge by tables, and by a network if there are weights.
    ///
    /// # Panics
    /// If there is no board of that side, or the weights are no network for it.
    pub fn new(rows: usize, weights: Option<&[u8]>) -> Self {
        let size = Size::new(rows, rows).expect("a board's side");
        let (normal, blank) = normal_form_of(Topology::plain(size), NamedGoal::Standard.on(size).blank());
        let guide = Guide::new(Board::new(normal, blank), SHAPES[0], None, &Control::unlimited());
        let mut guide = guide.ok().flatten().expect("nothing ends it");
        guide.network =
            weights.map(|bytes| Arc::new(Network::new(size.cells(), bytes).expect("as many as there must be")));
        Self(guide)
    }

    /// The tables' score of a board in normal form, in 1/64 of a move.
    pub fn tables(&self, board: &[u8]) -> i32 {
        let judged = self.0.judge(board);
        self.0.score(judged.sum, judged.far)
    }

    /// The network's score of it, in the same unit.
    pub fn score(&self, board: &[u8]) -> i32 {
        self.0.estimate(board)
    }
}

/// The parameters of a training.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The side of the board.
    pub side: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// The number of rounds; each learns from beams guided by the network of the round before.
    pub rounds: usize,
    /// The number of boards in a round.
    pub boards: usize,
    /// The beams' width.
    pub width: usize,
    /// The number of levels after which a state's worth is read off.
    pub levels: usize,
    /// The number of samples learnt from in a round, with repetitions.
    pub samples: usize,
    /// The number of tiles of a pattern.
    pub tiles: usize,
    /// The number of views.
    pub views: usize,
    /// The learning rate.
    pub rate: f32,
}

/// A state to learn from.
struct Sample {
    tiles: [u8; 64],
    /// The tables' score, in moves.
    base: f32,
    /// The state's worth in moves, or a lower bound of it.
    worth: f32,
    is_bound: bool,
}

/// One in this number of levels is remembered.
const EVERY: usize = 6;
/// States of a level that are learnt from, of each kind.
const OF_EACH: usize = 120;

/// Gathers samples of one beam.
struct Gatherer<'a> {
    levels: usize,
    cells: usize,
    depth: usize,
    pending: Vec<Pending>,
    last_scores: Vec<i32>,
    samples: Vec<Sample>,
    numbers: &'a mut dyn Iterator<Item = u64>,
}

struct Pending {
    depth: usize,
    tiles: Vec<u8>,
    bases: Vec<i32>,
    /// For each state of the present level, the index of its ancestor here.
    origins: Vec<u32>,
}

impl Watcher for Gatherer<'_> {
    fn level(&mut self, level: &Level<'_>) {
        self.depth += 1;
        let parents =
            || (0_usize..).zip(level.kept).flat_map(|(at, moves)| std::iter::repeat_n(at, moves.count_ones() as usize));
        for pending in &mut self.pending {
            pending.origins = parents().map(|parent| pending.origins[parent]).collect();
        }
        self.last_scores = level.scores.to_vec();
        if self.pending.first().is_some_and(|pending| self.depth - pending.depth >= self.levels) {
            let pending = self.pending.remove(0);
            self.resolve(&pending);
        }
        if self.depth.is_multiple_of(EVERY) {
            let count = level.scores.len();
            self.pending.push(Pending {
                depth: self.depth,
                tiles: (0..count).flat_map(|at| (level.tiles)(at).iter().copied()).collect(),
                bases: level.bases.to_vec(),
                origins: (0..count as u32).collect(),
            });
        }
    }

    fn solved(&mut self, parent: usize) {
        self.last_scores[parent] = SCALE;
        for pending in std::mem::take(&mut self.pending) {
            if self.depth - pending.depth >= 8 {
                self.resolve(&pending);
            }
        }
    }
}

impl Gatherer<'_> {
    fn resolve(&mut self, pending: &Pending) {
        let later = (self.depth - pending.depth) as f32;
        let most = self.last_scores.iter().copied().max().unwrap_or(0);
        let mut best = vec![i32::MAX; pending.bases.len()];
        for (&origin, &score) in pending.origins.iter().zip(&self.last_scores) {
            let best = &mut best[origin as usize];
            *best = (*best).min(score);
        }
        let (mut alive, mut dead): (Vec<usize>, Vec<usize>) = (0..best.len()).partition(|&at| best[at] < i32::MAX);
        for (list, is_bound) in [(&mut alive, false), (&mut dead, true)] {
            for _ in 0..OF_EACH.min(list.len()) {
                let pick = (self.numbers.next().unwrap_or(0) >> 32) as usize % list.len();
                let at = list.swap_remove(pick);
                let mut tiles = [0; 64];
                tiles[..self.cells].copy_from_slice(&pending.tiles[at * self.cells..][..self.cells]);
                let worth = if is_bound { most } else { best[at] };
                let moves = |score: i32| score as f32 / SCALE as f32;
                self.samples.push(Sample {
                    tiles,
                    base: moves(pending.bases[at]),
                    worth: moves(worth) + later,
                    is_bound,
                });
            }
        }
    }
}

/// Trains a network from `known` weights or from nothing. `report` gets the progress, `keep` each round's weights.
///
/// # Panics
/// If there is no board of that side, or the number of known weights is wrong for it.
pub fn train(
    plan: &Plan,
    known: Option<&[i16]>,
    report: &(dyn Fn(String) + Sync),
    keep: &mut dyn FnMut(usize, &[i16]),
) {
    let size = Size::new(plan.side, plan.side).expect("a board's side");
    let goal = NamedGoal::Standard.on(size);
    let topology = Topology::plain(size);
    let (normal, blank) = normal_form_of(topology, goal.blank());
    let shape = Shape { tiles: plan.tiles, views: plan.views };
    let mut guide = Guide::new(Board::new(normal, blank), shape, None, &Control::unlimited())
        .ok()
        .flatten()
        .expect("nothing ends it");
    let mut weights =
        known.map(|numbers| Weights::from_rounded(size.cells(), numbers).expect("as many as there must be"));
    guide.network = weights.as_ref().map(network_of);
    for round in 0..plan.rounds {
        let began = std::time::Instant::now();
        let mut scrambler = Scrambler::new(topology, goal.clone(), plan.seed.wrapping_add(1000 * round as u64));
        // One half is uniform, the other made by random walks of all lengths, which leave more tiles near their goal cells.
        let mut steps = spread_numbers(plan.seed ^ round as u64);
        let mut draw = |board: usize| match board % 2 {
            0 => scrambler.uniform(),
            _ => scrambler.walk(500 + (steps.next().unwrap_or(0) >> 33) as usize % (250 * size.cells())),
        };
        let starts: Vec<Puzzle> =
            (0..plan.boards).map(|board| Puzzle::new(topology, draw(board), goal.clone()).expect("one size")).collect();
        let (lengths, solved) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let gather = |(index, puzzle): (usize, &Puzzle)| {
            let form = NormalForm::new(puzzle);
            let mut gatherer = Gatherer {
                levels: plan.levels,
                cells: size.cells(),
                depth: 0,
                pending: Vec::new(),
                last_scores: Vec::new(),
                samples: Vec::new(),
                numbers: &mut spread_numbers(plan.seed ^ (round * plan.boards + index) as u64),
            };
            // A beam that takes much longer than others has lost its way, and nothing is to be learnt from it.
            let most = 9 * size.cells();
            let task = GuidedTask { guide: &guide, start: &form.board, width: plan.width, most, pace: None };
            let Ok(Some(way)) = search(&task, &Control::unlimited(), &mut gatherer) else { return Vec::new() };
            lengths.fetch_add(way.len(), Relaxed);
            solved.fetch_add(1, Relaxed);
            gatherer.samples
        };
        let found = share_out(plan.threads, starts.iter().enumerate().collect(), gather);
        // The last boards tell how well the rest has been learnt.
        let held_back = (plan.boards / 20).max(1);
        let (learnt, tested) = found.split_at(plan.boards - held_back);
        let learnt: Vec<&Sample> = learnt.iter().flatten().collect();
        let tested: Vec<&Sample> = tested.iter().flatten().collect();
        let mean = lengths.into_inner() as f64 / solved.load(Relaxed).max(1) as f64;
        report(format!(
            "round {round}: {} boards solved in {mean:.2} moves, {} samples, {:.0} s",
            solved.into_inner(),
            learnt.len(),
            began.elapsed().as_secs_f64()
        ));
        let began = std::time::Instant::now();
        let mut learner = Learner::new(plan, blank, weights.take(), &learnt, round);
        learner.run(plan, &learnt, &tested, report);
        let rounded = learner.weights.rounded();
        guide.network = Some(network_of(&learner.weights));
        report(format!("round {round}: trained in {:.0} s", began.elapsed().as_secs_f64()));
        keep(round, &rounded);
        weights = Some(learner.weights);
    }
}

fn network_of(weights: &Weights) -> Arc<Network> {
    let bytes: Vec<u8> = weights.rounded().iter().flat_map(|number| number.to_le_bytes()).collect();
    Arc::new(Network::new(weights.cells, &bytes).expect("as many as there must be"))
}

struct Learner {
    weights: Weights,
    /// The number of samples in a step.
    batch: usize,
    momentum: Vec<f32>,
    variance: Vec<f32>,
    /// Where tiles and cells go in a reflection that keeps the blank's corner.
    reflected: Vec<u8>,
    blank: usize,
    seed: u64,
}

/// One thread's results for its part of a batch.
struct Part {
    gradient: Vec<f32>,
    loss: f64,
}

impl Learner {
    fn new(plan: &Plan, blank: usize, known: Option<Weights>, samples: &[&Sample], round: usize) -> Self {
        let cells = plan.side * plan.side;
        let seed = plan.seed ^ 0xABCD ^ (round as u64) << 32;
        let weights = known.unwrap_or_else(|| {
            let exact = samples.iter().filter(|sample| !sample.is_bound);
            let (xy, xx) = exact.fold((0.0, 0.0), |(xy, xx), sample| {
                (xy + f64::from(sample.base * sample.worth), xx + f64::from(sample.base * sample.base))
            });
            let mut numbers = spread_numbers(seed);
            let mut normal = move || {
                let uniform = |number: u64| (number >> 40) as f32 / (1_u64 << 24) as f32;
                (0..12).map(|_| uniform(numbers.next().unwrap_or(0))).sum::<f32>() - 6.0
            };
            let mut all = vec![0.0; network::weights(cells)];
            let [_, deep, deep_bias, last, last_bias] = Weights::parts(cells);
            for row in 0..cells * cells {
                if row / cells != blank {
                    all[row * FIRST..][..FIRST].iter_mut().for_each(|weight| *weight = 0.15 * normal());
                }
            }
            all[deep..deep_bias].iter_mut().for_each(|weight| *weight = (2.0 / FIRST as f32).sqrt() * normal());
            all[last..last_bias].iter_mut().for_each(|weight| *weight = 0.1 * normal());
            Weights { cells, all, share: (xy / xx) as f32 }
        });
        let count = weights.all.len();
        let reflected = (0..cells).map(|cell| (cell % plan.side * plan.side + cell / plan.side) as u8).collect();
        Self {
            weights,
            batch: 512 * plan.threads.clamp(1, 16).next_multiple_of(4),
            momentum: vec![0.0; count],
            variance: vec![0.0; count],
            reflected,
            blank,
            seed,
        }
    }

    fn run(&mut self, plan: &Plan, learnt: &[&Sample], tested: &[&Sample], report: &(dyn Fn(String) + Sync)) {
        let steps = plan.samples / self.batch;
        let threads = plan.threads.max(1);
        let count = self.weights.all.len();
        let parts: Vec<Mutex<Part>> =
            (0..threads).map(|_| Mutex::new(Part { gradient: vec![0.0; count], loss: 0.0 })).collect();
        report(format!("share {:.3}; {}", self.weights.share, self.test(tested)));
        let (mut first_power, mut second_power) = (1.0_f32, 1.0_f32);
        let mut loss = 0.0;
        for step in 0..steps {
            let done = step as f32 / steps as f32;
            let rate = plan.rate * (0.49 * (1.0 + (std::f32::consts::PI * done).cos()) + 0.02);
            let each = self.batch / threads;
            share_out(threads, (0..threads).collect(), |thread| {
                let part = &mut *parts[thread].lock().expect("one thread each");
                part.gradient.fill(0.0);
                part.loss = 0.0;
                let seed = self.seed ^ ((step * threads + thread) as u64) << 20;
                for number in spread_numbers(seed).take(each) {
                    let sample = learnt[(number >> 8) as usize % learnt.len()];
                    self.learn(sample, number & 1 == 1, part);
                }
            });
            first_power *= 0.9;
            second_power *= 0.999;
            let (first, second) = (1.0 / (1.0 - first_power), 1.0 / (1.0 - second_power));
            let parts: Vec<_> = parts.iter().map(|part| part.lock().expect("no thread runs")).collect();
            loss += parts.iter().map(|part| part.loss).sum::<f64>() / self.batch as f64;
            let scale = 1.0 / self.batch as f32;
            let chunk = count.div_ceil(threads);
            let jobs: Vec<_> = self
                .weights
                .all
                .chunks_mut(chunk)
                .zip(self.momentum.chunks_mut(chunk))
                .zip(self.variance.chunks_mut(chunk))
                .enumerate()
                .collect();
            share_out(threads, jobs, |(index, ((weights, momentum), variance))| {
                let gradients: Vec<&[f32]> =
                    parts.iter().map(|part| &part.gradient[index * chunk..][..weights.len()]).collect();
                for at in 0..weights.len() {
                    let gradient = gradients.iter().map(|gradient| gradient[at]).sum::<f32>() * scale;
                    momentum[at] = 0.9 * momentum[at] + 0.1 * gradient;
                    variance[at] = 0.999 * variance[at] + 0.001 * gradient * gradient;
                    weights[at] -= rate * (momentum[at] * first) / ((variance[at] * second).sqrt() + 1e-8);
                }
            });
            let tenth = (steps / 8).max(1);
            if (step + 1) % tenth == 0 {
                report(format!(
                    "step {}: error {:.3}; {}",
                    step + 1,
                    f64::from(OUTPUT_MOVES) * (loss / tenth as f64).sqrt(),
                    self.test(tested)
                ));
                loss = 0.0;
            }
        }
    }

    fn board(&self, sample: &Sample, reflect: bool) -> [u8; 64] {
        if !reflect {
            return sample.tiles;
        }
        let mut tiles = [0; 64];
        for (cell, &tile) in sample.tiles[..self.weights.cells].iter().enumerate() {
            tiles[usize::from(self.reflected[cell])] = self.reflected[usize::from(tile)];
        }
        tiles
    }

    /// The network's output, with its hidden layers.
    #[inline]
    fn forward(&self, tiles: &[u8; 64]) -> (f32, [f32; FIRST], [f32; SECOND]) {
        let cells = self.weights.cells;
        let all = &self.weights.all;
        let [bias, deep, deep_bias, last, last_bias] = Weights::parts(cells);
        let mut hidden: [f32; FIRST] = all[bias..deep].try_into().expect("a row");
        for (cell, &tile) in tiles[..cells].iter().enumerate() {
            let row: &[f32; FIRST] =
                all[(usize::from(tile) * cells + cell) * FIRST..][..FIRST].try_into().expect("a row");
            for at in 0..FIRST {
                hidden[at] += row[at];
            }
        }
        hidden = hidden.map(|value| value.max(0.0));
        let mut second: [f32; SECOND] = all[deep_bias..last].try_into().expect("a row");
        for from in 0..FIRST {
            let row: &[f32; SECOND] = all[deep + from * SECOND..][..SECOND].try_into().expect("a row");
            for to in 0..SECOND {
                second[to] += hidden[from] * row[to];
            }
        }
        second = second.map(|value| value.max(0.0));
        let out = second.iter().zip(&all[last..last_bias]).map(|(value, weight)| value * weight).sum::<f32>();
        (out + all[last_bias], hidden, second)
    }

    fn learn(&self, sample: &Sample, reflect: bool, part: &mut Part) {
        let cells = self.weights.cells;
        let all = &self.weights.all;
        let [bias, deep, deep_bias, last, last_bias] = Weights::parts(cells);
        let tiles = self.board(sample, reflect);
        let (out, hidden, second) = self.forward(&tiles);
        let error = out + (self.weights.share * sample.base - sample.worth) / OUTPUT_MOVES;
        if sample.is_bound && error > 0.0 {
            return;
        }
        part.loss += f64::from(error * error);
        let gradient = &mut part.gradient;
        gradient[last_bias] += error;
        let mut second_error = [0.0; SECOND];
        for to in 0..SECOND {
            gradient[last + to] += error * second[to];
            second_error[to] = if second[to] > 0.0 { error * all[last + to] } else { 0.0 };
            gradient[deep_bias + to] += second_error[to];
        }
        let mut first_error = [0.0; FIRST];
        for from in 0..FIRST {
            let row: &[f32; SECOND] = all[deep + from * SECOND..][..SECOND].try_into().expect("a row");
            let grown: &mut [f32; SECOND] =
                (&mut gradient[deep + from * SECOND..][..SECOND]).try_into().expect("a row");
            let mut sum = 0.0;
            if hidden[from] > 0.0 {
                for to in 0..SECOND {
                    sum += second_error[to] * row[to];
                    grown[to] += hidden[from] * second_error[to];
                }
            }
            first_error[from] = sum;
        }
        for at in 0..FIRST {
            gradient[bias + at] += first_error[at];
        }
        for (cell, &tile) in tiles[..cells].iter().enumerate() {
            if usize::from(tile) == self.blank {
                continue;
            }
            let row: &mut [f32; FIRST] =
                (&mut gradient[(usize::from(tile) * cells + cell) * FIRST..][..FIRST]).try_into().expect("a row");
            for at in 0..FIRST {
                row[at] += first_error[at];
            }
        }
    }

    /// The network's errors on samples that it has not learnt from, as text.
    fn test(&self, samples: &[&Sample]) -> String {
        let (mut errors, mut plain, mut exact, mut below, mut bounds) = (0.0, 0.0, 0, 0, 0);
        for sample in samples.iter().step_by(samples.len() / 20_000 + 1) {
            let out = self.weights.share * sample.base + OUTPUT_MOVES * self.forward(&sample.tiles).0;
            if sample.is_bound {
                bounds += 1;
                below += usize::from(out < sample.worth);
            } else {
                exact += 1;
                errors += f64::from((out - sample.worth).powi(2));
                plain += f64::from((self.weights.share * sample.base - sample.worth).powi(2));
            }
        }
        let root = |sum: f64| (sum / f64::from(exact.max(1))).sqrt();
        format!(
            "test error {:.3} (without the network {:.3}), below the bound {:.3}",
            root(errors),
            root(plain),
            below as f64 / f64::from(bounds.max(1))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights of each round are those of a network, are others than before, and are the same on one thread.
    #[test]
    fn a_network_is_trained_on_a_few_boards() {
        let plan = Plan {
            side: 4,
            seed: 5,
            threads: 1,
            rounds: 2,
            boards: 4,
            width: 60,
            levels: 10,
            samples: 3 * 2048,
            tiles: 3,
            views: 2,
            rate: 1.5e-3,
        };
        let trained = || {
            let mut kept = Vec::new();
            train(&plan, None, &|_| (), &mut |_, weights| kept.push(weights.to_vec()));
            kept
        };
        let kept = trained();
        assert!(kept.len() == 2 && kept[0] != kept[1]);
        assert!(kept.iter().all(|weights| weights.len() == kept[0].len()));
        let bytes: Vec<u8> = kept[1].iter().flat_map(|number| number.to_le_bytes()).collect();
        assert!(Network::new(16, &bytes).is_some());
        assert_eq!(trained(), kept);
        let mut further = Vec::new();
        train(&Plan { rounds: 1, ..plan }, Some(&kept[1]), &|_| (), &mut |_, weights| further = weights.to_vec());
        assert_ne!(further, kept[1], "it goes on from known weights");
    }
}
