//! Every algorithm on random boards, maps and graphs, under random limits, against plain ones that share no code with it:
//! lengths, replays, bounds that are never above the optimum, `optimal` never wrongly, limits held (memory by the
//! allocator's own count), counts that do not depend on what ran before.
//!
//! As a test it runs a fixed number of cases from a fixed seed. `cargo xtask fuzz MINUTES [SEED]` goes on for longer, from
//! another seed every time.

mod boards;
mod dice;
mod graphs;
mod limits;
mod maps;

use std::{
    env,
    time::{Duration, Instant},
};

use dice::Dice;
use pintu_testing::Counting;

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// One kind of case: checks one that the dice choose, and panics if anything is wrong.
type Kind = fn(&mut Dice);

const KINDS: [(&str, Kind); 3] = [("boards", boards::check), ("maps", maps::check), ("graphs", graphs::check)];

/// Cases of each kind in the test: a few seconds.
const FEW: u64 = 250;

// All kinds in one test, one after the other: the allocator counts for the whole process.
#[test]
fn everything_holds_on_random_problems() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("PINTU_FUZZ_SEED").unwrap_or(1);
    let ends = number("PINTU_FUZZ_MINUTES").map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let mut cases = 0_u64;
    loop {
        let is_over = ends.map_or(cases == FEW, |ends| Instant::now() >= ends);
        if is_over {
            break;
        }
        for (name, check) in KINDS {
            // The message of a check that panics names the case.
            let mut dice = Dice::new(seed, cases);
            let case = Announce { name, seed, case: cases };
            check(&mut dice);
            std::mem::forget(case);
        }
        cases += 1;
    }
    println!("{cases} cases of each kind from seed {seed}");
}

/// Prints the case if it is dropped by a panic.
struct Announce {
    name: &'static str,
    seed: u64,
    case: u64,
}

impl Drop for Announce {
    fn drop(&mut self) {
        eprintln!("{} case {} of seed {}", self.name, self.case, self.seed);
    }
}
