//! A plain Dijkstra for maps, written from the rules of movement and from nothing else.

use std::{cmp::Reverse, collections::BinaryHeap};

use pintu_grid::{Cell, Diagonal, Length, Terrain, TerrainKind};

/// The cells of a map, row by row.
pub fn cells(terrain: &Terrain) -> impl Iterator<Item = Cell> + use<> {
    let (rows, cols) = (terrain.rows(), terrain.cols());
    (0..rows).flat_map(move |row| (0..cols).map(move |col| Cell::new(row, col)))
}

/// The length of the shortest path from a cell to every cell, row by row. Lengths that do not fit are left out.
pub fn plain_dijkstra(terrain: &Terrain, rule: Diagonal, from: Cell) -> Vec<Option<Length>> {
    let number = |cell: Cell| (cell.row * terrain.cols() + cell.col) as usize;
    let mut known = vec![None; (terrain.rows() * terrain.cols()) as usize];
    let mut queue = BinaryHeap::new();
    if terrain.kind(from) != TerrainKind::Blocked {
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

/// The length of the shortest path from a cell to the nearest of others.
pub fn plain_shortest(terrain: &Terrain, rule: Diagonal, from: Cell, to: &[Cell]) -> Option<Length> {
    let known = plain_dijkstra(terrain, rule, from);
    to.iter().filter_map(|goal| known[(goal.row * terrain.cols() + goal.col) as usize]).min()
}

/// The legal steps from a cell, and what they cost.
fn steps(terrain: &Terrain, rule: Diagonal, from: Cell) -> Vec<(Cell, Length)> {
    let at = |row: i64, col: i64| Some(Cell::new(u32::try_from(row).ok()?, u32::try_from(col).ok()?));
    let is_land = |cell: Cell| matches!(terrain.kind(cell), TerrainKind::Land(_));
    let free = |row: i64, col: i64| {
        at(row, col).is_some_and(|cell| terrain.kind(cell) != TerrainKind::Blocked && is_land(cell) == is_land(from))
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
            let cost = terrain.kind(cell).cost().expect("it is free").get();
            found.push((cell, if straight { Length::new(cost, 0) } else { Length::new(0, cost) }));
        }
    }
    found
}

/// The length of a path.
///
/// # Panics
/// If the path does not lead from the start to a goal by legal steps.
pub fn walk(terrain: &Terrain, rule: Diagonal, path: &[Cell], from: Cell, to: &[Cell]) -> Length {
    assert_eq!(path.first(), Some(&from), "a path begins at the start");
    assert!(path.last().is_some_and(|last| to.contains(last)), "a path ends at a goal");
    let mut sum = Length::default();
    for pair in path.windows(2) {
        let step = steps(terrain, rule, pair[0]).into_iter().find(|(cell, _)| *cell == pair[1]);
        let (_, cost) = step.unwrap_or_else(|| panic!("no step from {} to {} on\n{terrain}", pair[0], pair[1]));
        sum = sum.checked_add(cost).expect("a length that fits");
    }
    sum
}
