//! The blog posts that this project grew from, with their own inputs.

use crate::run::{answer, pintu, rows};

#[test]
fn the_assignment_prints_its_boards() {
    let run = pintu("solve --format boards", "3\n0 1 3\n4 2 5\n7 8 6\n");
    let expected = "\
Minimum number of moves = 4
3
 0  1  3 
 4  2  5 
 7  8  6 

3
 1  0  3 
 4  2  5 
 7  8  6 

3
 1  2  3 
 4  0  5 
 7  8  6 

3
 1  2  3 
 4  5  0 
 7  8  6 

3
 1  2  3 
 4  5  6 
 7  8  0 
";
    assert_eq!(run.out, expected);
    assert_eq!(run.status, 0);
}

#[test]
fn the_assignment_recognises_the_impossible() {
    for input in ["1 2 3 4 5 6 8 7 0", "3\n1 2 3\n4 5 6\n8 7 0\n"] {
        let run = pintu("solve --format boards", input);
        assert_eq!((run.out.as_str(), run.status), ("No solution possible\n", 1));
    }
}

#[test]
fn any_start_and_any_goal_under_four_algorithms() {
    for (start, goal, length) in [
        ("2 6 4 1 3 7 0 5 8", "8,1,5,7,3,6,4,0,2", 31),
        ("1 2 3 4 5 6 7 8 0", "2,0,4,8,6,5,3,1,7", 23),
        ("2 7 3 6 0 4 5 8 1", "1,2,3,8,0,4,7,6,5", 18),
    ] {
        let algorithms = "bfs,dfs,astar:euclidean,astar:manhattan";
        let common = format!("compare --goal {goal} --algorithms {algorithms} --max-depth {length}");
        let run = pintu(&format!("{common} --format json"), start);
        assert_eq!(run.status, 0, "{}", run.err);
        let answers = run.json();
        assert_eq!(answers.len(), 4);
        for answer in &answers {
            // With a bound that is just sufficient, depth-first search is optimal as well.
            assert_eq!(answer["length"], length, "{answer}");
            let moves = answer["moves"].as_str().unwrap();
            assert_eq!(pintu(&format!("check --goal {goal} --moves {moves}"), start).status, 0);
        }
        let expanded = |index: usize| answers[index]["expanded"].as_u64().unwrap();
        assert!(expanded(3) < expanded(2) && expanded(2) < expanded(0), "the better the estimate, the fewer states");
        let table = pintu(&common, start).out;
        for word in ["moves", "expanded", "generated", "time", "bfs", "dfs", "euclidean", "manhattan"] {
            assert!(table.contains(word), "the table shows {word}:\n{table}");
        }
        assert!(table.contains(answers[0]["moves"].as_str().unwrap()), "and the blank's path");
    }
}

#[test]
fn duplicate_detection_is_worth_what_it_costs() {
    let args = "compare --goal 2,0,4,8,6,5,3,1,7 --algorithms bfs,bfs-tree --format json";
    let answers = pintu(args, "1 2 3 4 5 6 7 8 0").json();
    assert_eq!((&answers[0]["length"], &answers[1]["length"]), (&23.into(), &23.into()));
    let generated = |index: usize| answers[index]["generated"].as_u64().unwrap();
    assert!(generated(1) > generated(0) * 5, "{} against {}", generated(1), generated(0));
}

#[test]
fn the_wrapping_24_puzzle_solves_its_samples() {
    // As far as Manhattan distance reaches within a test.
    for row in rows("wrap24.txt").iter().take(4) {
        let length: u64 = row[26].parse().unwrap();
        let answer = answer("solve --wrap-rows 2 --wrap-cols 2 --algorithm ida", &row[1..26].join(" "));
        assert_eq!((&answer["length"], &answer["optimal"]), (&length.into(), &true.into()), "{answer}");
        assert_eq!(answer["heuristic"], "manhattan");
    }
}

/// The blog solves a hundred of them.
#[test]
fn five_times_manhattan_solves_random_24_puzzles() {
    let boards = pintu("generate --size 5x5 --count 4 --seed 24", "").out;
    let run = pintu("solve --batch --algorithm wastar --heuristic manhattan --weight 5 --format json", &boards);
    assert_eq!((run.status, run.json().len()), (0, 4), "{}", run.err);
    for answer in run.json() {
        assert_eq!(answer["status"], "solved");
        assert!(answer["length"].as_u64().unwrap() <= 5 * answer["lower_bound"].as_u64().unwrap());
    }
}

#[test]
fn the_picture_games_averages_hold() {
    let algorithms = "bfs,bidirectional,wastar:manhattan:5";
    let args = format!("compare --scrambles 100 --seed 1 --size 3x3 --algorithms {algorithms} --format json");
    let means = pintu(&args, "").json();
    let expanded = |index: usize| means[index]["expanded"].as_f64().unwrap();
    // The blog reports about 100,000, 3,500 and 300 states.
    assert!((70_000.0..130_000.0).contains(&expanded(0)), "{}", expanded(0));
    assert!((1_500.0..5_000.0).contains(&expanded(1)), "{}", expanded(1));
    assert!((100.0..500.0).contains(&expanded(2)), "{}", expanded(2));
    assert_eq!(means[0]["length"], means[1]["length"]);
    assert_eq!((&means[0]["optimal"], &means[2]["optimal"]), (&true.into(), &false.into()));
}
