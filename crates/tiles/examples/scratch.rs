use pintu_tiles::{pattern::*, deepening::*, *};
use std::{ops::ControlFlow, time::Instant};
use pintu_search::*;
fn cpu() -> f64 { let s = std::fs::read_to_string("/proc/self/schedstat").unwrap(); s.split(' ').next().unwrap().parse::<f64>().unwrap()/1e9 }
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let size = Size::new(4, 4).unwrap();
    let t4 = Topology::plain(size);
    let rows = SharedRows::new();
    let parts: Vec<Vec<u8>> = match args[1].as_str() {
        "663" => vec![vec![1,2,3,5,6,7], vec![8,9,12,13,10,14], vec![4,11,15]],
        "663b" => vec![vec![1,2,4,5,6,9], vec![3,7,10,11,14,15], vec![8,12,13]],
        "663c" => vec![vec![15-1,15-5,15-6,15-9,15-10,15-13], vec![15-7,15-8,15-11,15-12,15-14,15-15+0].into_iter().map(|x| if x==0 {15-0-15+0} else {x}).collect(), vec![13,12,11]],
        "555" => vec![vec![1,2,3,6,7], vec![4,5,8,9,12], vec![10,11,13,14,15]],
        "78" => vec![vec![1,2,3,4,5,6,7], vec![8,9,10,11,12,13,14,15]],
        "663d" => vec![vec![14,13,12],vec![15,11,10,7,6,3],vec![1,2,4,5,8,9]], _ => panic!(),
    };
    if args.len() > 2 { let p = Puzzle::new(t4, Arrangement::new(size, &[13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6]).unwrap(), NamedGoal::BlankFirst.on(size)).unwrap();
      for _ in 0..3 { let c0 = cpu(); let (space, start) = TileSpace::<Nibbles>::new(&p); let r = ida(&space, &start, &manhattan(&p), &mut ()); println!("yard {} {:.3}", r.counters.generated, cpu()-c0); } }
    let now = Instant::now();
    let tables = Tables::new(parts.iter().map(|p| Table::build(&Pattern::new(t4, 0, p).unwrap(), &rows, 2, &mut |_| ControlFlow::Continue(())).unwrap()).collect()).unwrap();
    println!("built {:?} {} bytes", now.elapsed(), tables.bytes());
    let goal = NamedGoal::BlankFirst.on(size);
    let (mut gen_, mut exp) = (0u64, 0u64);
    let c0 = cpu();
    let mut first = true;
    for line in std::fs::read_to_string("data/korf100.txt").unwrap().lines().filter(|l| !l.starts_with('#')) {
        let n: Vec<u32> = line.split_whitespace().map(|x| x.parse::<u64>().unwrap() as u32).collect();
        let puzzle = Puzzle::new(t4, Arrangement::new(size, &n[1..17]).unwrap(), goal.clone()).unwrap();
        let d = deepen(&puzzle, &tables, &Options{limits: Limits::default(), started: Instant::now(), threads: 1}, &Cancel::new(), &|_| ());
        if first { println!("first {:?}", cpu()-c0); first=false; }
        let Ending::Solved(m) = d.ending else { panic!() };
        assert!(puzzle.is_solved_by(&m)); assert_eq!(m.len() as u32, n[18]);
        gen_ += d.counters.generated; exp += d.counters.expanded;
    }
    println!("mean generated {} expanded {} cpu {:.3} ms", gen_/100, exp/100, (cpu()-c0)*10.0);
}
