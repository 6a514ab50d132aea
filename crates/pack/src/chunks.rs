//! Which module is in which script.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ALONE, LOADER, PackError, module::Module, strip::strip};

pub(crate) type Modules<'a> = BTreeMap<&'a str, Module>;

/// The script with the loader, and with what every place needs.
const MAIN: &str = "main";
/// The first place, which is most visits' only one, and its parts that are not needed at first.
const PLAY: &str = "play";
const REST: &str = "rest";
/// Modules that several scripts need, the first place not among them.
const SHARED: &str = "shared";

pub(crate) fn scripts(modules: &Modules) -> Result<BTreeMap<String, String>, PackError> {
    check_imports(modules)?;
    let chunks = chunks(modules);
    let mut members = BTreeMap::<&str, Vec<&str>>::new();
    for (path, chunk) in &chunks {
        members.entry(chunk).or_default().push(path);
    }
    let script = |(chunk, paths): (&&str, &Vec<&str>)| {
        let mut text = if *chunk == MAIN { head(modules) } else { imports(chunk, paths, modules, &chunks) };
        text.extend(paths.iter().map(|path| modules[path].definition()));
        if *chunk == MAIN {
            text.push_str("$run(\"js/main.js\").catch(reportError);\n");
        }
        ((*chunk).to_owned(), text)
    };
    Ok(members.iter().map(script).collect())
}

/// The loader, which knows the scripts of modules that are imported at run time; others are in [`REST`].
fn head(modules: &Modules) -> String {
    let table = roots(modules).into_iter().filter(|(_, chunk)| *chunk != REST);
    let table: Vec<_> = table.chain(ALONE).map(|(path, chunk)| format!("\"{path}\": \"{chunk}\"")).collect();
    format!(
        "const CHUNKS = {{ {} }};\n{}const [$define, $import, $addressOf, $run] = [define, dynamic, addressOf, run];\n",
        table.join(", "),
        strip(LOADER)
    )
}

/// Imports the loader, and the scripts with modules that this one's import.
fn imports(chunk: &str, paths: &[&str], modules: &Modules, chunks: &BTreeMap<&str, &str>) -> String {
    let up = "../".repeat(chunk.matches('/').count());
    let from = if up.is_empty() { "./" } else { &up };
    let needed: BTreeSet<&str> =
        paths.iter().flat_map(|path| modules[path].imported()).map(|path| chunks[path]).collect();
    let needed = needed.into_iter().filter(|other| ![MAIN, chunk].contains(other));
    let mut text =
        format!("import {{ addressOf as $addressOf, define as $define, dynamic as $import }} from '{from}main.js';\n");
    text.extend(needed.map(|other| format!("import '{from}{other}.js';\n")));
    text
}

fn chunks<'a>(modules: &'a Modules) -> BTreeMap<&'a str, &'a str> {
    let mut users = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (root, chunk) in roots(modules) {
        let mut open = vec![root];
        while let Some(path) = open.pop() {
            if users.entry(path).or_default().insert(chunk) {
                open.extend(modules[path].imported());
            }
        }
    }
    users.into_iter().map(|(path, users)| (path, chunk_of(path, &users))).collect()
}

/// The script of a module that these scripts need.
fn chunk_of<'a>(path: &'a str, users: &BTreeSet<&'a str>) -> &'a str {
    let is_elsewhere = users.iter().any(|user| ![PLAY, REST].contains(user));
    match users.first() {
        _ if users.contains(MAIN) || users.contains(PLAY) && is_elsewhere => MAIN,
        _ if users.contains(PLAY) => PLAY,
        Some(only) if users.len() == 1 => only,
        // Modules that only pictures share stay with the pictures.
        _ if users.iter().all(|user| user.starts_with("paint/")) => name_of(path),
        _ => SHARED,
    }
}

/// The modules that no other one imports, and their scripts: each place has one, and so has each dictionary and picture.
fn roots<'a>(modules: &'a Modules) -> Vec<(&'a str, &'a str)> {
    let imported: BTreeSet<&str> = modules.values().flat_map(Module::imported).collect();
    let roots = modules.keys().copied().filter(|path| !imported.contains(path));
    roots.map(|path| (path, script_of_root(path))).collect()
}

fn name_of(path: &str) -> &str {
    path.strip_suffix(".js").unwrap_or(path)
}

fn script_of_root(path: &str) -> &str {
    let name = name_of(path);
    match path {
        "js/main.js" => MAIN,
        "js/play.js" => PLAY,
        // The element can be on any place.
        _ if path.starts_with("element/") => name,
        _ if path.starts_with("paint/") || path.ends_with("/en.js") || path.ends_with("/zh.js") => name,
        _ => name.strip_prefix("places/").and_then(|name| name.strip_suffix("/place")).unwrap_or(REST),
    }
}

/// Checks that every import is there, with its names, and that no module imports itself through others.
fn check_imports(modules: &Modules) -> Result<(), PackError> {
    let mut done = Vec::new();
    modules.keys().try_for_each(|path| visit(path, modules, &mut done, &mut Vec::new()))?;
    modules.values().try_for_each(|module| module.check_names(modules))
}

/// One module and all that it imports, each after its own imports.
pub(crate) fn in_order<'a>(entry: &'a str, modules: &'a Modules) -> Result<Vec<&'a Module>, PackError> {
    let mut done = Vec::new();
    visit(entry, modules, &mut done, &mut Vec::new())?;
    let ordered: Vec<&Module> = done.into_iter().map(|path| &modules[path]).collect();
    ordered.iter().try_for_each(|module| module.check_names(modules))?;
    Ok(ordered)
}

fn visit<'a>(
    path: &'a str,
    modules: &'a Modules,
    done: &mut Vec<&'a str>,
    trail: &mut Vec<&'a str>,
) -> Result<(), PackError> {
    if done.contains(&path) {
        return Ok(());
    }
    if let Some(first) = trail.iter().position(|one| *one == path) {
        let circle = trail[first..].iter().chain([&path]).map(|path| (*path).to_owned());
        return Err(PackError::Circle(circle.collect()));
    }
    let Some(module) = modules.get(path) else {
        let module = trail.last().copied().unwrap_or_default().to_owned();
        return Err(PackError::Missing { module, missing: path.to_owned() });
    };
    trail.push(path);
    module.imported().try_for_each(|path| visit(path, modules, done, trail))?;
    trail.pop();
    done.push(path);
    Ok(())
}
