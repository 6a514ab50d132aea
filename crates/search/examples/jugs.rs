//! Water jugs: measure an amount with jugs that hold others. Pouring cannot always be undone, so this
//! space has no way back.
//!
//! Run it with `cargo run --example jugs -p pintu-search -- 3 5 4`: jugs of 3 and 5, to measure 4.

use std::{env, process::ExitCode};

use pintu_search::{Outcome, Space, astar, bfs, iddfs};

/// Two jugs and the amount to measure in either of them.
struct Jugs {
    capacity: [u32; 2],
    amount: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pour {
    Fill(usize),
    Empty(usize),
    Over { from: usize },
}

impl Space for Jugs {
    type State = [u32; 2];
    type Action = Pour;
    type Cost = u32;

    fn actions(&self, _: &[u32; 2]) -> impl Iterator<Item = Pour> {
        [0, 1].into_iter().flat_map(|jug| [Pour::Fill(jug), Pour::Empty(jug), Pour::Over { from: jug }])
    }

    fn apply(&self, jugs: &mut [u32; 2], pour: &Pour) -> u32 {
        match *pour {
            Pour::Fill(jug) => jugs[jug] = self.capacity[jug],
            Pour::Empty(jug) => jugs[jug] = 0,
            Pour::Over { from } => {
                let to = 1 - from;
                let poured = jugs[from].min(self.capacity[to] - jugs[to]);
                jugs[from] -= poured;
                jugs[to] += poured;
            }
        }
        1
    }

    fn is_goal(&self, jugs: &[u32; 2]) -> bool {
        jugs.contains(&self.amount)
    }
}

fn main() -> ExitCode {
    let numbers: Vec<u32> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (capacity, amount) = match numbers.as_slice() {
        [] => ([3, 5], 4),
        [small, large, amount] => ([*small, *large], *amount),
        _ => {
            eprintln!("expected three numbers: two jugs and the amount to measure");
            return ExitCode::from(2);
        }
    };
    let jugs = Jugs { capacity, amount };
    let empty = [0, 0];
    let report = bfs(&jugs, &empty, ());
    let Outcome::Solved(solution) = &report.outcome else {
        println!("{amount} cannot be measured with jugs of {} and {}", capacity[0], capacity[1]);
        return ExitCode::from(1);
    };
    for (pour, state) in solution.path.actions.iter().zip(solution.path.states(&jugs).skip(1)) {
        println!("{pour:?} → {state:?}");
    }
    // Whatever is poured, a jug that does not hold the amount needs at least one more step.
    let far = |state: &[u32; 2]| u32::from(!state.contains(&amount));
    let guided = astar(&jugs, &empty, far, ());
    let deepening = iddfs(&jugs, &empty, ());
    println!(
        "{} steps; bfs expanded {} states, astar {}, iddfs {}",
        solution.path.len(),
        report.counters.expanded,
        guided.counters.expanded,
        deepening.counters.expanded
    );
    ExitCode::SUCCESS
}
