use std::path::Path;

use super::*;

const DOCUMENT: &str = "<script src=\"/js/early.js\"></script><script type=\"module\" src=\"/js/main.js\"></script>";

fn packed(sources: &[(&str, &str)]) -> Result<Packed, PackError> {
    let sources = sources.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    pack(&sources, DOCUMENT)
}

fn script<'a>(packed: &'a Packed, name: &str) -> &'a str {
    let found = packed.scripts.iter().find(|(path, _)| path.strip_prefix("app/") == Some(&format!("{name}.js")));
    found.unwrap_or_else(|| panic!("no {name} in {:?}", packed.scripts.keys())).1
}

#[test]
fn comments_and_indentation_go_and_literals_stay() {
    for (source, expected) in [
        ("// a\nlet a = 1; // b\n\n  a /* c */ += 2;\n", "let a = 1;\na  += 2;\n"),
        ("const a = 'it // is'; const b = \"/* so */\";", "const a = 'it // is'; const b = \"/* so */\";"),
        ("x = a / b; // c / d\ny = (a) / 2 / 3;", "x = a / b;\ny = (a) / 2 / 3;"),
        ("f(/[/'\"]\\//g); // x", "f(/[/'\"]\\//g); "),
        ("return /\\/\\* no comment/.test(a);", "return /\\/\\* no comment/.test(a);"),
        ("`a // ${b /* c */ + `${'}'} // d`}\n    e`", "`a // ${b  + `${'}'} // d`}\n    e`"),
        ("s('\\'// a');", "s('\\'// a');"),
    ] {
        assert_eq!(strip(source), expected, "{source}");
    }
}

#[test]
fn a_module_becomes_a_function_from_its_imports_to_its_exports() {
    let packed = packed(&[
        ("js/main.js", "import { a, b as c } from './one.js';\nimport * as two from '../two.js';\nvoid import(`./${a}.js`);\n"),
        ("js/one.js", "export const a = 1;\nexport async function b() {}\nconst { d: e } = {};\nexport { e };\nexport const { f: g, h } = {};\n"),
        ("two.js", "export default {\n  export: 1,\n};\n"),
    ])
    .unwrap();
    let main = script(&packed, "main");
    for part in [
        "$define(\"js/main.js\", [\"js/one.js\", \"two.js\"], async ({ a, b: c }, two) => {\nvoid $import(\"js/main.js\", `./${a}.js`);\nreturn {  };\n});",
        "async function b() {}\n",
        "return { a, b, e, g, h };",
        "const $default = {\nexport: 1,\n};\nreturn { default: $default };",
    ] {
        assert!(main.contains(part), "{part} in {main}");
    }
    assert!(packed.document.contains("/main.js") && !packed.document.contains("/js/"));
}

#[test]
fn who_imports_a_module_decides_where_it_is() {
    let packed = packed(&[
        ("js/main.js", "import './all.js';\n"),
        ("js/all.js", ""),
        ("js/play.js", "import './board.js';\nimport './common.js';\n"),
        ("js/part.js", "import './board.js';\nimport './text.js';\n"),
        ("js/board.js", ""),
        ("js/common.js", ""),
        ("js/text.js", ""),
        ("i18n/en.js", "export default {};\n"),
        ("places/lab/place.js", "import '../../js/common.js';\nimport '../../js/text.js';\n"),
        ("paint/a.js", "import './brush.js';\n"),
        ("paint/b.js", "import './brush.js';\n"),
        ("paint/brush.js", ""),
    ])
    .unwrap();
    for (name, path) in [
        ("main", "js/all.js"),
        ("main", "js/common.js"),
        ("play", "js/board.js"),
        ("rest", "js/part.js"),
        ("shared", "js/text.js"),
        ("lab", "places/lab/place.js"),
        ("i18n/en", "i18n/en.js"),
        ("paint/brush", "paint/brush.js"),
    ] {
        assert!(script(&packed, name).contains(&format!("$define(\"{path}\"")), "{path} in {name}");
    }
    assert!(script(&packed, "rest").contains("import './play.js';\nimport './shared.js';\n"));
    assert!(script(&packed, "paint/a").contains("from '../main.js';\nimport '../paint/brush.js';\n"));
}

/// Another text is another address, so that no browser keeps an old script.
#[test]
fn what_cannot_be_packed_is_an_error() {
    for (text, expected) in [
        ("import a, { b } from './one.js';", "js/main.js: found `import a, { b } from './one.js';`"),
        ("import {\n  a,\n} from './one.js';", "js/main.js: found `import {`"),
        ("export let a = 1;", "js/main.js: found `export let a = 1;`"),
        ("export * from './one.js';", "js/main.js: found `export * from`"),
        ("import { a } from './away.js';", "js/main.js: imports js/away.js, which is not there"),
        ("import { a } from './two.js';", "js/main.js: imports a from js/two.js, which does not export it"),
        ("import { a } from './one.js';", "in a circle: js/main.js → js/one.js → js/main.js"),
    ] {
        let error = packed(&[("js/main.js", text), ("js/one.js", "import './main.js';\n"), ("js/two.js", "")])
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert!(matches!(pack(&BTreeMap::new(), "<html>"), Err(PackError::Document(_))));
}

#[test]
fn one_module_is_packed_with_all_that_it_imports() {
    let sources = [
        ("a.js", "import { b as c } from './b.js';\nimport * as d from './d.js';\nexport const a = c + d.e; // note\n"),
        ("b.js", "import { e } from './d.js';\nexport const b = e;\n"),
        ("d.js", "export const e = 1;\n"),
        ("other.js", "void import('./a.js');\n"),
    ];
    let sources = sources.map(|(path, text)| (path.to_owned(), text.to_owned())).into_iter().collect();
    let expected = "const $module0 = (() => {\nconst e = 1;\nreturn { e };\n})();\n\
                    const $module1 = (({ e }) => {\nconst b = e;\nreturn { b };\n})($module0);\n\
                    const $module2 = (({ b: c }, d) => {\nconst a = c + d.e;\nreturn { a };\n})($module1, $module0);\n\
                    export const { a } = $module2;\n";
    assert_eq!(single(&sources, "a.js").unwrap(), expected);
    let error = single(&sources, "other.js").unwrap_err().to_string();
    assert!(error.contains("no import at run time"), "{error}");
}

#[test]
fn the_page_can_be_packed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/page");
    let packed = pack_directory(&page).unwrap();
    for name in ["early", "main", "play", "rest", "lab", "paths", "records", "guide", "i18n/en", "i18n/zh"] {
        assert!(!script(&packed, name).is_empty());
    }
    assert!(packed.scripts["pintu-board.js"].contains("\nexport const { PintuBoard } = $module"));
}
