//! The `OpenAPI` document. `tests/interface` has every operation tried against it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::browser;

/// The addresses in the first column of the table in docs/http.md.
fn documented() -> BTreeSet<String> {
    let text = include_str!("../../../../docs/http.md");
    let cells = text.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let requests = cells.flat_map(|cell| cell.split("`, `")).map(|request| request.trim_matches('`').to_owned());
    requests.filter(|request| request.contains(" /api/") && !request.ends_with("openapi.json")).collect()
}

#[tokio::test]
async fn the_document_has_the_operations_of_the_docs_and_no_others() {
    let document = browser().get("/api/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    let operations =
        paths.iter().flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| (method, path)));
    let operations: BTreeSet<String> =
        operations.map(|(method, path)| format!("{} {path}", method.to_uppercase())).collect();
    assert_eq!(operations, documented());
}

/// A schema has the fields that the body's type has, of all its parts, and no others.
#[tokio::test]
async fn schemas_are_those_of_the_types() {
    let document = browser().get("/api/openapi.json").await.json();
    let schema = &document["components"]["schemas"]["SolveBody"];
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let known = [
        "algorithm",
        "cols",
        "goal",
        "goal_text",
        "heuristic",
        "limits",
        "rows",
        "text",
        "tiles",
        "weight",
        "wrap_cols",
        "wrap_rows",
    ];
    assert_eq!(fields, known);
    assert_eq!(schema["additionalProperties"], Value::Bool(false));
    for reference in document.to_string().split("\"$ref\":\"#/").skip(1) {
        let path = format!("/{}", reference.split('"').next().unwrap());
        assert!(document.pointer(&path).is_some(), "{path}");
    }
}

/// Each operation names the statuses that it answers, with its reasons, and no class of them.
#[tokio::test]
async fn errors_are_named_where_they_belong() {
    let document = browser().get("/api/openapi.json").await.json();
    let errors = |method: &str, path: &str| {
        let responses = document["paths"][path][method]["responses"].as_object().unwrap();
        responses.keys().filter(|status| status.as_str() >= "400").cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(errors("get", "/api/saves"), "400 401 403 429 500 503 504");
    assert_eq!(errors("put", "/api/saves/{id}"), "400 401 403 404 408 409 413 429 500 503 504 507");
    assert_eq!(errors("post", "/api/pictures"), "400 401 403 408 413 415 429 500 503 504 507");
    assert_eq!(errors("post", "/api/solve"), "400 401 403 408 413 429 500 503");
    assert_eq!(errors("post", "/api/path"), "400 401 403 404 408 413 429 500 503");
    for path in document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values()) {
        assert_eq!(path["responses"]["503"]["$ref"], "#/components/responses/Later");
    }
    assert!(document["components"]["responses"]["Later"]["headers"]["Retry-After"].is_object());
    let scheme = &document["components"]["securitySchemes"]["device"];
    assert_eq!((&scheme["type"], &scheme["in"]), (&"apiKey".into(), &"cookie".into()));
    let mut browser = browser();
    let cookie = browser.get("/").await.header("set-cookie").to_owned();
    let document = browser.get("/api/openapi.json").await.json();
    let name = document["components"]["securitySchemes"]["device"]["name"].as_str().unwrap().to_owned();
    assert!(cookie.starts_with(&format!("{name}=")), "{cookie} {name}");
}

/// No answer is any object.
#[tokio::test]
async fn answers_are_described() {
    let document = browser().get("/api/openapi.json").await.json();
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let Some(schema) = operation["responses"]["200"]["content"].get("application/json") else { continue };
            assert_ne!(
                schema["schema"],
                serde_json::json!({ "type": "object", "additionalProperties": true }),
                "{path}"
            );
        }
    }
}
