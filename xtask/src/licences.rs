//! The licences of everything that is linked in. `deny.toml` says which are allowed; `cargo deny` reads
//! the same list and looks at more than this does.

use std::fs;

use anyhow::{Context, bail};
use spdx::{Expression, Licensee, ParseMode};

use crate::shell::{metadata, root};

/// Checks that each package can be had under a licence that is allowed.
pub(crate) fn check() -> anyhow::Result<()> {
    let allowed = allowed()?;
    let metadata = metadata(&[])?;
    let packages = metadata["packages"].as_array().context("cargo lists the packages")?;
    let mut refused = Vec::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_satisfied(licence, &allowed) {
            refused.push(format!("{} ({licence})", package["name"].as_str().unwrap_or("?")));
        }
    }
    if !refused.is_empty() {
        bail!("found licences that deny.toml does not allow: {}", refused.join(", "));
    }
    let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
    println!("{} packages, all under {}", packages.len(), allowed.join(", "));
    Ok(())
}

/// The licences that `deny.toml` allows.
fn allowed() -> anyhow::Result<Vec<Licensee>> {
    let text: toml::Table = fs::read_to_string(root().join("deny.toml")).context("deny.toml")?.parse()?;
    let names = text["licenses"]["allow"].as_array().context("deny.toml has no list of licences")?;
    names.iter().map(|name| Ok(Licensee::parse(name.as_str().unwrap_or_default())?)).collect()
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` holds with these licences.
fn is_satisfied(expression: &str, allowed: &[Licensee]) -> bool {
    Expression::parse_mode(expression, ParseMode::LAX)
        .is_ok_and(|expression| expression.evaluate(|wanted| allowed.iter().any(|one| one.satisfies(wanted))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_on_the_list_is_refused() {
        let allowed = allowed().unwrap();
        for (expression, expected) in [("MIT/GPL-3.0", true), ("MIT AND GPL-3.0", false), ("none", false), ("", false)]
        {
            assert_eq!(is_satisfied(expression, &allowed), expected, "{expression}");
        }
    }
}
