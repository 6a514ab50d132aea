//! A module as a function from its imports to its exports.

use std::{collections::BTreeMap, fmt::Write};

use crate::{
    PackError,
    strip::{Piece, pieces},
};

/// A module that was read: what it imports and exports, and its other lines.
#[derive(Debug)]
pub(crate) struct Module {
    path: String,
    /// The paths of the modules that it imports, and the names under which it knows what they export.
    imports: Vec<(String, Binding)>,
    /// The exported names, and the names behind them within the module.
    exports: Vec<(String, String)>,
    body: String,
}

#[derive(Debug)]
enum Binding {
    /// `import * as name`
    All(String),
    /// `import { a, b as c }`: the exported names, and the names here.
    Names(Vec<(String, String)>),
    Nothing,
}

const IMPORTS: &str = "import … from '…'; on one line";
const EXPORTS: &str = "export const, function, async function, class, default or { names }; on one line";

impl Module {
    /// Reads a module without comments.
    pub(crate) fn read(path: &str, source: &str) -> Result<Self, PackError> {
        let mut module = Self { path: path.to_owned(), imports: Vec::new(), exports: Vec::new(), body: String::new() };
        let mut rest = source;
        while let Some(statement) = rest.strip_prefix("import ") {
            let line = statement.lines().next().unwrap_or_default();
            module.import(line).ok_or_else(|| module.wrong(&format!("import {line}"), IMPORTS))?;
            rest = statement[line.len()..].trim_start_matches('\n');
        }
        let mut at_line_start = true;
        for (piece, text) in pieces(rest) {
            if piece == Piece::Code {
                module.code(text, at_line_start)?;
            } else {
                module.body.push_str(text);
            }
            at_line_start = piece == Piece::Code && text.ends_with('\n');
        }
        Ok(module)
    }

    pub(crate) fn imported(&self) -> impl Iterator<Item = &str> {
        self.imports.iter().map(|(path, _)| path.as_str())
    }

    /// Checks that another module exports the names that this one imports from it.
    pub(crate) fn check_names(&self, modules: &BTreeMap<&str, Module>) -> Result<(), PackError> {
        for (from, binding) in &self.imports {
            let Binding::Names(names) = binding else { continue };
            let exports = &modules[from.as_str()].exports;
            let is_missing = |name: &&(String, String)| !exports.iter().any(|(export, _)| *export == name.0);
            if let Some((name, _)) = names.iter().find(is_missing) {
                return Err(PackError::NotExported {
                    module: self.path.clone(),
                    name: name.clone(),
                    from: from.clone(),
                });
            }
        }
        Ok(())
    }

    fn wrong(&self, found: &str, expected: &'static str) -> PackError {
        PackError::Statement { module: self.path.clone(), found: found.to_owned(), expected }
    }

    /// Reads what follows the word `import`.
    fn import(&mut self, statement: &str) -> Option<()> {
        let statement = statement.strip_suffix(';')?;
        let (clause, from) = statement.split_once(" from ").unwrap_or(("", statement));
        let from = joined(&self.path, from.strip_prefix('\'')?.strip_suffix('\'')?)?;
        let binding = if clause.is_empty() {
            Binding::Nothing
        } else if let Some(name) = clause.strip_prefix("* as ") {
            Binding::All(name.to_owned())
        } else {
            let names = clause.strip_prefix("{ ")?.strip_suffix(" }")?.split(", ");
            let names = names.map(|name| name.split_once(" as ").unwrap_or((name, name)));
            Binding::Names(names.map(|(name, inner)| (name.to_owned(), inner.to_owned())).collect())
        };
        self.imports.push((from, binding));
        Some(())
    }

    /// Copies code without the word `export`, notes what it exports, and has imports at run time go through the loader.
    fn code(&mut self, code: &str, at_line_start: bool) -> Result<(), PackError> {
        for (index, line) in code.split_inclusive('\n').enumerate() {
            let is_export = (index > 0 || at_line_start) && line.starts_with("export ");
            let line = if is_export {
                self.export(line).ok_or_else(|| self.wrong(line.trim_end(), EXPORTS))?
            } else {
                line.to_owned()
            };
            let line = replaced(&line, "import.meta.resolve(", &format!("$addressOf(\"{}\", ", self.path));
            self.body.push_str(&replaced(&line, "import(", &format!("$import(\"{}\", ", self.path)));
        }
        Ok(())
    }

    /// A line that begins with `export`, without it.
    fn export(&mut self, line: &str) -> Option<String> {
        let statement = line.strip_prefix("export ")?;
        if let Some(value) = statement.strip_prefix("default ") {
            self.exports.push(("default".to_owned(), "$default".to_owned()));
            return Some(format!("const $default = {value}"));
        }
        if let Some(names) = statement.strip_prefix("{ ") {
            let names = names.trim_end().strip_suffix(" };")?;
            self.exports.extend(names.split(", ").map(|name| (name.to_owned(), name.to_owned())));
            return Some(String::new());
        }
        if let Some(pattern) = statement.strip_prefix("const { ") {
            let names = pattern.split_once(" } =")?.0.split(", ");
            let names = names.map(|name| name.split_once(": ").map_or(name, |(_, name)| name));
            self.exports.extend(names.map(|name| (name.to_owned(), name.to_owned())));
            return Some(statement.to_owned());
        }
        let kinds = ["const ", "async function ", "function ", "class "];
        let name = kinds.iter().find_map(|kind| statement.strip_prefix(kind))?;
        let end = name.find(|char: char| !char.is_alphanumeric() && char != '_' && char != '$')?;
        self.exports.push((name[..end].to_owned(), name[..end].to_owned()));
        Some(statement.to_owned())
    }

    /// The module's definition, for the loader.
    pub(crate) fn definition(&self) -> String {
        let paths: Vec<_> = self.imported().map(|path| format!("\"{path}\"")).collect();
        let arguments: Vec<_> = (0..self.imports.len()).map(|index| self.argument(index)).collect();
        let mut text = String::new();
        let _ = write!(
            text,
            "$define(\"{}\", [{}], async ({}) => {{\n{}return {};\n}});\n",
            self.path,
            paths.join(", "),
            arguments.join(", "),
            self.body,
            object(&self.exports),
        );
        text
    }

    /// The module as a constant, which is called `names[path]`, of a script that has those of its imports before it.
    pub(crate) fn constant(&self, names: &BTreeMap<&str, String>) -> Result<String, PackError> {
        if self.body.contains("$import(") || self.body.contains("$addressOf(") {
            return Err(self.wrong("import(…)", "no import at run time in a module that is packed alone"));
        }
        let parameters: Vec<_> = (0..self.imports.len()).map(|index| self.argument(index)).collect();
        let arguments: Vec<_> = self.imported().map(|path| names[path].as_str()).collect();
        Ok(format!(
            "const {} = (({}) => {{\n{}return {};\n}})({});\n",
            names[self.path.as_str()],
            parameters.join(", "),
            self.body,
            object(&self.exports),
            arguments.join(", "),
        ))
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The exported names; no module that is packed alone has a default.
    pub(crate) fn exports(&self) -> impl Iterator<Item = &str> {
        self.exports.iter().map(|(name, _)| name.as_str())
    }

    /// The parameter that takes the exports of the import with this number.
    fn argument(&self, index: usize) -> String {
        match &self.imports[index].1 {
            Binding::All(name) => name.clone(),
            Binding::Names(names) => object(names),
            Binding::Nothing => format!("$unused{index}"),
        }
    }
}

/// An object, or a pattern that takes one apart: names outside and inside.
fn object(names: &[(String, String)]) -> String {
    let fields =
        names.iter().map(|(name, inner)| if name == inner { name.clone() } else { format!("{name}: {inner}") });
    format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
}

/// A relative address, from a module's path.
fn joined(from: &str, address: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Replaces a call where it is no part of a longer name.
fn replaced(code: &str, call: &str, by: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(call) {
        let is_name = rest[..at].ends_with(|char: char| char.is_alphanumeric() || matches!(char, '.' | '_' | '$'));
        text.push_str(&rest[..at]);
        text.push_str(if is_name { call } else { by });
        rest = &rest[at + call.len()..];
    }
    text + rest
}
