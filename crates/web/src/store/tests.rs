//! Promises of every store about players, whichever database is under it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pintu_game::{Claim, Day, Picture, Save, Score};
use serde_json::json;

use super::*;
use crate::{
    config::{Bounds, Config},
    ranking::{RankedBy, Ranking, Rankings, Standings},
};

#[path = "../../tests/api/postgres.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod server;

/// A database that can be opened, also again at another time.
trait Database {
    fn open(&self, time: SystemTime) -> Box<dyn Store>;
}

/// A file in a directory, or a database for which the directory stands.
struct Directory {
    directory: tempfile::TempDir,
    store: Option<String>,
}

impl Database for Directory {
    fn open(&self, time: SystemTime) -> Box<dyn Store> {
        let (store, fixed_time) = (self.store.clone(), Some(time));
        super::open(&Config { store, fixed_time, ..Config::new(self.directory.path()) }).unwrap().0
    }
}

fn file() -> Directory {
    Directory { directory: tempfile::tempdir().unwrap(), store: None }
}

fn database() -> Option<Directory> {
    let directory = tempfile::tempdir().unwrap();
    let store = server::store_of(directory.path(), "PINTU_TEST_POSTGRES");
    if store.is_none() {
        pintu_testing::skip("there is no PostgreSQL server (PINTU_TEST_POSTGRES): the tests of that store");
    }
    store.map(|store| Directory { directory, store: Some(store) })
}

/// A new database of each kind.
fn places() -> Vec<Box<dyn Database>> {
    let database = database().map(|database| Box::new(database) as Box<dyn Database>);
    std::iter::once(Box::new(file()) as Box<dyn Database>).chain(database).collect()
}

fn begin() -> SystemTime {
    UNIX_EPOCH + Duration::from_hours(20_773 * 24)
}

fn id(number: u32) -> Id {
    Id::parse(&format!("{number:032x}")).unwrap()
}

fn device(number: u32) -> Device {
    Device::of(&id(number), format!("device {number}"))
}

fn save(name: &str, picture: Picture) -> NewSave {
    NewSave { name: name.to_owned(), game: "{}".to_owned(), line: "{}".to_owned(), picture }
}

fn any_picture() -> Picture {
    "builtin:any".parse().unwrap()
}

fn record(millis: u64) -> NewRecord {
    let save: Save = serde_json::from_value(json!({
        "version": 1, "rows": 3, "cols": 3, "blank": 8, "start": [1, 2, 3, 4, 5, 6, 7, 0, 8], "moves": "R",
        "millis": millis, "picture": "builtin:any",
    }))
    .unwrap();
    NewRecord { board: "{}".to_owned(), score: Score { millis, moves: 1 }, save, game: "{}".to_owned() }
}

fn code(text: &str) -> Key {
    Key::Code(Secret::of(text))
}

fn phrase(text: &str) -> Key {
    Key::Phrase(Secret::of(text))
}

async fn names(store: &dyn Store, device: Device) -> Vec<String> {
    store.saves(device).await.unwrap().into_iter().map(|save| save.name).collect()
}

/// Two devices with a save each, which become those of one player.
async fn pair(store: &dyn Store) {
    for number in [1, 2] {
        assert!(
            store
                .add_save(device(number), id(10 + number), save(&format!("of {number}"), any_picture()))
                .await
                .unwrap()
        );
    }
    store.set_code(device(1), Secret::of("code")).await.unwrap();
    assert!(store.join(device(2), code("code")).await.unwrap());
}

#[tokio::test]
async fn a_device_that_joins_has_everything_of_both() {
    for place in places() {
        let store = place.open(begin());
        let picture = StoredPicture { width: 8, height: 8, jpeg: vec![7; 9] };
        let stored = store.add_picture(device(2), id(30), picture).await.unwrap();
        let own = save("with a picture", Picture::Stored(stored.clone()));
        assert!(store.add_save(device(2), id(31), own).await.unwrap());
        for (number, millis) in [(1, 1000), (2, 1000), (2, 2000)] {
            store.add_record(device(number), Id::random().unwrap(), record(millis)).await.unwrap();
        }
        store.set_nickname(device(2), Some("Ming".to_owned())).await.unwrap();
        pair(&*store).await;
        for number in [1, 2] {
            assert_eq!(names(&*store, device(number)).await, ["of 2", "with a picture", "of 1"], "the latest first");
            let millis: Vec<_> =
                store.records(device(number)).await.unwrap().iter().map(|record| record.score.millis).collect();
            assert_eq!(millis, [1000, 2000], "the same game is there once");
            assert!(store.picture(device(number), Id::parse(&stored).unwrap()).await.unwrap().is_some());
            assert_eq!(store.pictures(device(number)).await.unwrap(), std::slice::from_ref(&stored));
        }
        let player = store.player(device(1)).await.unwrap().unwrap();
        assert_eq!(player.nickname.as_deref(), Some("Ming"), "it had none");
        let devices: Vec<_> = player.devices.iter().map(|one| (one.name.as_str(), one.is_current)).collect();
        // The device that stored something first came first.
        assert_eq!(devices, [("device 2", false), ("device 1", true)]);
        let census = store.census().await.unwrap();
        assert_eq!((census.players, census.devices, census.saves), (1, 2, 3));
        // Each may overwrite and delete what the other made.
        let changed = store.replace_save(device(1), id(12), save("newer", any_picture()), Some(1)).await.unwrap();
        assert_eq!(changed, Changed::Done(2));
        let stale = store.replace_save(device(2), id(12), save("conflict", any_picture()), Some(1)).await.unwrap();
        assert_eq!(stale, Changed::Stale(2));
        assert_eq!(store.delete_save(device(2), id(11), None).await.unwrap(), Changed::Done(1));
    }
}

#[tokio::test]
async fn a_code_can_be_used_once_within_its_time() {
    for place in places() {
        let store = place.open(begin());
        pair(&*store).await;
        assert!(!store.join(device(3), code("code")).await.unwrap(), "it is used up");
        store.set_code(device(1), Secret::of("first")).await.unwrap();
        store.set_code(device(2), Secret::of("second")).await.unwrap();
        assert!(!store.join(device(3), code("first")).await.unwrap(), "a new code replaces the last one");
        drop(store);
        let store = place.open(begin() + CODE_TIME);
        assert!(!store.join(device(3), code("second")).await.unwrap(), "too late");
        assert!(store.player(device(3)).await.unwrap().is_none(), "nothing is made for a wrong guess");
        store.set_code(device(1), Secret::of("third")).await.unwrap();
        drop(store);
        let store = place.open(begin() + 2 * CODE_TIME - Duration::from_secs(1));
        assert!(store.join(device(3), code("third")).await.unwrap());
        store.set_code(device(1), Secret::of("own")).await.unwrap();
        assert!(store.join(device(1), code("own")).await.unwrap(), "of oneself it changes nothing");
        assert_eq!(store.player(device(3)).await.unwrap().unwrap().devices.len(), 3);
    }
}

/// With `PostgreSQL`, one transaction could have the code and wait for the player, and the other the other way round.
#[tokio::test]
async fn a_code_is_entered_while_its_player_makes_another() {
    for place in places() {
        let store = place.open(begin());
        store.set_code(device(1), Secret::of("0")).await.unwrap();
        for number in 0..50 {
            let (next, last) = (Secret::of(&(number + 1).to_string()), code(&number.to_string()));
            let (made, joined) = tokio::join!(store.set_code(device(1), next), store.join(device(2), last));
            made.unwrap();
            joined.unwrap();
        }
    }
}

#[tokio::test]
async fn a_phrase_brings_a_player_back_and_each_of_two_stays() {
    for place in places() {
        let store = place.open(begin());
        store.set_phrase(device(1), Secret::of("replaced")).await.unwrap();
        store.set_phrase(device(1), Secret::of("one")).await.unwrap();
        store.set_phrase(device(2), Secret::of("two")).await.unwrap();
        assert!(!store.join(device(9), phrase("replaced")).await.unwrap());
        assert!(!store.join(device(9), code("one")).await.unwrap(), "a phrase is no code");
        pair(&*store).await;
        assert!(store.player(device(1)).await.unwrap().unwrap().has_phrase);
        for (number, words) in [(3, "one"), (4, "two"), (5, "one")] {
            assert!(store.join(device(number), phrase(words)).await.unwrap(), "it can be used again");
            assert_eq!(names(&*store, device(number)).await, ["of 2", "of 1"]);
        }
    }
}

#[tokio::test]
async fn a_device_that_is_sent_away_has_nothing_any_more() {
    for place in places() {
        let store = place.open(begin());
        pair(&*store).await;
        let [first, second] = &store.player(device(1)).await.unwrap().unwrap().devices[..] else {
            panic!("two devices")
        };
        let (first, second) = (Id::parse(&first.id).unwrap(), Id::parse(&second.id).unwrap());
        assert!(store.rename_device(device(1), second.clone(), "laptop".to_owned()).await.unwrap());
        assert!(!store.rename_device(device(9), second.clone(), "stolen".to_owned()).await.unwrap());
        assert_eq!(store.send_away(device(9), second.clone()).await.unwrap(), SentAway::Absent);
        store.set_phrase(device(2), Secret::of("known")).await.unwrap();
        let sent = store.send_away(device(1), second.clone()).await.unwrap();
        assert_eq!(sent, SentAway::Done { is_current: false });
        assert!(!store.join(device(2), phrase("known")).await.unwrap(), "it does not come back by them");
        assert!(!store.player(device(1)).await.unwrap().unwrap().has_phrase);
        assert!(names(&*store, device(2)).await.is_empty());
        assert!(store.save(device(2), id(12)).await.unwrap().is_none());
        let changed = store.replace_save(device(2), id(12), save("late", any_picture()), None).await.unwrap();
        assert_eq!(changed, Changed::Absent);
        // It becomes a new player's.
        assert!(store.add_save(device(2), id(40), save("new", any_picture())).await.unwrap());
        assert_eq!(names(&*store, device(2)).await, ["new"]);
        assert_eq!(names(&*store, device(1)).await, ["of 2", "of 1"]);
        // The last one would leave nobody who can come back.
        assert_eq!(store.send_away(device(1), first.clone()).await.unwrap(), SentAway::IsLast);
        store.set_phrase(device(1), Secret::of("words")).await.unwrap();
        assert_eq!(store.send_away(device(1), first).await.unwrap(), SentAway::Done { is_current: true });
        assert!(store.join(device(3), phrase("words")).await.unwrap());
        assert_eq!(names(&*store, device(3)).await, ["of 2", "of 1"]);
    }
}

#[tokio::test]
async fn other_devices_get_to_know_what_was_deleted_and_others_do_not() {
    for place in places() {
        let store = place.open(begin());
        let deletions = async |number| store.deletions(device(number)).await.unwrap();
        store.add_save(device(1), id(9), save("alone", any_picture())).await.unwrap();
        assert_eq!(store.delete_save(device(1), id(9), None).await.unwrap(), Changed::Done(1));
        assert!(deletions(1).await.is_empty(), "nobody else could know of it");
        pair(&*store).await;
        assert_eq!(store.delete_save(device(1), id(12), Some(2)).await.unwrap(), Changed::Stale(1));
        assert_eq!(store.delete_save(device(9), id(12), None).await.unwrap(), Changed::Absent);
        assert_eq!(store.delete_save(device(1), id(12), Some(1)).await.unwrap(), Changed::Done(1));
        store.add_record(device(2), id(20), record(1000)).await.unwrap();
        assert!(
            store.delete_record(device(2), id(20)).await.unwrap()
                && !store.delete_record(device(2), id(20)).await.unwrap()
        );
        assert_eq!(store.delete_save(device(2), id(11), None).await.unwrap(), Changed::Done(1));
        let expected = [12, 20, 11].map(|number| id(number).to_string());
        assert_eq!((deletions(1).await, deletions(2).await), (expected.to_vec(), expected.to_vec()));
        assert!(deletions(9).await.is_empty(), "a stranger knows nothing");
        for number in 0..rules::MAX_DELETIONS as u32 {
            store.add_record(device(1), id(100 + number), record(u64::from(number))).await.unwrap();
            assert!(store.delete_record(device(1), id(100 + number)).await.unwrap());
        }
        let last = deletions(2).await;
        assert_eq!(
            (last.len() as i64, last.contains(&expected[2])),
            (rules::MAX_DELETIONS, false),
            "only the last are known"
        );
        store.forget(device(1)).await.unwrap();
        assert!(deletions(2).await.is_empty());
    }
}

fn day(after: i32) -> Day {
    Day::new(20_773 + after).unwrap()
}

/// A run of a device that takes some seconds by both clocks.
async fn run(place: &dyn Database, number: u32, after: i32, seconds: u64, moves: usize) {
    place.open(begin()).begin_run(device(number), day(after)).await.unwrap();
    let score = Score { millis: seconds * 1000, moves };
    let claim = Claim { score, least_millis: 0 };
    let end = place.open(begin() + Duration::from_secs(seconds)).end_run(device(number), day(after), claim).await;
    let EndedRun::Done(run) = end.unwrap() else { panic!("it counts") };
    assert_eq!(run.score, Some(score));
}

#[tokio::test]
async fn runs_are_timed_between_two_moments_of_the_server() {
    for place in places() {
        let store = place.open(begin());
        let result = |millis| Score { millis, moves: 50 };
        let claim = |millis| Claim { score: result(millis), least_millis: 98 };
        let never = store.end_run(device(1), day(0), claim(1000)).await.unwrap();
        assert_eq!(never, EndedRun::NotBegun);
        for number in 1..=6 {
            store.begin_run(device(number), day(0)).await.unwrap();
        }
        drop(store);
        let store = place.open(begin() + Duration::from_mins(1));
        let again = store.begin_run(device(1), day(0)).await.unwrap();
        assert_eq!(again.started, 20_773 * 24 * 60 * 60 * 1000, "it goes on from its first beginning");
        let counted = |millis| EndedRun::Done(Run { score: Some(result(millis)), ..again });
        let cases = [
            (1, 1, counted(57_000)),
            (2, 59_500, counted(59_500)),
            (3, 63_000, counted(60_000)),
            (4, 63_001, EndedRun::TooLong),
        ];
        for (number, claimed, expected) in cases {
            let end = store.end_run(device(number), day(0), claim(claimed)).await.unwrap();
            assert_eq!(end, expected, "the page says {claimed} ms");
        }
        assert_eq!(store.runs(device(4)).await.unwrap(), [again], "it can be played again");
        let end = store.end_run(device(1), day(0), claim(98)).await.unwrap();
        assert_eq!(end, counted(57_000), "the first end counts");
        assert_eq!(store.runs(device(1)).await.unwrap(), [Run { score: Some(result(57_000)), ..again }]);
        drop(store);
        let store = place.open(begin() - Duration::from_secs(1));
        let end = store.end_run(device(5), day(0), claim(1000)).await.unwrap();
        assert_eq!(end, EndedRun::TooLong, "the clock was set back");
        let end = store.end_run(device(2), day(0), claim(1000)).await.unwrap();
        assert_eq!(end, counted(59_500), "what has ended stays");
        drop(store);
        for (millis, expected) in [(97, EndedRun::TooLong), (98, counted(98))] {
            let store = place.open(begin() + Duration::from_millis(millis));
            let end = store.end_run(device(6), day(0), claim(154)).await.unwrap();
            assert_eq!(end, expected, "50 moves within {millis} ms");
        }
    }
}

#[tokio::test]
async fn rankings_show_the_first_and_who_is_around_the_player() {
    for place in places() {
        for number in 1..=20 {
            run(&*place, number, 0, 10 * u64::from(number), 100 - number as usize).await;
        }
        run(&*place, 20, 1, 10, 10).await;
        let store = place.open(begin());
        store.begin_run(device(21), day(0)).await.unwrap();
        store.set_nickname(device(16), Some("Li".to_owned())).await.unwrap();
        let places = |ranking: &Ranking| ranking.ranks.iter().map(|rank| rank.place).collect::<Vec<_>>();
        let of = async |number, days, by| -> Result<Ranking, StoreError> {
            let player = store.player_of(device(number)).await?.unwrap_or_default();
            Ok(Standings::new(store.results(days).await?).ranking(by, &player))
        };
        let by_time = of(16, day(0)..=day(0), RankedBy::Time).await.unwrap();
        assert_eq!(places(&by_time), (1..=10).chain(14..=18).collect::<Vec<_>>());
        assert_eq!(by_time.players, 20);
        let own: Vec<_> = by_time.ranks.iter().filter(|rank| rank.is_own).collect();
        assert_eq!((own.len(), own[0].place, own[0].nickname.as_deref()), (1, 16, Some("Li")));
        let by_moves = of(16, day(0)..=day(0), RankedBy::Moves).await.unwrap();
        assert_eq!(places(&by_moves), (1..=10).collect::<Vec<_>>());
        assert!(by_moves.ranks[4].is_own, "{by_moves:?}");
        let week = of(99, day(-5)..=day(1), RankedBy::Time).await.unwrap();
        let first = &week.ranks[0];
        assert_eq!((first.days, first.score), (2, Score { millis: 210_000, moves: 90 }), "more days are more");
        assert_eq!(places(&week), (1..=10).collect::<Vec<_>>(), "who takes no part has no place");
        assert_eq!(of(1, day(7)..=day(7), RankedBy::Time).await.unwrap(), Ranking::default());
        // Equal results share a place, and nobody who is banned has one.
        run(&*place, 30, 0, 10, 99).await;
        let player = store.player(device(2)).await.unwrap().unwrap();
        assert!(store.ban_player(player.id, true).await.unwrap());
        let shared = of(3, day(0)..=day(0), RankedBy::Time).await.unwrap();
        assert_eq!(shared.ranks[..3].iter().map(|rank| rank.place).collect::<Vec<_>>(), [1, 1, 3]);
        assert!(shared.ranks[2].is_own);
    }
}

/// Others see a ranking that is a moment old; whoever has finished meanwhile is in it at once.
#[tokio::test]
async fn a_ranking_is_kept_for_a_moment_but_not_from_who_is_missing_in_it() {
    for place in places() {
        run(&*place, 1, 0, 20, 50).await;
        let rankings = Rankings::new(Duration::from_hours(1));
        let store = place.open(begin());
        let of = async |number, own| {
            let player = store.player_of(device(number)).await.unwrap().unwrap_or_default();
            let standings = rankings.of(&*store, day(0)..=day(0), &player, own).await.unwrap();
            standings.ranking(RankedBy::Time, &player).players
        };
        assert_eq!(of(9, None).await, 1);
        run(&*place, 2, 0, 30, 60).await;
        assert_eq!(of(9, None).await, 1, "it is kept");
        assert_eq!(of(2, Some((1, Score { millis: 30_000, moves: 60 }))).await, 2);
        assert_eq!(of(9, None).await, 2);
        // One who is banned is in no ranking, and has none made anew by asking.
        let player = store.player_of(device(1)).await.unwrap().unwrap();
        assert!(store.ban_player(player.clone(), true).await.unwrap());
        let rankings = Rankings::new(Duration::from_hours(1));
        let of = async |own| {
            let standings = rankings.of(&*store, day(0)..=day(0), &player, own).await.unwrap();
            standings.ranking(RankedBy::Time, &player)
        };
        assert_eq!(of(None).await.players, 1);
        run(&*place, 3, 0, 30, 60).await;
        let shown = of(Some((1, Score { millis: 20_000, moves: 50 }))).await;
        assert_eq!((shown.players, shown.ranks.len()), (1, 1), "it is kept");
    }
}

#[tokio::test]
async fn joined_players_have_the_best_records_of_both_each_once() {
    for place in places() {
        let store = place.open(begin());
        let most = rules::MAX_RECORDS_PER_BOARD as u64;
        let (quickest, shortest) = (Score { millis: 900, moves: 40 }, Score { millis: 9000, moves: 7 });
        let add = async |number, score: Score| {
            let record = NewRecord { score, ..record(score.millis) };
            store.add_record(device(number), Id::random().unwrap(), record).await.unwrap()
        };
        let common = Score { millis: 5000, moves: 20 };
        for (number, best) in [(1, shortest), (2, quickest)] {
            add(number, best).await;
            add(number, common).await;
            for other in 1..most {
                add(number, Score { millis: 1000 * u64::from(number) + other, moves: 30 }).await;
            }
        }
        pair(&*store).await;
        let scores = async || {
            let records = store.records(device(1)).await.unwrap();
            records.iter().map(|record| record.score).collect::<Vec<_>>()
        };
        let joined = scores().await;
        let count = |scores: &[Score], wanted| scores.iter().filter(|&&score| score == wanted).count();
        assert_eq!([quickest, shortest, common].map(|score| count(&joined, score)), [1; 3]);
        assert_eq!(joined.len() as u64, 2 * most + 1);
        // There are more than the limit of a board: what is new takes the place of one, and never of a best one.
        for other in 0..2 * most {
            add(2, Score { millis: 6000 + other, moves: 25 }).await;
        }
        let later = scores().await;
        assert_eq!([quickest, shortest].map(|score| count(&later, score)), [1; 2]);
        assert_eq!((later.len(), count(&later, common)), (joined.len(), 0));
    }
}

/// Two players who became one have more than the quotas allow: something new takes the place of one thing, not of all.
#[tokio::test]
async fn a_new_picture_of_joined_players_takes_the_place_of_one() {
    for place in places() {
        let store = place.open(begin());
        let most = Bounds::default().pictures as u32;
        let picture = |number: u32| StoredPicture { jpeg: number.to_le_bytes().to_vec(), width: 1, height: 1 };
        for number in 0..2 * most {
            let device = device(1 + number / most);
            store.add_picture(device, id(1000 + number), picture(number)).await.unwrap();
        }
        store.set_code(device(1), Secret::of("code")).await.unwrap();
        assert!(store.join(device(2), code("code")).await.unwrap());
        assert_eq!(store.pictures(device(1)).await.unwrap().len(), 2 * most as usize);
        store.add_picture(device(1), id(5000), picture(9999)).await.unwrap();
        assert_eq!(store.pictures(device(1)).await.unwrap().len(), 2 * most as usize);
    }
}

#[tokio::test]
async fn of_two_runs_of_a_day_the_finished_or_first_stays_and_old_ones_go() {
    for place in places() {
        place.open(begin()).begin_run(device(1), day(2)).await.unwrap();
        run(&*place, 2, 2, 50, 20).await;
        run(&*place, 2, 0, 30, 20).await;
        run(&*place, 1, 1, 40, 20).await;
        let store = place.open(begin() + Duration::from_secs(5));
        store.begin_run(device(1), day(0)).await.unwrap();
        store.begin_run(device(2), day(1)).await.unwrap();
        pair(&*store).await;
        let runs = store.runs(device(1)).await.unwrap();
        let millis: Vec<_> = runs.iter().map(|run| run.score.map(|score| score.millis)).collect();
        assert_eq!(millis, [Some(30_000), Some(40_000), Some(50_000)]);
        drop(store);
        let store = place.open(begin() + Duration::from_hours(24) * (RUN_DAYS as u32 + 1));
        store.forget_unused().await.unwrap();
        assert_eq!(store.runs(device(2)).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_player_has_no_end_of_devices_and_none_that_was_sent_away_comes_back_by_its_code() {
    for place in places() {
        let store = place.open(begin());
        store.set_phrase(device(1), Secret::of("phrase")).await.unwrap();
        for number in 2..=60 {
            assert!(store.join(device(number), Key::Phrase(Secret::of("phrase"))).await.unwrap());
        }
        let player = store.player(device(60)).await.unwrap().unwrap();
        assert_eq!(player.devices.len(), 50);
        assert!(player.devices.iter().any(|device| device.is_current), "the one that came last is there");
        assert_eq!(store.census().await.unwrap().players, 1);
        store.set_code(device(60), Secret::of("code")).await.unwrap();
        let other = player.devices.iter().find(|device| !device.is_current).unwrap();
        store.send_away(device(60), Id::parse(&other.id).unwrap()).await.unwrap();
        assert!(!store.join(device(70), code("code")).await.unwrap());
    }
}

#[tokio::test]
async fn the_operator_finds_renames_bans_and_removes_players() {
    for place in places() {
        let store = place.open(begin());
        pair(&*store).await;
        store.set_nickname(device(1), Some("Ming".to_owned())).await.unwrap();
        store.set_nickname(device(3), Some("Anna".to_owned())).await.unwrap();
        let found = store.list_players("mi".to_owned(), 10).await.unwrap();
        let [player] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            (player.nickname.as_deref(), player.devices, player.saves, player.banned),
            (Some("Ming"), 2, 2, false)
        );
        assert!(player.bytes > 0 && player.used_millis == 20_773 * 24 * 60 * 60 * 1000);
        assert_eq!(store.list_players(player.id[..8].to_owned(), 10).await.unwrap().len(), 1, "by the id, too");
        assert_eq!(store.list_players(String::new(), 1).await.unwrap().len(), 1, "no more than are asked for");
        assert!(store.rename_player(player.id.clone(), None).await.unwrap());
        assert_eq!(store.player(device(2)).await.unwrap().unwrap().nickname, None);
        assert!(store.ban_player(player.id.clone(), true).await.unwrap());
        let its_id = Id::parse(&store.player(device(1)).await.unwrap().unwrap().devices[0].id).unwrap();
        let refused = [
            store.add_save(device(2), id(50), save("more", any_picture())).await.err(),
            store.set_nickname(device(1), Some("Ming".to_owned())).await.err(),
            store.replace_save(device(1), id(11), save("more", any_picture()), None).await.err(),
            store.begin_run(device(1), day(0)).await.err(),
            store.rename_device(device(1), its_id.clone(), "mine".to_owned()).await.err(),
        ];
        assert!(refused.iter().all(|error| matches!(error, Some(StoreError::Banned))), "{refused:?}");
        assert_eq!(names(&*store, device(1)).await.len(), 2, "its games can be read");
        assert!(store.ban_player(player.id.clone(), false).await.unwrap());
        store.set_nickname(device(1), Some("Ming".to_owned())).await.unwrap();
        assert!(store.remove_player(player.id.clone()).await.unwrap());
        assert!(!store.remove_player(player.id.clone()).await.unwrap());
        assert!(store.player(device(1)).await.unwrap().is_none() && names(&*store, device(2)).await.is_empty());
        assert!(!store.join(device(3), code("code")).await.unwrap());
        assert_eq!(store.census().await.unwrap().players, 1);
    }
}

#[tokio::test]
async fn a_player_who_is_deleted_leaves_nothing() {
    for place in places() {
        let store = place.open(begin());
        pair(&*store).await;
        store.add_record(device(1), id(60), record(1000)).await.unwrap();
        store.set_phrase(device(1), Secret::of("words")).await.unwrap();
        store.begin_run(device(1), day(0)).await.unwrap();
        store.forget(device(2)).await.unwrap();
        let census = store.census().await.unwrap();
        assert_eq!((census.players, census.devices, census.saves, census.records), (0, 0, 0, 0));
        assert!(!store.join(device(3), phrase("words")).await.unwrap());
        assert!(store.runs(device(1)).await.unwrap().is_empty());
    }
}

/// Every table of a file, row by row.
fn dump(place: &Directory) -> Vec<String> {
    let file = rusqlite::Connection::open(place.directory.path().join("pintu.sqlite3")).unwrap();
    let mut all = Vec::new();
    for table in rules::PLAYER_TABLES.into_iter().chain(["facts"]) {
        let mut statement = file.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            (0..columns).map(|at| Ok(format!("{:?}", row.get_ref(at)?))).collect::<rusqlite::Result<Vec<_>>>()
        });
        all.extend(rows.unwrap().map(|row| format!("{table} {}", row.unwrap().join(" "))));
    }
    all.sort();
    all
}

async fn fill(store: &dyn Store) {
    pair(store).await;
    let jpeg = vec![0, 255, 7];
    let picture = store.add_picture(device(1), id(30), StoredPicture { width: 8, height: 9, jpeg }).await.unwrap();
    for (number, name) in [(31, "拼图 'quoted'"), (32, "")] {
        let save = save(name, Picture::Stored(picture.clone()));
        assert!(store.add_save(device(3), id(number), NewSave { picture: any_picture(), ..save }).await.unwrap());
    }
    for number in [42, 41, 43] {
        store.add_record(device(1), id(number), record(u64::from(number))).await.unwrap();
    }
    store.set_nickname(device(1), Some("a nickname".to_owned())).await.unwrap();
    store.set_phrase(device(1), Secret::of("phrase")).await.unwrap();
    store.set_code(device(3), Secret::of("another")).await.unwrap();
    store.begin_run(device(1), Day::new(20_773).unwrap()).await.unwrap();
    store.add_invitation(Secret::of("token")).await.unwrap();
    store.add_record(device(2), id(44), record(44)).await.unwrap();
    assert!(store.delete_record(device(2), id(44)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_has_everything_and_so_has_the_copy_back() {
    let Some(database) = database() else { return };
    let (first, back) = (file(), file());
    let store = first.open(begin());
    fill(&*store).await;
    drop(store);
    let place = |directory: &Directory| match &directory.store {
        Some(url) => super::StoreAddress::Database(url.clone()),
        None => super::StoreAddress::Directory(directory.directory.path().to_owned()),
    };
    let (from, through, to) = (place(&first), place(&database), place(&back));
    let copy = move || {
        let there = copy_store(&from, &through).unwrap();
        let error = copy_store(&from, &through).unwrap_err().to_string();
        assert!(error.contains("expected an empty one"), "{error}");
        assert_eq!(copy_store(&through, &to).unwrap(), there);
        there
    };
    let copied = tokio::task::spawn_blocking(copy).await.unwrap();
    assert_eq!(dump(&back), dump(&first));
    let expected = [("players", 2), ("devices", 3), ("codes", 1), ("phrases", 1), ("runs", 1), ("saves", 4)];
    assert_eq!(copied[..6], expected);
    assert_eq!(copied[6..9], [("pictures", 1), ("records", 3), ("deletions", 1)]);
    // The copy is used: by the same devices, with the same secret, in the same order.
    let (one, other) = (database.open(begin()), back.open(begin()));
    assert_eq!(one.secret().await.unwrap(), other.secret().await.unwrap());
    for store in [&*one, &*other] {
        assert_eq!(names(store, device(2)).await, ["of 2", "of 1"]);
        let ids: Vec<_> = store.records(device(2)).await.unwrap().into_iter().map(|record| record.id).collect();
        assert_eq!(ids, [42, 41, 43].map(|number| id(number).to_string()));
        assert_eq!(store.picture(device(1), id(30)).await.unwrap(), Some(vec![0, 255, 7]));
        assert!(store.join(device(4), phrase("phrase")).await.unwrap());
        assert!(store.take_invitation(Secret::of("token")).await.unwrap());
        assert!(!store.take_invitation(Secret::of("token")).await.unwrap(), "once is once");
    }
}

#[test]
fn a_folder_without_a_database_is_no_store_to_copy() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let [from, to] = [&from, &to].map(|place| super::StoreAddress::Directory(place.path().to_owned()));
    let error = copy_store(&from, &to).unwrap_err().to_string();
    assert!(error.starts_with("the store to copy: found no database at ") && !error.contains("disk"), "{error}");
}

/// No table and no column may be missing in the list of what is copied.
#[tokio::test(flavor = "multi_thread")]
async fn every_column_is_copied() {
    let listed = |ignored: &[&str]| {
        let columns = copy::TABLES.iter().flat_map(|table| table.columns.iter().map(|column| (table.name, *column)));
        let mut all: Vec<_> = columns.map(|(table, column)| format!("{table}.{column}")).collect();
        all.retain(|column| !ignored.contains(&column.as_str()));
        all.sort();
        all.join(" ")
    };
    let place = file();
    drop(place.open(begin()));
    let connection = rusqlite::Connection::open(place.directory.path().join("pintu.sqlite3")).unwrap();
    let sql = "SELECT group_concat(name, ' ') FROM (
                   SELECT one.name || '.' || field.name AS name FROM sqlite_schema AS one, pragma_table_info(one.name) AS field
                   WHERE one.type = 'table' AND field.name != 'value' ORDER BY 1)";
    let found: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(found, listed(&["facts.number", "facts.bytes"]), "a fact has one value there");
    let Some(database) = database() else { return };
    drop(database.open(begin()));
    let sql = "SELECT string_agg(name, ' ' ORDER BY name COLLATE \"C\") FROM (
                   SELECT table_name || '.' || column_name AS name FROM information_schema.columns
                   WHERE table_schema = current_schema() AND is_identity = 'NO' AND table_name <> 'schema_version') AS all_of_them";
    assert_eq!(server::run(database.store.as_ref().unwrap(), sql).await.unwrap(), listed(&[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_the_version_before_is_brought_up_to_date() {
    let Some(database) = database() else { return };
    pair(&*database.open(begin())).await;
    let undo = "DROP TABLE deletions; UPDATE schema_version SET version = 5";
    let url = database.store.as_ref().unwrap();
    server::run(url, undo).await;
    let store = database.open(begin());
    assert_eq!(names(&*store, device(1)).await, ["of 2", "of 1"]);
    assert_eq!(store.delete_save(device(1), id(11), None).await.unwrap(), Changed::Done(1));
    assert_eq!(store.deletions(device(2)).await.unwrap(), [id(11).to_string()]);
}

/// Requests of one player at many servers: no quota is passed, no revision is given twice.
#[tokio::test(flavor = "multi_thread")]
async fn writes_of_one_player_at_several_servers_do_not_race() {
    const SAVES: usize = 5;
    let Some(database) = database() else { return };
    let bounds = crate::config::Bounds { saves: SAVES, ..Default::default() };
    let config = Config { store: database.store.clone(), bounds, ..Config::new("") };
    let servers: Vec<std::sync::Arc<dyn Store>> = (0..2).map(|_| super::open(&config).unwrap().0.into()).collect();
    let all = |count: u32, work: fn(std::sync::Arc<dyn Store>, u32) -> Answer<'static, bool>| {
        let tasks = (0..count).map(|number| tokio::spawn(work(servers[number as usize % 2].clone(), number)));
        let tasks: Vec<_> = tasks.collect();
        async move {
            let mut good = 0;
            for task in tasks {
                good += usize::from(task.await.unwrap().unwrap_or(false));
            }
            good
        }
    };
    let made = all(40, |store, number| {
        Box::pin(async move { store.add_save(device(1), id(100 + number), save("a", any_picture())).await })
    });
    assert_eq!(made.await, SAVES, "the first request of the device, too, came many times at once");
    let player = servers[0].player(device(1)).await.unwrap().unwrap();
    assert_eq!(player.devices.len(), 1);
    let saves = servers[1].saves(device(1)).await.unwrap();
    assert_eq!(saves.len(), SAVES);
    let replaced = all(40, |store, _| {
        Box::pin(async move {
            let first = store.saves(device(1)).await?.into_iter().map(|save| save.id).min().unwrap_or_default();
            let changed = store.replace_save(device(1), Id::parse(&first).unwrap(), save("b", any_picture()), Some(1));
            Ok(matches!(changed.await?, Changed::Done(2)))
        })
    });
    assert_eq!(replaced.await, 1, "one of those who expected the same revision");
    // Two devices that join each other at once are one player, and wait for each other for a moment only.
    for number in [2, 3] {
        servers[0].set_code(device(number), Secret::of(&number.to_string())).await.unwrap();
    }
    let (one, other) = tokio::join!(servers[0].join(device(2), code("3")), servers[1].join(device(3), code("2")),);
    assert!(one.unwrap() && other.unwrap());
    assert_eq!(servers[0].player(device(2)).await.unwrap().unwrap().devices.len(), 2);
}

/// A server that is full counts seldom where that takes long, but at once when it has deleted something itself.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_deletes_makes_room_at_once() {
    let Some(database) = database() else { return };
    let bounds = Bounds { database_bytes: 64 << 10, ..Bounds::default() };
    let (store, _) = super::open(&Config { store: database.store.clone(), bounds, ..Config::new("") }).unwrap();
    let add = async |number| {
        let save = NewSave { game: "x".repeat(10_000), ..save("a", any_picture()) };
        store.add_save(device(1), id(number), save).await
    };
    let mut made = 0;
    while add(made).await.is_ok() {
        made += 1;
    }
    let lock = "BEGIN; LOCK TABLE records; SELECT pg_sleep(0.5); COMMIT";
    let refused = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        add(made).await
    };
    let (_, refused) = tokio::join!(server::run(database.store.as_ref().unwrap(), lock), refused);
    assert!(matches!(refused, Err(StoreError::Full)), "after a slow count");
    assert_eq!(store.delete_save(device(1), id(0), None).await.unwrap(), Changed::Done(1));
    assert!(add(made).await.unwrap());
}

/// As when the database is restarted: what was not acknowledged may be lost, and the store goes on by itself.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_the_database_closes_are_made_anew() {
    let Some(database) = database() else { return };
    let url = format!("{}&application_name=closed", database.store.as_ref().unwrap());
    let (store, _) = super::open(&Config { store: Some(url), ..Config::new("") }).unwrap();
    assert!(store.add_save(device(1), id(1), save("a", any_picture())).await.unwrap());
    let close = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'closed'";
    assert_ne!(server::run(database.store.as_ref().unwrap(), close).await.unwrap(), "0");
    let mut errors = 0;
    loop {
        match store.replace_save(device(1), id(1), save("b", any_picture()), None).await {
            Ok(changed) => {
                assert_eq!(changed, Changed::Done(2));
                break;
            }
            Err(StoreError::Away(_)) => errors += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(errors < 100, "it does not come back");
    }
    assert_eq!(names(&*store, device(1)).await, ["b"]);
}

/// Nothing that clients can cause reads more than it needs.
#[tokio::test]
async fn records_of_other_boards_are_not_read() {
    use super::postgres::records::{COUNT, PRUNE};
    let Some(database) = database() else { return };
    drop(database.open(begin()));
    let url = database.store.as_ref().unwrap();
    let many = "INSERT INTO records (id, player, board, millis, moves, game, size, created)
                SELECT n::TEXT, 'one', 'board ' || n % 50, n, n, '', 1, 0 FROM generate_series(1, 5000) AS n;
                ANALYZE records";
    server::run(url, many).await;
    for (sql, reads) in [(COUNT, 1), (PRUNE, 3)] {
        let explain = format!("PREPARE it AS {sql}; EXPLAIN (FORMAT JSON) EXECUTE it('one', 'board 7')");
        let plan = server::run(url, &explain).await.unwrap();
        let conditions = plan.lines().filter(|line| line.contains("Index Cond") && line.contains("board ="));
        assert_eq!(conditions.count(), reads, "{sql}: {plan}");
    }
}

#[test]
fn what_is_no_database_is_refused_without_its_password() {
    for (url, expected) in [
        ("mysql://pintu:sesame@127.0.0.1/pintu", "expected postgres://"),
        ("postgres://pintu:sesame@127.0.0.1:1/pintu", "cannot be reached"),
        ("postgres://pintu:sesame@127.0.0.1/pintu?sslmode=require", "sslmode"),
    ] {
        let config = Config { store: Some(url.to_owned()), ..Config::new("") };
        let Err(error) = super::open(&config) else { panic!("{url} was opened") };
        let error = error.to_string();
        assert!(error.contains(expected) && !error.contains("sesame"), "{error}");
    }
}
