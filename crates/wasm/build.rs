//! The linker leaves room in the numbers of functions and addresses, unless it is told that nobody changes them later: a
//! fifteenth of the module.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    // It cannot where it writes what debuggers want.
    if is("CARGO_CFG_TARGET_FAMILY", "wasm") && is("PROFILE", "release") {
        println!("cargo::rustc-cdylib-link-arg=--compress-relocations");
    }
}
