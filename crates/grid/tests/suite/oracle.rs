//! What the tests share: a plain Dijkstra, written from the rules and from nothing else.

use std::{cmp::Reverse, collections::BinaryHeap};

use pintu_grid::{Cell, Diagonal, Ground, Length, Terrain};

/// The length of the shortest way from a cell to every cell, row by row.
pub(crate) fn plain_dijkstra(terrain: &Terrain, rule: Diagonal, from: Cell) -> Vec<Option<Length>> {
    let number = |cell: Cell| (cell.row * terrain.cols() + cell.col) as usize;
    let mut known = vec![None; (terrain.rows() * terrain.cols()) as usize];
    let mut queue = BinaryHeap::new();
    if terrain.ground(from) != Ground::Blocked {
        queue.push(Reverse((Length::default(), from)));
    }
    while let Some(Reverse((paid, cell))) = queue.pop() {
        if known[number(cell)].is_some() {
            continue;
        }
        known[number(cell)] = Some(paid);
        for (after, cost) in steps(terrain, rule, cell) {
            queue.extend(paid.checked_add(cost).map(|sum| Reverse((sum, after))));
        }
    }
    known
}

/// Where one can step from a cell, and what it costs.
pub(crate) fn steps(terrain: &Terrain, rule: Diagonal, from: Cell) -> Vec<(Cell, Length)> {
    let at = |row: i64, col: i64| Some(Cell::new(u32::try_from(row).ok()?, u32::try_from(col).ok()?));
    let is_land = |cell: Cell| matches!(terrain.ground(cell), Ground::Land(_));
    let free = |row: i64, col: i64| {
        at(row, col).is_some_and(|cell| terrain.ground(cell) != Ground::Blocked && is_land(cell) == is_land(from))
    };
    let (row, col) = (i64::from(from.row), i64::from(from.col));
    let mut found = Vec::new();
    for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
        let straight = (down == 0) != (right == 0);
        let beside = [free(row + down, col), free(row, col + right)];
        let allowed = match rule {
            _ if (down, right) == (0, 0) => false,
            _ if straight => true,
            Diagonal::Never => false,
            Diagonal::Always => true,
            Diagonal::NoSqueeze => beside.contains(&true),
            Diagonal::NoCorners => beside == [true, true],
        };
        if let Some(cell) = at(row + down, col + right).filter(|_| allowed && free(row + down, col + right)) {
            let cost = terrain.ground(cell).cost().unwrap().get();
            found.push((cell, if straight { Length::new(cost, 0) } else { Length::new(0, cost) }));
        }
    }
    found
}

/// Checks that a path goes from one cell to another by legal steps, and says how long it is.
pub(crate) fn walk(terrain: &Terrain, rule: Diagonal, path: &[Cell], from: Cell, to: &[Cell]) -> Length {
    assert_eq!(path.first(), Some(&from), "a path begins at the start");
    assert!(to.contains(path.last().unwrap()), "a path ends at a goal");
    let mut sum = Length::default();
    for pair in path.windows(2) {
        let step = steps(terrain, rule, pair[0]).into_iter().find(|(cell, _)| *cell == pair[1]);
        let (_, cost) = step.unwrap_or_else(|| panic!("no step from {} to {} on\n{terrain}", pair[0], pair[1]));
        sum = sum.checked_add(cost).unwrap();
    }
    sum
}
