//! A class: everybody loads the page, plays, saves, and solves once, behind one address.

use std::{
    collections::BTreeSet,
    io,
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};

use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::client::Client;

/// Where everybody comes from.
const HERE: &str = "127.0.0.1";
/// A player saves this often. The page waits a moment after a move and sends what was made meanwhile.
const SAVE_PERIOD: Duration = Duration::from_secs(3);
const MOVES_PER_SAVE: usize = 8;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// A board of 3×3 that is 31 moves from its goal.
const SOLVE: &str = r#"{"rows":3,"cols":3,"tiles":[8,6,7,2,5,4,3,0,1]}"#;

#[derive(Debug, Default)]
pub(crate) struct Report {
    /// What was refused, and why.
    pub(crate) failures: Vec<String>,
    /// Sorted.
    pub(crate) saves: Vec<Duration>,
    pub(crate) pages: Vec<Duration>,
    pub(crate) solved: Vec<Duration>,
    /// Games that are not there in the end as they were acknowledged last.
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

/// Lets players come within the first third of a time, and play for the rest of it.
pub(crate) async fn play(site: SocketAddr, players: usize, time: Duration) -> Report {
    let (arriving, playing) = (time / 3, time * 2 / 3);
    let tasks: Vec<_> = (0..players as u32)
        .map(|number| {
            let delay = arriving * number / players as u32;
            tokio::spawn(async move {
                sleep(delay).await;
                let mut report = Report::default();
                if let Err(error) = play_one(site, playing, &mut report).await {
                    report.failures.push(error.to_string());
                }
                report
            })
        })
        .collect();
    let mut whole = Report::default();
    for task in tasks {
        let Report { failures, saves, pages, solved, lost } = task.await.expect("a player does not panic");
        whole.failures.extend(failures);
        whole.saves.extend(saves);
        whole.pages.extend(pages);
        whole.solved.extend(solved);
        whole.lost += lost;
    }
    for times in [&mut whole.saves, &mut whole.pages, &mut whole.solved] {
        times.sort_unstable();
    }
    whole
}

async fn play_one(site: SocketAddr, time: Duration, report: &mut Report) -> io::Result<()> {
    let mut client = Client::connect(site, HERE).await?;
    let began = Instant::now();
    load_page(&mut client).await?;
    report.pages.push(began.elapsed());
    let (_, made) = ask(&mut client, "POST /api/saves", &save(0), 201).await?;
    let made: serde_json::Value = serde_json::from_str(&made)?;
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap_or_default());
    let mut clock = interval(SAVE_PERIOD);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    clock.tick().await;
    let mut moves = 0;
    while began.elapsed() < time {
        clock.tick().await;
        moves += MOVES_PER_SAVE;
        report.saves.push(ask(&mut client, &format!("PUT {path}"), &save(moves), 200).await?.0);
        if report.solved.is_empty() {
            report.solved.push(ask(&mut client, "POST /api/solve", SOLVE, 200).await?.0);
        }
    }
    ask(&mut client, "POST /api/records", &won(), 201).await?;
    let (_, loaded) = ask(&mut client, &format!("GET {path}"), "", 200).await?;
    let loaded: serde_json::Value = serde_json::from_str(&loaded)?;
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

/// Asks for something and expects a status; how long that took, and the answer.
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
