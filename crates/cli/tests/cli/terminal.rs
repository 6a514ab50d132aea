//! Output that fits a terminal of eighty columns; input and output in more than one form.

use std::fs;

#[cfg(unix)]
use crate::run::shell;
use crate::run::{FOUR, answer, assert_refused, command, pintu};

const COMMANDS: &str = "serve site solve compare generate check path merge tables players backup restore copy-store devices completions man";

#[test]
fn help_fits() {
    for command in COMMANDS.split(' ').chain([""]) {
        for help in ["-h", "--help"] {
            let shown = pintu(&format!("{command} {help}"), "").out;
            assert!(shown.lines().all(|line| line.chars().count() <= 80), "{command} {help}: {shown}");
        }
    }
}

#[test]
fn comparisons_fit() {
    let hard = "8 6 7 2 5 4 3 0 1";
    let all = "bfs,astar:walking-distance,wastar:manhattan:5,ida,dfs,bfs-tree";
    let one = pintu(&format!("compare --algorithms {all} --node-limit 200000"), hard).out;
    let averages = pintu(&format!("compare --scrambles 3 --seed 1 --algorithms {all} --node-limit 200000"), "").out;
    let table = one.split("\n\n").next().unwrap();
    for line in table.lines().chain(averages.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(table.contains("astar:walking-distance  optimal"), "{table}");
    assert!(table.contains("wastar:manhattan:5      solved"), "{table}");
    let impossible = pintu("compare --algorithms bfs,ida", "123456870").out;
    assert!(impossible.starts_with("contestant  found"), "{impossible}");
    assert!(impossible.contains("bfs         no solution"), "{impossible}");
}

/// The counts of a search fit, too; only moves may be longer. (A batch has a line a puzzle.)
#[test]
fn what_it_took_fits() {
    let hard = "8 6 7 2 5 4 3 0 1";
    for args in ["bfs", "astar --heuristic linear-conflict", "bfs --node-limit 1000"] {
        let shown = pintu(&format!("solve --algorithm {args}"), hard).out;
        for line in shown.lines().filter(|line| !line.contains("moves (")) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    assert_eq!(pintu("solve --batch --algorithm bfs", hard).out.lines().count(), 1);
    // A drawn path has one line below it where no terminal is too narrow for that.
    assert_eq!(pintu("path -", "S..9...\n.......\n......G").out.lines().count(), 4);
}

/// The examples of help are whole lines that can be pasted.
#[cfg(unix)]
#[test]
fn examples_in_help_work() {
    let mut seen = 0;
    for command in ["", "solve", "compare", "generate", "check", "path"] {
        let help = pintu(&format!("{command} --help"), "").out;
        let is_example =
            |line: &&str| line.starts_with("    ") && (line.contains("| pintu ") || line.contains("    pintu "));
        let examples: Vec<&str> = help.lines().filter(is_example).collect();
        assert!(!examples.is_empty(), "{command}");
        for line in examples {
            let run = shell(&line.replace("--scrambles 100", "--scrambles 2").replace("--count 100", "--count 3"));
            // One of the examples asks whether a board can be solved.
            assert!(run.status == 0 || (command == "check" && run.status == 1), "{line}: {}", run.err);
            seen += 1;
        }
    }
    assert!(seen >= 11, "{seen}");
    let serve = pintu("serve --help", "").out;
    assert!(serve.contains("pintu serve --addr 0.0.0.0      # for a phone"), "{serve}");
}

#[test]
fn names_are_accepted_in_any_case() {
    let args = "solve --algorithm AStar --heuristic MANHATTAN --goal Standard --device CPU --format JSON";
    assert_eq!(pintu(args, FOUR).json()[0]["algorithm"], "astar");
    assert_eq!(answer("compare --algorithms IDA:Manhattan", FOUR)["contestant"], "ida:manhattan");
    assert_eq!(pintu("path - --map-format Terrain --diagonal NEVER --algorithm Dijkstra", "S.\n.G").status, 0);
    assert!(pintu("completions BASH", "").out.contains("_pintu()"));
    assert!(pintu("--version", "").out.starts_with("pintu "));
    assert_eq!(pintu("path - --diagonal No-Corners --algorithm ASTAR --heuristic Octile", "S.\n.G").status, 0);
}

#[test]
fn a_solution_says_whose_direction_it_gives() {
    assert!(pintu("solve", FOUR).out.starts_with("4 moves (optimal): RDRD (where the blank goes)\n"));
    assert!(pintu("solve --notation tile", FOUR).out.starts_with("4 moves (optimal): LULU (where the tiles go)\n"));
    assert!(pintu("compare --algorithms bfs", FOUR).out.ends_with("RDRD\n(moves: where the blank goes)\n"));
}

/// Speed-solvers count runs, and that form can be read again; output for programs has a letter for each move.
#[test]
fn runs_are_counted_where_speed_solvers_read() {
    let board = "1 2 3 _/5 6 7 4/9 10 11 8/13 14 15 12";
    let text = pintu("solve --notation tile", board).out;
    assert!(text.starts_with("3 moves (optimal): U3 (where the tiles go)\n"), "{text}");
    assert!(pintu("solve", board).out.starts_with("3 moves (optimal): DDD (where the blank goes)\n"));
    assert!(pintu("compare --algorithms ida --notation tile", board).out.contains("ida  U3\n"));
    assert_eq!(pintu("solve --notation tile --format moves", board).out, "UUU\n");
    assert_eq!(pintu("solve --notation tile --format json", board).json()[0]["moves"], "UUU");
    let checked = pintu("check --notation tile --moves U3", board);
    assert_eq!((checked.status, checked.out.as_str()), (0, "solves: 3 moves lead to the goal\n"));
}

/// Green is proved, yellow is not: on a terminal, or where `--color` asks for it, and never against `NO_COLOR`.
#[test]
fn colours_say_what_is_proved() {
    let coloured = |args: &str, board| pintu(&format!("{args} --color always"), board).out;
    let (green, yellow, plain) = ("\x1b[1m\x1b[32m", "\x1b[1m\x1b[33m", "\x1b[0m");
    assert!(coloured("solve", FOUR).starts_with(&format!("4 moves ({green}optimal{plain}): RDRD (")));
    let greedy = coloured("solve --algorithm greedy", "867254301");
    assert!(greedy.contains(&format!("({yellow}not proved optimal{plain}, at least ")), "{greedy}");
    let table = coloured("compare --algorithms bfs,astar,greedy", "867254301");
    assert!(table.contains(&format!("bfs         {green}optimal{plain}     31   181,440")), "{table}");
    assert!(table.contains(&format!("greedy      {yellow}solved{plain} ")), "{table}");
    let astar = table.lines().find(|line| line.starts_with("astar")).unwrap();
    assert!(astar.contains(&format!("{green}3,828{plain}")), "{astar}");
    let markdown = coloured("compare --algorithms bfs,astar,greedy --format markdown", "867254301");
    assert!(!markdown.contains('\x1b'), "{markdown}");
    for (setting, args, is_coloured) in [
        (("", ""), "--color auto", false),
        (("CLICOLOR_FORCE", "1"), "", true),
        (("CLICOLOR_FORCE", "1"), "--color never", false),
        (("NO_COLOR", "1"), "", false),
        (("NO_COLOR", "1"), "--color always", true),
    ] {
        let mut command = command(&format!("solve 123456708 {args}"));
        let output = command.envs((!setting.0.is_empty()).then_some(setting)).output().unwrap();
        assert_eq!(output.stdout.contains(&b'\x1b'), is_coloured, "{setting:?} {args}");
    }
}

/// A terminal would break lines anywhere; piped output stays one line.
#[cfg(target_os = "linux")]
#[test]
fn errors_are_broken_between_words_on_a_terminal() {
    for command in ["pintu check --goal snale 867254301 --moves ULDR", "pintu solve 1 2 3 4 5 6 7 8"] {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let piped = shell(command).err;
        let shown = shell(&format!("NO_COLOR=1 script -qec 'stty rows 24 cols 40; {command}' /dev/null")).out;
        assert_eq!(words(&shown), words(&piped), "{command}");
        assert!(shown.lines().all(|line| line.trim_end().chars().count() <= 40), "{shown}");
        assert!(piped.lines().any(|line| line.chars().count() > 80), "{piped}");
    }
}

/// The map's own goal is a cell like any other to a path that leads elsewhere.
#[test]
fn only_the_ends_of_a_path_are_painted_as_such() {
    let map = "S..G\n....";
    let (green, red, plain) = ("\x1b[1m\x1b[32m", "\x1b[1m\x1b[31m", "\x1b[0m");
    let drawn = pintu("path --to 1,1 --color always", map).out;
    assert!(drawn.starts_with(&format!("{green}S{plain}")), "{drawn}");
    assert!(drawn.lines().next().unwrap().ends_with('G'), "{drawn}");
    assert!(drawn.lines().nth(1).unwrap().contains(&format!("{green}G{plain}..")), "{drawn}");
    assert!(drawn.contains(&format!("{red}*{plain}")), "{drawn}");
    let sea = pintu("path --color always", "1 3\n1 0 4").out;
    assert!(sea.starts_with(&format!("{green}*{plain} {red}*{plain} {green}*{plain}\n")), "{sea}");
}

#[test]
fn one_is_no_plural() {
    let (solved, one) = ("1 2 3 4 5 6 7 8 0", "1 2 3 4 5 6 7 0 8");
    for (args, input, expected) in [
        ("solve --algorithm bfs", solved, "at most 1 state,"),
        ("solve --algorithm bfs --node-limit 1", one, "at least 1 move is needed"),
        ("solve --size 2x2", "7", "found 1 tile, expected 4"),
        ("check --moves R", one, "solves: 1 move leads to the goal\n"),
        ("check --moves U", solved, "fails: after 1 move, 1 tile is out of place: 1 2 3 4 5 0 7 8 6\n"),
        ("compare --scrambles 1 --seed 1 --algorithms greedy", "", ": 1 random board, seed 1\n"),
    ] {
        let run = pintu(args, input);
        assert!(run.out.contains(expected) || run.err.contains(expected), "{args}: {}{}", run.out, run.err);
    }
}

#[test]
fn help_names_what_may_be_given() {
    let help = pintu("compare --help", "").out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[default: bfs, bidirectional, dfs, dijkstra, greedy, astar, wastar, ida; on boards larger than 3x3 greedy, "), "{help}");
    assert!(help.contains("[heuristics: none, misplaced, "), "{help}");
    let compared = pintu("compare --format json", FOUR).json();
    let names: Vec<&str> = compared.iter().map(|entry| entry["contestant"].as_str().unwrap()).collect();
    assert_eq!(names.join(", "), "bfs, bidirectional, dfs, dijkstra, greedy, astar, wastar, ida");
}

#[test]
fn links_are_given_and_taken() {
    let link = pintu("generate --size 3x4 --wrap-rows 0,2 --goal snail --seed 7 --format link", "").out;
    assert!(link.starts_with("http://127.0.0.1:7468/#p=3x4&b="), "{link}");
    let board = pintu("generate --size 3x4 --wrap-rows 0,2 --goal snail --seed 7", "").out;
    let options = "solve --algorithm astar --format json";
    let by_board = pintu(&format!("{options} --size 3x4 --wrap-rows 0,2 --goal snail"), &board).json();
    for by_link in
        [pintu(options, &link), pintu(&format!("{options} --batch"), &link), pintu(&format!("{options} {link}"), "")]
    {
        assert_eq!(by_link.json()[0]["moves"], by_board[0]["moves"], "{}", by_link.err);
    }
    assert_eq!(pintu("check --format link", &link).out, link);
    assert_eq!(pintu("solve --format link", &link).out, link);
    let to_link = pintu("solve --goal #p=3x3&b=8&t=1.2.3.4.5.6.7.0.8", "123456780");
    assert!(to_link.out.starts_with("1 move (optimal): L "), "{}{}", to_link.out, to_link.err);
    assert_refused(&[
        ("solve --goal snail", &link, "found --goal beside a link"),
        ("solve --goal #p=3x3&b=8&t=1.2.3.4.5.6.7.0.8&wr=0", "123456780", "found a link whose lines wrap"),
        ("solve", "#p=3x3&b=8&t=1.2.3", "pintu: standard input: "),
    ]);
}

#[test]
fn both_ends_stay_visible_on_a_drawn_path() {
    assert!(pintu("path -", "S..\n##.\n..G").out.starts_with("S**\n##*\n..G\n"));
    assert!(pintu("path - --from 0,1 --to 2,1", "...\n##.\n...").out.starts_with(".S*\n##*\n.G*\n"));
    // The assignment's sea maps are drawn as it draws them.
    assert!(pintu("path -", "2 3\n120\n004").out.starts_with("* 2 0\n* * *\n"));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(pintu(&format!("man --to {}", dir.path().display()), "").status, 0);
    for command in COMMANDS.split(' ') {
        let page = fs::read_to_string(dir.path().join(format!("pintu-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{command}");
        assert_eq!(pintu(&format!("man {command}"), "").out, page, "{command}");
    }
    // Every page that another one refers to is there.
    let mut subcommands = 0;
    for entry in fs::read_dir(dir.path()).unwrap() {
        let page = fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in page.lines().filter(|line| line.starts_with("pintu\\-") && line.ends_with("(1)")) {
            let name = line.replace("\\-", "-").replace("(1)", ".1");
            assert!(dir.path().join(&name).is_file(), "{name}");
            subcommands += 1;
        }
    }
    assert!(subcommands > 20, "{subcommands}");
    let build = pintu("man tables build", "").out;
    assert!(build.contains("\\-\\-large"), "{build}");
    assert_eq!(pintu("man tables-build", "").out, build);
    assert!(fs::read_to_string(dir.path().join("pintu.1")).unwrap().contains("pintu\\-solve"));
    let solve = pintu("man solve", "").out;
    let example = "\n.nf\n\\&echo \"0 1 3 4 2 5 7 8 6\" | pintu solve \\-\\-format boards\n";
    assert!(solve.contains(example) && solve.contains("\\-\\-format json\n.fi\n"), "{solve}");
}
