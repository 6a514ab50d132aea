use crate::{Cell, Length, Map, Outcome, QueryError, Scratch};

impl Map {
    /// A shortest path, both ends included, and its length; `None` if there is none.
    ///
    /// For the odd question. Each call makes a [`Scratch`] of its own and throws it away: 8 bytes a cell of the map, or
    /// less where the ground is alike, to get and clear. Whoever asks often keeps one and calls
    /// [`shortest`](Self::shortest), which also takes several goals and limits, tells why there is no path, and counts
    /// what it did.
    ///
    /// ```
    /// use pintu_grid::{Cell, Diagonal, Map, Terrain};
    ///
    /// let terrain: Terrain = "..#\n#..\n".parse()?;
    /// let map = Map::new(&terrain, Diagonal::Never);
    /// let (cells, length) = map.path((0, 0), (1, 2))?.expect("nothing is between them");
    /// assert_eq!(cells, [(0, 0), (0, 1), (1, 1), (1, 2)].map(Cell::from));
    /// assert_eq!(length.whole(), Some(3));
    /// assert_eq!(map.path((0, 0), (0, 2))?, None);
    /// assert_eq!(
    ///     map.path((0, 0), (9, 2)).unwrap_err().to_string(),
    ///     "found the cell 9,2, expected rows from 0 to 1 and columns from 0 to 2",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A cell that is not on the map, or a path whose length is beyond all measure
    /// ([`Stop::Overflow`](pintu_search::Stop::Overflow)).
    pub fn path(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Result<Option<(Vec<Cell>, Length)>, QueryError> {
        let mut scratch = Scratch::new();
        match self.shortest(from.into(), &[to.into()], &mut scratch, ())?.outcome {
            Outcome::Found { length, .. } => Ok(Some((scratch.path, length))),
            Outcome::Unreachable(_) => Ok(None),
            Outcome::Stopped { why, .. } => Err(QueryError::Stopped(why)),
        }
    }
}
