//! The examples of the pages that belong to no package, which run with the tests.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
