use pintu_tiles::{Scrambler, Topology, goal_with_blank};

use crate::{Game, GameError, Origin, Picture};

/// How the picture is shuffled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scramble {
    /// Every board that can be solved is as likely as any other.
    #[default]
    Uniform,
    /// A random walk of ten steps a cell.
    Walk,
}

impl Game {
    /// A shuffled game. A seed means the same board for ever.
    ///
    /// ```
    /// use pintu_game::{Game, Scramble};
    /// use pintu_tiles::{Size, Topology};
    ///
    /// let board = Topology::plain(Size::new(4, 4).unwrap());
    /// let game = Game::scrambled(board, 15, Scramble::Walk, 7, "builtin:hills".parse().unwrap()).unwrap();
    /// assert!(!game.is_solved() && game.puzzle().solvable().is_ok());
    /// ```
    pub fn scrambled(
        topology: Topology,
        blank: usize,
        how: Scramble,
        seed: u64,
        picture: Picture,
    ) -> Result<Self, GameError> {
        let size = topology.size();
        if blank >= size.cells() {
            return Err(GameError::Blank { found: blank, last: size.cells() - 1 });
        }
        let mut scrambler = Scrambler::new(topology, goal_with_blank(size, blank), seed);
        let (start, origin) = match how {
            Scramble::Uniform => (scrambler.uniform(), Origin::Scramble),
            Scramble::Walk => (scrambler.walk(scrambler.usual_steps()), Origin::Walk),
        };
        let mut game = Self::new(topology, blank, start, picture)?;
        game.set_origin(origin);
        Ok(game)
    }
}
