//! Makes a network's weights from nothing, for plain squares whose blank belongs in a corner:
//! `cargo run --release -p pintu-solver --features training --example train -- 6 weights/6.bin [seed=1] [threads=2] …`

use std::{fs, process::exit, time::Instant};

use pintu_solver::training::{Plan, train};

fn main() {
    let mut words = std::env::args().skip(1);
    let (Some(side), Some(file)) = (words.next().and_then(|word| word.parse().ok()), words.next()) else {
        eprintln!(
            "train SIDE FILE [seed=1] [threads=2] [rounds=3] [boards=2000] [width=4000] [levels=30] [samples=2e7]"
        );
        exit(2);
    };
    let mut plan = Plan {
        side,
        seed: 1,
        threads: 2,
        rounds: 3,
        boards: 2000,
        width: 4000,
        levels: 30,
        samples: 20_000_000,
        tiles: 4,
        views: 8,
        rate: 1.5e-3,
    };
    let mut known = None;
    for word in words {
        if let Some(file) = word.strip_prefix("from=") {
            let bytes = fs::read(file).expect("the weights are read");
            known = Some(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect::<Vec<_>>());
            continue;
        }
        let (name, value) = word.split_once('=').unwrap_or((&word, ""));
        let number: f64 = value.parse().unwrap_or_else(|_| panic!("found {word}, expected NAME=NUMBER"));
        match name {
            "seed" => plan.seed = number as u64,
            "threads" => plan.threads = number as usize,
            "rounds" => plan.rounds = number as usize,
            "boards" => plan.boards = number as usize,
            "width" => plan.width = number as usize,
            "levels" => plan.levels = number as usize,
            "samples" => plan.samples = number as usize,
            "tiles" => plan.tiles = number as usize,
            "views" => plan.views = number as usize,
            "rate" => plan.rate = number as f32,
            _ => panic!("found {name}, expected seed, threads, rounds, boards, width, levels, samples or rate"),
        }
    }
    let began = Instant::now();
    let report = |line: String| println!("{:6.0} s  {line}", began.elapsed().as_secs_f64());
    report(format!("{plan:?}"));
    train(&plan, known.as_deref(), &report, &mut |round, weights| {
        let bytes: Vec<u8> = weights.iter().flat_map(|number| number.to_le_bytes()).collect();
        fs::write(format!("{file}.{round}"), &bytes).expect("the weights are written");
        fs::write(&file, &bytes).expect("the weights are written");
    });
}
