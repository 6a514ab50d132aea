//! Rotations and reflections of a board, and what they leave unchanged.

use pintu_tiles::{Size, Topology};

/// A rotation or reflection: where each cell goes, and the board that results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    pub(crate) topology: Topology,
    image: Box<[u8]>,
}

impl Symmetry {
    /// The eight symmetries of a rectangle, applied to a board. The first is the identity.
    pub(crate) fn all(topology: Topology) -> impl Iterator<Item = Self> {
        (0..8).map(move |kind| Self::new(topology, kind & 1 == 1, kind & 2 == 2, kind & 4 == 4))
    }

    fn new(topology: Topology, flip_rows: bool, flip_cols: bool, transpose: bool) -> Self {
        let size = topology.size();
        let row_of = |row: usize| if flip_rows { size.rows() - 1 - row } else { row };
        let col_of = |col: usize| if flip_cols { size.cols() - 1 - col } else { col };
        let wrap_rows: Vec<usize> = topology.wrap_rows().map(row_of).collect();
        let wrap_cols: Vec<usize> = topology.wrap_cols().map(col_of).collect();
        let (sides, rows, cols) = if transpose {
            ((size.cols(), size.rows()), wrap_cols, wrap_rows)
        } else {
            ((size.rows(), size.cols()), wrap_rows, wrap_cols)
        };
        let turned = Size::new(sides.0, sides.1).expect("a board turned is a board");
        let image = (0..size.cells())
            .map(|cell| {
                let (row, col) = (row_of(size.row(cell)), col_of(size.col(cell)));
                (if transpose { turned.cell(col, row) } else { turned.cell(row, col) }) as u8
            })
            .collect();
        let topology = Topology::wrapped(turned, rows, cols).expect("wraps turn with the board");
        Self { topology, image }
    }

    #[inline]
    pub(crate) fn of(&self, cell: usize) -> usize {
        usize::from(self.image[cell])
    }

    /// For each cell, the cell that goes there.
    pub(crate) fn origins(&self) -> Vec<u8> {
        let mut origins = vec![0; self.image.len()];
        for (cell, &image) in self.image.iter().enumerate() {
            origins[usize::from(image)] = cell as u8;
        }
        origins
    }
}

/// The symmetry that turns a board and its goal's blank cell into their normal form, which is the same for all
/// rotations and reflections: tables for it serve them all.
pub(crate) fn to_normal_form(topology: Topology, blank: usize) -> Symmetry {
    let key = |symmetry: &Symmetry| {
        let board = symmetry.topology;
        let wraps: (Vec<_>, Vec<_>) = (board.wrap_rows().collect(), board.wrap_cols().collect());
        (board.size().rows(), wraps, symmetry.of(blank))
    };
    Symmetry::all(topology).min_by_key(key).expect("there are eight")
}

/// The symmetries that change neither the board nor the cell. The first is the identity.
pub(crate) fn stabiliser(topology: Topology, cell: usize) -> Vec<Symmetry> {
    let mut found: Vec<Symmetry> = Vec::new();
    for symmetry in Symmetry::all(topology) {
        if symmetry.topology == topology && symmetry.of(cell) == cell && !found.contains(&symmetry) {
            found.push(symmetry);
        }
    }
    found
}

/// The cell that stands for each cell, for every symmetry that changes neither the board nor this cell; the identity first.
pub fn images_keeping(topology: Topology, cell: usize) -> Vec<Box<[u8]>> {
    stabiliser(topology, cell).into_iter().map(|symmetry| symmetry.image).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn classes(topology: Topology) -> usize {
        let normal = (0..topology.cells()).map(|blank| {
            let symmetry = to_normal_form(topology, blank);
            (symmetry.topology, symmetry.of(blank))
        });
        normal.collect::<HashSet<_>>().len()
    }

    #[test]
    fn blank_cells_fall_into_few_classes() {
        let square = |side| Topology::plain(Size::new(side, side).unwrap());
        assert_eq!(classes(square(3)), 3);
        assert_eq!(classes(square(4)), 3);
        assert_eq!(classes(square(5)), 6);
        assert_eq!(classes(Topology::plain(Size::new(2, 5).unwrap())), 3);
        assert_eq!(classes(Topology::wrapped(Size::new(5, 5).unwrap(), [2], [2]).unwrap()), 6);
        assert_eq!(classes(Topology::wrapped(Size::new(3, 3).unwrap(), [0], []).unwrap()), 6);
    }

    #[test]
    fn images_keep_neighbours() {
        let topology = Topology::wrapped(Size::new(3, 4).unwrap(), [1], [0, 2]).unwrap();
        for symmetry in Symmetry::all(topology) {
            for cell in 0..topology.cells() {
                let mut expected: Vec<_> = topology.neighbours(cell).map(|next| symmetry.of(next)).collect();
                let mut found: Vec<_> = symmetry.topology.neighbours(symmetry.of(cell)).collect();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn wraps_limit_what_is_symmetric() {
        let size = Size::new(4, 4).unwrap();
        assert_eq!(stabiliser(Topology::plain(size), 0).len(), 2);
        assert_eq!(stabiliser(Topology::plain(size), 1).len(), 1);
        assert_eq!(stabiliser(Topology::wrapped(size, [0], []).unwrap(), 0).len(), 1);
        assert_eq!(stabiliser(Topology::plain(Size::new(5, 5).unwrap()), 12).len(), 8);
        assert_eq!(stabiliser(Topology::plain(Size::new(3, 5).unwrap()), 7).len(), 4);
    }
}
