//! The licences of everything that is linked in. `deny.toml` says which are allowed; `cargo deny` reads
//! the same list and looks at more than this does.

use std::fs;

use anyhow::{Context, bail};

use crate::shell::{cargo, output, root};

/// Checks that each package can be had under a licence that is allowed.
pub(crate) fn check() -> anyhow::Result<()> {
    let allowed = allowed()?;
    let metadata = output(cargo().args(["metadata", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array().context("cargo lists the packages")?;
    let mut refused = Vec::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        if !satisfied(licence, &allowed) {
            refused.push(format!("{} ({licence})", package["name"].as_str().unwrap_or("?")));
        }
    }
    if !refused.is_empty() {
        bail!("found licences that deny.toml does not allow: {}", refused.join(", "));
    }
    println!("{} packages, all under {}", packages.len(), allowed.join(", "));
    Ok(())
}

fn allowed() -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
    let text: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let text = text.join("\n");
    let list =
        text.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']')).context("deny.toml: no allow list")?;
    Ok(list.0.split(',').map(|word| word.trim().trim_matches('"').to_owned()).filter(|word| !word.is_empty()).collect())
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` holds with these licences.
fn satisfied(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = expression.split_whitespace().collect();
    let mut rest = &words[..];
    let holds = any_of(&mut rest, allowed);
    holds && rest.is_empty()
}

fn any_of(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = all_of(words, allowed);
    while take(words, "OR") {
        holds |= all_of(words, allowed);
    }
    holds
}

fn all_of(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = one(words, allowed);
    while take(words, "AND") {
        holds &= one(words, allowed);
    }
    holds
}

fn one(words: &mut &[&str], allowed: &[String]) -> bool {
    if take(words, "(") {
        let holds = any_of(words, allowed);
        return take(words, ")") && holds;
    }
    let Some((licence, rest)) = words.split_first() else { return false };
    *words = rest;
    // An exception only permits more.
    if take(words, "WITH") {
        *words = words.get(1..).unwrap_or_default();
    }
    allowed.iter().any(|one| one == licence)
}

fn take(words: &mut &[&str], word: &str) -> bool {
    let there = words.first() == Some(&word);
    if there {
        *words = &words[1..];
    }
    there
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_understood() {
        let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned(), "Apache-2.0".to_owned()];
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("none", false),
            ("MIT OR GPL-3.0", true),
            ("MIT/GPL-3.0", true),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR GPL-3.0) AND Unicode-3.0", true),
            ("GPL-3.0 AND (MIT OR Unicode-3.0)", false),
            ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
            ("(MIT", false),
            ("", false),
        ] {
            assert_eq!(satisfied(expression, &allowed), expected, "{expression}");
        }
    }
}
