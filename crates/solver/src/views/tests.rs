use std::collections::HashSet;

use foldhash::fast::FixedState;
use pintu_tiles::{Direction, Kind, Size, Topology};

use super::{lookup::Access, *};
use crate::{
    tables::{Residue, Tables, normal_form_of},
    testing::{tables_in_reading_order, topologies},
};

/// Walks through all states from the goal, breadth first, stepping the groups' moves along, and checks on each
/// that no view's estimate exceeds the depth. Returns how many states there are.
fn check_every_state(tables: &Tables) -> usize {
    const GROUPS: usize = 16;
    let layout = Layout::new(tables, tables.views());
    let topology = tables.topology();
    let key = |board: &Cells| board[..layout.cells].iter().fold(0_u64, |key, &tile| key << 4 | u64::from(tile));
    let groups = layout.groups.len();
    let all = |board: &Cells| {
        let mut all = [0; GROUPS];
        all[..groups].copy_from_slice(&layout.moves(board));
        all
    };
    let goal = layout.board(&(0..topology.cells() as u8).collect::<Vec<_>>());
    let mut seen = HashSet::with_hasher(FixedState::default());
    seen.insert(key(&goal));
    let mut level = vec![(goal, tables.blank(), all(&goal))];
    for depth in 0.. {
        let mut next = Vec::new();
        for (board, blank, moves) in &level {
            let most = layout.sums(&moves[..groups]).max().unwrap();
            assert!(most <= depth, "{topology}: {board:?} is {depth} moves away, not {most}");
            if seen.len().is_multiple_of(251) {
                assert_eq!(*moves, all(board), "{topology}: {board:?}");
            }
            for to in topology.neighbours(*blank) {
                let mut after = *board;
                after.swap(*blank, to);
                if seen.insert(key(&after)) {
                    let mut moves = *moves;
                    layout.step(&mut moves[..groups], board, *blank, to);
                    next.push((after, to, moves));
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    seen.len()
}

/// Half of the 64 ways in which rows and columns of 3×3 wrap.
fn check_wraps_on_3x3(half: usize) {
    let picked = |bits: usize| (0..3).filter(move |line| bits >> line & 1 == 1);
    for wraps in (0..64).skip(half).step_by(2) {
        let topology = Topology::wrapped(Size::new(3, 3).unwrap(), picked(wraps & 7), picked(wraps >> 3)).unwrap();
        let states = if topology.kind() == Kind::TwoColoured { 181_440 } else { 362_880 };
        // Boards that are others, turned, have no tables of their own.
        for blank in (0..9).filter(|&blank| normal_form_of(topology, blank) == (topology, blank)) {
            assert_eq!(check_every_state(&tables_in_reading_order(topology, blank, 4)), states, "{topology}");
        }
    }
}

#[test]
fn estimates_never_exceed_the_moves_left_on_3x3() {
    check_wraps_on_3x3(0);
}

#[test]
fn estimates_never_exceed_the_moves_left_on_3x3_whose_first_row_wraps() {
    check_wraps_on_3x3(1);
}

#[test]
fn estimates_never_exceed_the_moves_left_on_rectangles() {
    let boards = topologies(2, 5, &[(&[], &[]), (&[0], &[])]);
    for (topology, blank, states) in
        [(boards[0], 0, 1_814_400), (boards[0], 1, 1_814_400), (boards[0], 2, 1_814_400), (boards[1], 0, 3_628_800)]
    {
        assert_eq!(normal_form_of(topology, blank), (topology, blank));
        assert_eq!(check_every_state(&tables_in_reading_order(topology, blank, 5)), states);
    }
    let small = topologies(2, 3, &[(&[], &[]), (&[0, 1], &[])]).into_iter();
    for topology in small.chain(topologies(2, 4, &[(&[], &[]), (&[0], &[])])) {
        for blank in 0..topology.cells() {
            check_every_state(&tables_in_reading_order(topology, blank, 3));
        }
    }
}

/// Walks at random and compares what a search looks up, step by step, with what is found from scratch.
fn check_look_ups<M: Mask + std::fmt::Debug + PartialEq, const CELLS: usize, const GROUPS: usize>(tables: &Tables) {
    let layout = Layout::new(tables, tables.views());
    let topology = tables.topology();
    let access: Vec<Access<'_, M>> = layout.groups.iter().map(|table| Access::new(table)).collect();
    let access: [Access<'_, M>; GROUPS] = std::array::from_fn(|group| access[group.min(access.len() - 1)]);
    let mut board = layout.board(&(0..topology.cells() as u8).collect::<Vec<_>>());
    let (mut blank, mut random) = (tables.blank(), 1_u64);
    let mut moves = layout.moves(&board);
    for _ in 0..2000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let index = (random >> 61) as usize % 4;
        let Some(to) = topology.neighbour(blank, Direction::ALL[index]) else { continue };
        let here = State::<M, CELLS, GROUPS>::new(&layout, &board, &moves, 0);
        let tile = board[to];
        let slide = (4 * blank + index) as u8;
        let two = layout.residue == Residue::Parity;
        let asked: Vec<(usize, M, u16, u8)> = layout
            .views
            .iter()
            .map(|view| {
                let group = usize::from(view.slides.group(tile));
                let lookup = view.slides.aim(&here, slide, tile, &access);
                let change = if two {
                    access[group].ask::<true>(&lookup).change::<true>()
                } else {
                    access[group].ask::<false>(&lookup).change::<false>()
                };
                let moves = moves[group].wrapping_add_signed(change);
                (group, lookup.mask, lookup.order, moves)
            })
            .collect();
        layout.step(&mut moves, &board, blank, to);
        board.swap(blank, to);
        blank = to;
        let after = State::<M, CELLS, GROUPS>::new(&layout, &board, &moves, 0);
        assert_eq!(moves, layout.moves(&board), "{topology}: {board:?}");
        for (group, mask, order, moves) in asked {
            assert_eq!((mask, order), (after.masks[group], after.orders[group]), "{topology}: {board:?}");
            assert_eq!(moves, after.moves[group], "{topology}: {board:?}");
        }
    }
}

#[test]
fn look_ups_step_by_step_are_those_from_scratch() {
    let wraps: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[1], &[0]), (&[0, 1, 2], &[1])];
    for topology in topologies(3, 4, &wraps) {
        let tables = tables_in_reading_order(topology, 5, 4);
        check_look_ups::<u16, 16, 16>(&tables);
        check_look_ups::<u64, 64, 128>(&tables);
    }
    for topology in topologies(5, 5, &[(&[], &[]), (&[2], &[2])]) {
        let tables = tables_in_reading_order(topology, 12, 3);
        check_look_ups::<u32, 32, 32>(&tables);
        check_look_ups::<u64, 64, 128>(&tables);
    }
    let tables = tables_in_reading_order(topologies(5, 6, &[(&[], &[])])[0], 0, 3);
    check_look_ups::<u64, 64, 128>(&tables);
}
