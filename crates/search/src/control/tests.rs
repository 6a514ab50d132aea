use std::thread;

use super::{meter::MAX_WAIT, *};

fn nodes(most: u64) -> Limits {
    Limits::none().nodes(most)
}

fn memory(bytes: u64) -> Limits {
    Limits::none().memory(bytes)
}

/// Expands until it is stopped.
fn drain(control: &Control) -> (u64, Stop) {
    let mut meter = control.meter();
    loop {
        if let Err(why) = meter.expand() {
            return (meter.counters().expanded, why);
        }
    }
}

#[test]
fn what_is_done_over_counts_once() {
    let whole = Control::new(nodes(10));
    let part = whole.part(nodes(8));
    for _ in 0..3 {
        let mut meter = part.meter();
        (0..6).for_each(|_| assert!(meter.expand().is_ok()));
        meter.generate(5);
        let counted = *meter.counters();
        drop(meter);
        assert_eq!((part.nodes_left(), whole.nodes_left()), (Some(2), Some(4)));
        assert_eq!((whole.counters().expanded, whole.counters().generated), (6, 5));
        part.forget(&counted);
        assert_eq!((part.nodes_left(), whole.nodes_left()), (Some(8), Some(10)));
        assert_eq!((whole.counters().expanded, part.counters().generated), (0, 0));
    }
    // The limit is still exact, and what it has stopped may begin again.
    for _ in 0..2 {
        let mut meter = part.meter();
        assert_eq!((0..20).filter(|_| meter.expand().is_ok()).count(), 8);
        let counted = *meter.counters();
        drop(meter);
        assert_eq!(part.stopped(), Some(Stop::Nodes));
        part.forget(&counted);
        assert!(part.check().is_ok());
    }
    // Where nothing is limited, there is nothing to give back.
    let free = Control::unlimited();
    assert!(free.meter().expand().is_ok());
    free.forget(&free.counters());
    assert_eq!((free.nodes_left(), free.counters().expanded), (None, 0));
}

#[test]
fn a_node_limit_is_exact_on_any_number_of_threads() {
    for most in [0, 1, 2, 100, 4097, 300_001] {
        let control = Control::new(nodes(most));
        let total: u64 = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| drain(&control))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap().0).sum()
        });
        assert_eq!((total, control.nodes_left()), (most, Some(0)));
        assert_eq!(control.counters().expanded, total);
        assert_eq!(drain(&control), (0, Stop::Nodes));
        assert_eq!(control.stopped(), Some(Stop::Nodes));
    }
}

#[test]
fn a_part_spends_what_the_whole_has() {
    let whole = Control::new(nodes(1000));
    let part = whole.part(nodes(600));
    assert_eq!(drain(&part), (600, Stop::Nodes));
    assert_eq!((part.stopped(), whole.stopped()), (Some(Stop::Nodes), None));
    assert_eq!(whole.nodes_left(), Some(400));
    let next = whole.part(nodes(600));
    assert_eq!(next.nodes_left(), Some(400));
    assert_eq!(drain(&next), (400, Stop::Nodes));
    assert_eq!(next.nodes_left(), Some(0));
    assert_eq!(whole.counters().expanded, 1000);
    assert_eq!(next.counters().expanded, 400);
}

#[test]
fn a_meter_waits_for_nodes_that_another_gives_back() {
    for is_over in [false, true] {
        let whole = Control::new(nodes(5000));
        let (part, other) = (whole.part(nodes(4000)), whole.part(Limits::default()));
        let mut meter = part.meter();
        meter.begin_with(3000);
        assert!(meter.expand().is_ok());
        assert_eq!(whole.nodes_left(), Some(2000));
        let total = thread::scope(|scope| {
            let drains = scope.spawn(|| drain(&other));
            // It has used up what is left, and waits for what this meter was granted.
            while other.counters().expanded < 2000 {
                thread::yield_now();
            }
            if is_over {
                drop(meter);
            } else {
                meter.rest();
            }
            drains.join().unwrap()
        });
        assert_eq!(total, (4999, Stop::Nodes));
    }
}

#[test]
fn a_meter_does_not_wait_for_ever_for_one_that_keeps_its_nodes() {
    let control = Control::new(nodes(100));
    let mut meter = control.meter();
    meter.begin_with(60);
    assert!(meter.expand().is_ok());
    assert_eq!(drain(&control), (40, Stop::Nodes));
    assert!(control.elapsed() >= MAX_WAIT);
}

#[test]
fn time_and_the_switch_end_parts_too() {
    let whole = Control::new(Limits::none().time(Duration::from_millis(20)));
    let part = whole.part(Limits::none().time(Duration::from_secs(999)));
    let (_, why) = drain(&part);
    assert_eq!(why, Stop::Time);
    assert!(whole.elapsed() >= Duration::from_millis(20) && whole.elapsed() < Duration::from_secs(2));
    assert_eq!(whole.check(), Err(Stop::Time));

    let whole = Control::unlimited();
    let part = whole.part(Limits::default());
    let switch = whole.cancel_switch().clone();
    // In the middle: the search has expanded thousands by then.
    let (expanded, why) = thread::scope(|scope| {
        let search = scope.spawn(|| drain(&part));
        while whole.counters().expanded < 10_000 {
            thread::yield_now();
        }
        switch.cancel();
        search.join().unwrap()
    });
    assert!(expanded >= 10_000);
    assert_eq!(why, Stop::Cancelled);
}

#[test]
fn a_finished_part_ends_its_threads_and_stops_nothing() {
    let whole = Control::unlimited();
    let part = whole.part(Limits::default());
    part.finish();
    assert!(part.meter().expand().is_err());
    assert_eq!((part.stopped(), part.is_over(), whole.is_over()), (None, true, false));
}

#[test]
fn what_is_expanded_together_is_whole_until_the_limit_is_reached() {
    let control = Control::unlimited();
    let mut meter = control.meter();
    assert!((0..10_000).all(|_| meter.expand_some(16) == Ok(16)));
    drop(meter);
    let control = Control::new(nodes(40));
    let mut meter = control.meter();
    let hands: Vec<_> = std::iter::from_fn(|| meter.expand_some(16).ok()).collect();
    assert_eq!(hands, [16, 16, 8]);
    drop(meter);
    assert_eq!((control.counters().expanded, control.stopped()), (40, Some(Stop::Nodes)));
}

/// Lets three expansions through at a time, and none while it is shut.
#[derive(Debug, Default)]
struct Turnstile {
    shut: std::sync::atomic::AtomicBool,
    passed: AtomicU64,
}

impl Gate for Turnstile {
    fn pass(&self, wanted: u64) -> Option<u64> {
        if self.shut.load(Relaxed) {
            thread::sleep(Duration::from_millis(1));
            return None;
        }
        self.passed.fetch_add(wanted.min(3), Relaxed);
        Some(wanted.min(3))
    }

    fn give_back(&self, unused: u64) {
        self.passed.fetch_sub(unused, Relaxed);
    }
}

#[test]
fn a_gate_holds_up_all_below_it_and_changes_no_limit() {
    let gate = Arc::new(Turnstile::default());
    let whole = Control::new(nodes(100));
    let part = whole.gated(Limits::default(), Arc::clone(&gate) as Arc<dyn Gate>);
    let mut meter = part.meter();
    assert_eq!(meter.expand_some(16), Ok(16), "what is expanded together is whole");
    drop(meter);
    assert_eq!(gate.passed.load(Relaxed), 16, "what was not used was given back");
    assert_eq!(drain(&part.part(Limits::default())), (84, Stop::Nodes));
    assert_eq!((gate.passed.load(Relaxed), whole.nodes_left()), (100, Some(0)));
}

#[test]
fn a_wait_at_a_gate_can_be_cancelled() {
    let gate = Arc::new(Turnstile::default());
    gate.shut.store(true, Relaxed);
    let whole = Control::unlimited();
    let part = whole.gated(Limits::default(), gate as Arc<dyn Gate>);
    let why = thread::scope(|scope| {
        let waiting = scope.spawn(|| drain(&part));
        thread::sleep(Duration::from_millis(20));
        whole.cancel_switch().cancel();
        waiting.join().unwrap()
    });
    assert_eq!(why, (0, Stop::Cancelled));
}

/// Two requests of 60 fit the part but not the whole together, and the others fit neither: none of them takes room that a
/// small request could have had, not even for a moment.
#[test]
fn what_is_refused_to_one_is_not_refused_to_another() {
    let whole = Control::new(memory(100));
    let part = whole.part(memory(125));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !whole.is_over() {
                    let _ = part.hold().more(60);
                    // More than there is: of the part, of the whole, and of what a number can hold.
                    assert!([150, 120, u64::MAX].into_iter().all(|bytes| part.hold().more(bytes).is_err()));
                }
            });
        }
        let refused = |control: &Control| (0..500_000).filter(|_| control.hold().more(6).is_err()).count();
        let refused = [&whole, &part].map(refused);
        whole.finish();
        assert_eq!(refused, [0, 0]);
    });
    assert!(whole.counters().peak_bytes <= 66);
}

#[test]
fn holds_are_entered_above_and_given_back() {
    let whole = Control::new(memory(100));
    let part = whole.part(memory(80));
    let mut other = whole.hold();
    assert!(other.more(30).is_ok());
    let mut hold = part.hold();
    assert!(hold.more(60).is_ok());
    assert_eq!(hold.more(20), Err(Stop::Memory));
    assert_eq!((hold.bytes(), part.held(), whole.held()), (60, 60, 90));
    assert_eq!((part.room(5), part.room(20), part.part(memory(7)).room(20)), (5, 10, 7));
    assert!(part.has_room(10) && !part.has_room(11));
    other.less(30);
    assert!(hold.more(20).is_ok());
    assert_eq!(hold.more(1), Err(Stop::Memory));
    drop(hold);
    assert_eq!((part.held(), whole.held(), whole.room(u64::MAX)), (0, 0, 100));
    assert_eq!((part.counters().peak_bytes, whole.counters().peak_bytes), (80, 90));
    assert_eq!(Control::unlimited().part(Limits::default()).room(u64::MAX), u64::MAX);
}

#[test]
fn a_cache_shrinks_before_memory_is_refused() {
    #[derive(Debug, Default)]
    struct Cache(AtomicU64);
    impl Idle for Cache {
        fn keep_within(&self, bytes: u64) {
            self.0.fetch_min(bytes, Relaxed);
        }
    }
    let (whole, cache) = (Control::new(memory(100)), Arc::new(Cache(AtomicU64::new(50))));
    whole.let_go_of(Arc::clone(&cache) as Arc<dyn Idle>);
    let left = || cache.0.load(Relaxed);
    let part = whole.part(Limits::default());
    let mut hold = part.hold();
    assert!(hold.more(50).is_ok() && left() == 50, "there is room for both");
    assert!(hold.more(51).is_err() && left() == 50, "what is refused takes nothing");
    assert!(hold.more(20).is_ok() && left() == 30);
    assert!(hold.more(30).is_ok() && left() == 0, "nobody is refused anything because of it");
}

#[test]
fn a_vector_asks_before_it_grows() {
    let control = Control::new(memory(1000));
    let mut hold = control.hold();
    let mut numbers: Vec<u64> = Vec::new();
    assert!(hold.reserve(&mut numbers, 100).is_ok());
    assert_eq!((hold.bytes(), numbers.capacity()), (800, 100));
    assert_eq!(hold.reserve(&mut numbers, 126), Err(Stop::Memory));
    assert_eq!(numbers.capacity(), 100);
}
