//! The operations of the interface: each is a route and its part of the `OpenAPI` document, so that neither is
//! without the other. The schemas are made from the types that bodies are read into and answers are written from.

use std::{any::type_name, sync::Arc};

use axum::{
    Router,
    body::Bytes,
    extract::Request,
    handler::Handler,
    http::{Method, header},
    middleware::{self, Next},
    response::IntoResponse,
    routing::{MethodFilter, get, on},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{query, with_timeout};
use crate::{app::App, device, error};

/// A parameter of the query: its name and its schema.
pub(super) type Parameter = (&'static str, Value);

/// An operation as the document describes it.
pub(super) struct Operation {
    summary: &'static str,
    takes: Option<Content>,
    example: Option<Value>,
    query: Option<Parameter>,
    statuses: Vec<u16>,
    answers: Vec<Content>,
    /// The statuses of errors that not every operation has.
    refusals: &'static [u16],
    /// Searches have time limits of their own.
    is_search: bool,
}

/// The media type of a body, and the schema of one that is JSON.
type Content = (&'static str, Option<fn(&mut SchemaGenerator) -> Schema>);

const JSON: &str = "application/json";

/// An operation that answers a request without a body by 204.
pub(super) fn says(summary: &'static str) -> Operation {
    Operation {
        summary,
        takes: None,
        example: None,
        query: None,
        statuses: vec![204],
        answers: Vec::new(),
        refusals: &[],
        is_search: false,
    }
}

impl Operation {
    pub(super) fn takes<T: JsonSchema>(self) -> Self {
        Self { takes: Some((JSON, Some(SchemaGenerator::subschema_for::<T>))), ..self }
    }

    pub(super) fn takes_bytes(self, media_type: &'static str) -> Self {
        Self { takes: Some((media_type, None)), ..self }
    }

    pub(super) fn for_example(self, body: Value) -> Self {
        Self { example: Some(body), ..self }
    }

    pub(super) fn asks(self, parameter: Parameter) -> Self {
        Self { query: Some(parameter), ..self }
    }

    pub(super) fn answers<T: JsonSchema>(self, status: u16) -> Self {
        Self { statuses: vec![status], answers: vec![(JSON, Some(SchemaGenerator::subschema_for::<T>))], ..self }
    }

    pub(super) fn answers_bytes(mut self, media_type: &'static str) -> Self {
        self.statuses = vec![200];
        self.answers.push((media_type, None));
        self
    }

    /// The same answer may have another status.
    pub(super) fn or(mut self, status: u16) -> Self {
        self.statuses.push(status);
        self
    }

    pub(super) fn refuses(self, refusals: &'static [u16]) -> Self {
        Self { refusals, ..self }
    }

    /// The statuses of its errors: those of every operation, of bodies, of paths with a part that may not exist, and its own.
    fn errors(&self, path: &str) -> Vec<u16> {
        let when = |applies: bool, statuses: &'static [u16]| if applies { statuses } else { &[] };
        let of_bodies = when(self.takes.is_some(), &[408, 413]);
        let of_paths = when(path.contains('{'), &[404]);
        let of_time = when(!self.is_search, &[504]);
        [&[400, 401, 403, 429, 500, 503], of_bodies, of_paths, of_time, self.refusals].concat()
    }

    /// A search, whose answer may also come as a stream.
    pub(super) fn streams(mut self) -> Self {
        self.is_search = true;
        self.answers_bytes("text/event-stream")
    }
}

pub(super) struct Interface {
    app: Arc<App>,
    router: Router<Arc<App>>,
    paths: Map<String, Value>,
    schemas: SchemaGenerator,
}

impl Interface {
    pub(super) fn new(app: &Arc<App>) -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        Self { app: Arc::clone(app), router: Router::new(), paths: Map::new(), schemas: settings.into_generator() }
    }

    pub(super) fn add<H, T>(mut self, method: &Method, path: &'static str, handler: H, operation: Operation) -> Self
    where
        H: Handler<T, Arc<App>>,
        T: 'static,
    {
        let known = operation.query.as_ref().map(|(name, _)| *name);
        let check = move |request: Request, next: Next| query::check(known, request, next);
        let Ok(filter) = MethodFilter::try_from(method.clone()) else { return self };
        let mut route = on(filter, handler).layer(middleware::from_fn(check));
        if !operation.is_search {
            route = route.layer(middleware::from_fn_with_state(Arc::clone(&self.app), with_timeout));
        }
        self.router = self.router.route(path, route);
        let name = type_name::<H>().rsplit("::").take(2).collect::<Vec<_>>();
        let described = self.describe(path, &format!("{}.{}", name[1], name[0]), operation);
        let item = self.paths.entry(path).or_insert_with(|| json!({}));
        item[method.as_str().to_ascii_lowercase()] = described;
        self
    }

    fn describe(&mut self, path: &str, name: &str, operation: Operation) -> Value {
        let answer = self.contents(&operation.answers);
        let success = |status: &u16| {
            let mut response = json!({ "description": operation.summary });
            if let Some(content) = &answer {
                response["content"] = content.clone();
            }
            (status.to_string(), response)
        };
        let mut responses: Map<String, Value> = operation.statuses.iter().map(success).collect();
        for status in operation.errors(path) {
            let name = if [429, 503].contains(&status) { "Later" } else { "Error" };
            responses.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{name}") }));
        }
        let mut described = json!({ "operationId": name, "summary": operation.summary, "responses": responses });
        let in_path = PARTS.iter().filter(|(part, _)| path.contains(&format!("{{{part}}}")));
        let in_path = in_path.map(|(name, pattern)| {
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "pattern": pattern } })
        });
        let in_query =
            operation.query.iter().map(|(name, schema)| json!({ "name": name, "in": "query", "schema": schema }));
        let parameters: Vec<Value> = in_path.chain(in_query).collect();
        if !parameters.is_empty() {
            described["parameters"] = parameters.into();
        }
        if let Some(mut content) = self.contents(operation.takes.as_slice()) {
            if let Some(example) = operation.example {
                content[JSON]["example"] = example;
            }
            described["requestBody"] = json!({ "required": true, "content": content });
        }
        described
    }

    fn contents(&mut self, contents: &[Content]) -> Option<Value> {
        let content = |&(media_type, schema): &Content| {
            (media_type.to_owned(), schema.map_or(json!({}), |schema| json!({ "schema": schema(&mut self.schemas) })))
        };
        (!contents.is_empty()).then(|| contents.iter().map(content).collect::<Map<_, _>>().into())
    }

    /// The routes, with one for the document.
    pub(super) fn routes(mut self, path: &'static str) -> Router<Arc<App>> {
        let error = json!({ JSON: { "schema": self.schemas.subschema_for::<error::Body>() } });
        let seconds = json!({ "description": "The seconds after which it may be tried again.", "required": true,
            "schema": { "type": "integer", "minimum": 1 } });
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Pintu",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "What docs/http.md explains. A cookie says which player asks.",
                "license": { "name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE") },
            },
            "paths": self.paths,
            // A client without a cookie is a new player, and gets one with the first thing that is stored.
            "security": [{}, { "device": [] }],
            "components": {
                "responses": {
                    "Error": { "description": "Why not.", "content": error },
                    "Later": { "description": "Why not now.", "content": error, "headers": { "Retry-After": seconds } },
                },
                "schemas": self.schemas.take_definitions(true),
                "securitySchemes": {
                    "device": { "type": "apiKey", "in": "cookie", "name": device::cookie_name(&self.app) },
                },
            },
        });
        let bytes = Bytes::from(document.to_string());
        let headers = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, "no-cache")];
        self.router.route(path, get(move || std::future::ready((headers, bytes.clone()).into_response())))
    }
}

/// The parts of paths that stand for something.
const PARTS: [(&str, &str); 2] = [("id", "^[0-9a-f]{32}$"), ("date", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")];
