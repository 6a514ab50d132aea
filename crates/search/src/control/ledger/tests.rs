use std::{sync::atomic::AtomicU64, thread};

use super::*;
use crate::Limits;

fn memory(bytes: u64) -> Limits {
    Limits { memory: Some(bytes), ..Limits::default() }
}

#[test]
fn what_is_refused_to_one_is_not_refused_to_another() {
    let whole = Control::new(memory(100));
    let part = whole.part(memory(140));
    thread::scope(|scope| {
        let greedy = scope.spawn(|| {
            let mut hold = part.hold();
            // More than there is: of the part, of the whole, and of what a number can hold.
            while !whole.is_over() {
                assert!([150, 120, u64::MAX].into_iter().all(|bytes| hold.more(bytes).is_break()));
            }
        });
        let refused = |control: &Control| (0..50_000).filter(|_| control.hold().more(80).is_break()).count();
        let refused = [&whole, &part].map(refused);
        whole.finish();
        greedy.join().unwrap();
        assert_eq!(refused, [0, 0]);
    });
    assert_eq!(whole.counters().peak_bytes, 80);
}

#[test]
fn holds_are_entered_above_and_given_back() {
    let whole = Control::new(Limits { memory: Some(100), ..Limits::default() });
    let part = whole.part(Limits { memory: Some(80), ..Limits::default() });
    let mut other = whole.hold();
    assert!(other.more(30).is_continue());
    let mut hold = part.hold();
    assert!(hold.more(60).is_continue());
    assert_eq!(hold.more(20), Break(Stop::Memory));
    assert_eq!((hold.bytes(), part.held(), whole.held(), part.room(20)), (60, 60, 90, 10));
    other.less(30);
    assert!(hold.more(20).is_continue());
    assert_eq!(hold.more(1), Break(Stop::Memory));
    drop(hold);
    assert_eq!((part.held(), whole.held()), (0, 0));
    assert_eq!((part.counters().peak_bytes, whole.counters().peak_bytes), (80, 90));
}

#[test]
fn who_is_refused_because_of_others_can_be_told() {
    let whole = Control::new(memory(100));
    let others = whole.part(Limits::default());
    let mut other = others.hold();
    assert!(other.more(50).is_continue());
    let alone = whole.part(Limits::default());
    assert_eq!(alone.hold().more(101), Break(Stop::Memory));
    assert!(!alone.has_room(101) && !alone.was_crowded(), "that is more than there is");
    let own = whole.part(memory(40));
    assert_eq!(own.hold().more(41), Break(Stop::Memory));
    assert!(!own.was_crowded() && !whole.was_crowded(), "its own limit refused that");

    // What a part of it is refused, it is; and what it holds itself is nobody else's.
    let board = whole.part(Limits::default());
    let (search, beside) = (board.part(Limits::default()), board.part(Limits::default()));
    let mut kept = beside.hold();
    assert!(kept.more(30).is_continue());
    assert!(search.has_room(20) && !search.was_crowded());
    assert_eq!(search.hold().more(71), Break(Stop::Memory));
    assert_eq!((search.was_crowded(), board.was_crowded()), (true, false), "it holds too much itself");
    assert!(!search.has_room(70) && board.was_crowded() && !whole.was_crowded());
}

#[test]
fn what_the_whole_keeps_itself_crowds_nobody() {
    let whole = Control::new(memory(100));
    let mut kept = whole.hold();
    assert!(kept.more(60).is_continue());
    let board = whole.part(Limits::default());
    assert!(!board.has_room(41) && board.room(50) == 40 && board.hold().more(41).is_break());
    assert!(!board.was_crowded(), "no part could have that");
    let beside = whole.part(Limits::default());
    let mut other = beside.hold();
    assert!(other.more(10).is_continue());
    assert!(board.hold().more(41).is_break() && !board.was_crowded());
    assert!(board.hold().more(40).is_break() && board.was_crowded());
    drop((kept, other));
    assert_eq!((whole.held(), board.held(), beside.held()), (0, 0, 0));
}

#[test]
fn who_makes_do_with_less_because_of_others_can_be_told() {
    let whole = Control::new(memory(100));
    let [other, board] = [(); 2].map(|()| whole.part(Limits::default()));
    let (mut theirs, mut own) = (other.hold(), board.hold());
    assert!(theirs.more(50).is_continue() && own.more(20).is_continue());
    // What it can use is there.
    assert_eq!((board.room(30), board.was_crowded()), (30, false));
    // Alone it would not have so much either, but more than this.
    let search = board.part(memory(25));
    assert_eq!((search.room(90), board.was_crowded()), (25, false), "it is its own limit");
    assert_eq!((board.part(Limits::default()).room(90), board.was_crowded()), (30, true));
    assert!(!other.was_crowded() && !whole.was_crowded());
    // Alone.
    drop(theirs);
    let board = whole.part(Limits::default());
    assert_eq!((board.room(u64::MAX), board.was_crowded()), (80, true), "the first board still has its own");
    drop(own);
    let board = whole.part(Limits::default());
    assert_eq!((board.room(u64::MAX), board.was_crowded()), (100, false));
    // Where nothing is limited, there is room for anything.
    let free = Control::unlimited();
    let [other, board] = [(); 2].map(|()| free.part(Limits::default()));
    assert!(other.hold().more(1 << 40).is_continue());
    assert_eq!((board.room(u64::MAX), board.was_crowded()), (u64::MAX, false));
}

#[test]
fn who_yields_ends_when_crowded_and_nobody_else_does() {
    let whole = Control::new(memory(100));
    let [other, stays] = [(); 2].map(|()| whole.part(Limits::default()));
    let yields = whole.yielding(Limits::default());
    let mut theirs = other.hold();
    assert!(theirs.more(50).is_continue());
    assert!(yields.hold().more(101).is_break() && yields.room(50) == 50);
    assert!(yields.check().is_continue(), "alone it would be the same");
    let search = yields.part(Limits::default());
    assert_eq!((stays.room(60), search.room(60)), (50, 50));
    assert_eq!((yields.stopped(), search.check()), (Some(Stop::Memory), Break(Stop::Memory)));
    assert!([stays, other, whole].iter().all(|control| control.check().is_continue()));
}

#[test]
fn what_is_kept_for_nobody_goes_before_memory_is_taken() {
    #[derive(Debug, Default)]
    struct Kept(AtomicU64);
    impl Idle for Kept {
        fn keep_within(&self, bytes: u64) {
            self.0.fetch_min(bytes, Relaxed);
        }
    }
    let (whole, kept) = (Control::new(memory(100)), Arc::new(Kept(AtomicU64::new(50))));
    whole.let_go_of(Arc::clone(&kept) as Arc<dyn Idle>);
    let left = || kept.0.load(Relaxed);
    let part = whole.part(Limits::default());
    let mut hold = part.hold();
    assert!(hold.more(50).is_continue() && left() == 50, "there is room for both");
    assert!(hold.more(51).is_break() && left() == 50, "what is refused takes nothing");
    assert!(hold.more(20).is_continue() && left() == 30);
    assert!(hold.more(30).is_continue() && left() == 0, "nobody is refused anything because of it");
    assert!(!part.was_crowded());
}

#[test]
fn a_vector_asks_before_it_grows() {
    let control = Control::new(Limits { memory: Some(1000), ..Limits::default() });
    let mut hold = control.hold();
    let mut numbers: Vec<u64> = Vec::new();
    assert!(hold.reserve(&mut numbers, 100).is_continue());
    assert_eq!((hold.bytes(), numbers.capacity()), (800, 100));
    assert_eq!(hold.reserve(&mut numbers, 126), Break(Stop::Memory));
    assert_eq!(numbers.capacity(), 100);
}
