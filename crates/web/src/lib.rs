//! The server of the sliding-picture game, and the page it embeds.
