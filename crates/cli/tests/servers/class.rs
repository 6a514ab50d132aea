//! A class behind one address: every player loads the page, plays, saves, and solves once; or all do the day's puzzle.

use std::{
    collections::BTreeSet,
    future::Future,
    io,
    net::SocketAddr,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::client::Client;

/// The address of all players.
const HERE: &str = "127.0.0.1";
/// The usual time between a player's saves. The page sends the whole game 400 ms after a move: somebody who moves once a second
/// saves once a second, and somebody who makes ten moves in a row and thinks for a while less often.
pub(crate) const SAVE_PERIOD: Duration = Duration::from_secs(3);
const MOVES_PER_SAVE: usize = 8;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Longer than a server caches a ranking.
const RANKING_AGE: Duration = Duration::from_secs(4);
/// A board of 3×3 that is 31 moves from its goal.
const SOLVE: &str = r#"{"rows":3,"cols":3,"tiles":[8,6,7,2,5,4,3,0,1]}"#;

#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Refused requests, with the reasons.
    pub(crate) failures: Vec<String>,
    /// Sorted.
    pub(crate) saves: Vec<Duration>,
    pub(crate) pages: Vec<Duration>,
    pub(crate) solved: Vec<Duration>,
    /// Times to end a run of the day's puzzle and to get the ranking.
    pub(crate) finished: Vec<Duration>,
    pub(crate) ranked: Vec<Duration>,
    /// Games that are not stored in the end as they were last acknowledged.
    pub(crate) lost: usize,
}

impl Report {
    /// The time that this share of the saves does not exceed.
    pub(crate) fn slowest(&self, share: f64) -> Duration {
        percentile(&self.saves, share)
    }
}

pub(crate) fn percentile(times: &[Duration], share: f64) -> Duration {
    let index = (times.len() as f64 * share).ceil() as usize;
    times.get(index.saturating_sub(1)).copied().unwrap_or_default()
}

/// Players arrive within the first third of a time, and play for the rest of it.
pub(crate) async fn play(site: SocketAddr, players: usize, time: Duration, period: Duration) -> Report {
    let (arriving, playing) = (time / 3, time * 2 / 3);
    let one = move |number: u32, mut report: Report| async move {
        sleep(arriving * number / players as u32).await;
        let result = play_one(site, playing, period, &mut report).await;
        (report, result)
    };
    all(players, one).await
}

/// Players begin the day's puzzle within a third of a time, save while they play it, and finish within that time after
/// it. A run that is not in the ranking in the end counts as lost.
pub(crate) async fn play_day(site: SocketAddr, players: usize, time: Duration) -> Report {
    let path = day_path();
    let (day, game) = (path.clone(), day_game(site, &path).await.expect("the day has a board"));
    let one = move |number: u32, mut report: Report| {
        let (day, game) = (day.clone(), game.clone());
        let (begins, plays) = (time * number / players as u32 / 3, time / 3 + time * number / players as u32 * 2 / 3);
        async move {
            sleep(begins).await;
            let result = play_day_one(site, &day, &game, plays, &mut report).await;
            (report, result)
        }
    };
    let mut whole = all(players, one).await;
    let ranking = async {
        let (_, ranking) = ask(&mut Client::connect(site, HERE).await?, &format!("GET {path}"), "", 200).await?;
        io::Result::Ok(serde_json::from_str::<Value>(&ranking)?["players"].as_u64().unwrap_or_default())
    };
    // The cached ranking may be old.
    sleep(RANKING_AGE).await;
    match ranking.await {
        Ok(ranked) => whole.lost += whole.finished.len().abs_diff(ranked as usize),
        Err(error) => whole.failures.push(error.to_string()),
    }
    whole
}

/// The path of today's puzzle.
pub(crate) fn day_path() -> String {
    let date = Command::new("date").args(["-u", "+%F"]).output().expect("date runs").stdout;
    format!("/api/daily/{}", String::from_utf8_lossy(&date).trim())
}

async fn all<F>(players: usize, one: impl Fn(u32, Report) -> F) -> Report
where
    F: Future<Output = (Report, io::Result<()>)> + Send + 'static,
{
    let tasks: Vec<_> = (0..players as u32).map(|number| tokio::spawn(one(number, Report::default()))).collect();
    let mut whole = Report::default();
    for task in tasks {
        let (Report { failures, saves, pages, solved, finished, ranked, lost }, result) =
            task.await.expect("a player does not panic");
        whole.failures.extend(failures.into_iter().chain(result.err().map(|error| error.to_string())));
        whole.saves.extend(saves);
        whole.pages.extend(pages);
        whole.solved.extend(solved);
        whole.finished.extend(finished);
        whole.ranked.extend(ranked);
        whole.lost += lost;
    }
    for times in [&mut whole.saves, &mut whole.pages, &mut whole.solved, &mut whole.finished, &mut whole.ranked] {
        times.sort_unstable();
    }
    whole
}

/// The day's board, solved.
async fn day_game(site: SocketAddr, path: &str) -> io::Result<Value> {
    let mut client = Client::connect(site, HERE).await?;
    let (_, begun) = ask(&mut client, &format!("POST {path}/start"), "{}", 201).await?;
    let begun: Value = serde_json::from_str(&begun)?;
    let board = json!({ "rows": begun["rows"], "cols": begun["cols"], "tiles": begun["start"] }).to_string();
    let (_, answer) = ask(&mut client, "POST /api/solve", &board, 200).await?;
    let answer: Value = serde_json::from_str(&answer)?;
    Ok(json!({
        "version": 1, "rows": begun["rows"], "cols": begun["cols"], "blank": begun["blank"], "start": begun["start"],
        "moves": answer["moves"], "millis": 1000, "picture": begun["picture"], "origin": "daily",
    }))
}

async fn play_day_one(
    site: SocketAddr,
    day: &str,
    game: &Value,
    time: Duration,
    report: &mut Report,
) -> io::Result<()> {
    let mut client = Client::connect(site, HERE).await?;
    let began = Instant::now();
    ask(&mut client, &format!("POST {day}/start"), "{}", 201).await?;
    let (_, made) = ask(&mut client, "POST /api/saves", &save(0), 201).await?;
    let made: Value = serde_json::from_str(&made)?;
    let line = format!("PUT /api/saves/{}", made["id"].as_str().unwrap_or_default());
    for saves in 1.. {
        let rest = time.saturating_sub(began.elapsed());
        sleep(rest.min(SAVE_PERIOD)).await;
        report.saves.push(ask(&mut client, &line, &save(saves * MOVES_PER_SAVE), 200).await?.0);
        if rest <= SAVE_PERIOD {
            break;
        }
    }
    let run = json!({ "game": game }).to_string();
    report.finished.push(ask(&mut client, &format!("POST {day}/finish"), &run, 200).await?.0);
    report.ranked.push(ask(&mut client, &format!("GET {day}"), "", 200).await?.0);
    Ok(())
}

async fn play_one(site: SocketAddr, time: Duration, period: Duration, report: &mut Report) -> io::Result<()> {
    let mut client = Client::connect(site, HERE).await?;
    let began = Instant::now();
    load_page(&mut client).await?;
    report.pages.push(began.elapsed());
    let (_, made) = ask(&mut client, "POST /api/saves", &save(0), 201).await?;
    let made: Value = serde_json::from_str(&made)?;
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap_or_default());
    let mut clock = interval(period);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    clock.tick().await;
    let mut moves = 0;
    // Once also where loading the page takes all the time.
    while moves == 0 || began.elapsed() < time {
        clock.tick().await;
        moves += MOVES_PER_SAVE;
        report.saves.push(ask(&mut client, &format!("PUT {path}"), &save(moves), 200).await?.0);
        if report.solved.is_empty() {
            report.solved.push(ask(&mut client, "POST /api/solve", SOLVE, 200).await?.0);
        }
    }
    ask(&mut client, "POST /api/records", &won(), 201).await?;
    let (_, loaded) = ask(&mut client, &format!("GET {path}"), "", 200).await?;
    let loaded: Value = serde_json::from_str(&loaded)?;
    report.lost += usize::from(loaded["game"]["moves"].as_str().map(str::len) != Some(moves));
    Ok(())
}

/// Loads the document, and the scripts and styles that it names.
async fn load_page(client: &mut Client) -> io::Result<()> {
    let (_, page) = ask(client, "GET /", "", 200).await?;
    let is_part = |name: &&str| Path::new(name).extension().is_some_and(|suffix| suffix == "js" || suffix == "css");
    let names = page.split('"').filter(is_part);
    let names: BTreeSet<&str> = names.map(|name| name.trim_start_matches("./").trim_start_matches('/')).collect();
    if names.is_empty() {
        return Err(io::Error::other("the page names no script"));
    }
    for name in names {
        ask(client, &format!("GET /{name}"), "", 200).await?;
    }
    Ok(())
}

/// Sends a request and expects a status; returns the time that it took, and the answer.
async fn ask(client: &mut Client, line: &str, body: &str, expected: u16) -> io::Result<(Duration, String)> {
    let sent = Instant::now();
    let answer = timeout(ANSWER_TIMEOUT, client.send(line, body.as_bytes())).await;
    let (status, answer) = answer.map_err(|_| io::Error::other(format!("{line}: no answer")))??;
    if status != expected {
        return Err(io::Error::other(format!("{line}: {status} {answer}")));
    }
    Ok((sent.elapsed(), answer))
}

pub(crate) fn save(moves: usize) -> String {
    let letters: String = "ULDR".chars().cycle().take(moves).collect();
    format!(
        r#"{{"name":"a game","game":{{"version":1,"rows":4,"cols":4,"wrap_rows":[],"wrap_cols":[],"blank":15,"start":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0],"moves":"{letters}","redo":"","millis":{moves},"helped":false,"picture":"builtin:dawn"}}}}"#
    )
}

/// A finished game.
pub(crate) fn won() -> String {
    r#"{"game":{"version":1,"rows":3,"cols":3,"wrap_rows":[],"wrap_cols":[],"blank":8,"start":[0,1,2,4,5,3,7,8,6],"moves":"RRDD","redo":"","runs":[[0,2]],"millis":1234,"helped":false,"picture":"builtin:hills"}}"#.to_owned()
}
