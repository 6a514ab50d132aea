//! How Posthoc draws events: their positions and shapes.

use serde_json::{Value, json};

use super::Domain;

/// The middle of a cell, or the position of a node.
pub(super) fn point(domain: &Domain, state: u32) -> Value {
    match domain {
        Domain::Cells { cols, .. } => {
            json!({"x": f64::from(state % cols) + 0.5, "y": f64::from(state / cols) + 0.5})
        }
        Domain::Names { places, names, .. } => {
            let [x, y] = lies(places.as_deref(), names.len(), state);
            json!({"x": x, "y": y})
        }
        Domain::Tiles { .. } => Value::Null,
    }
}

/// The position at which a node of a graph is drawn: its coordinates, or a place on a circle.
pub(super) fn lies(places: Option<&[[f64; 2]]>, count: usize, node: u32) -> [f64; 2] {
    if let Some(position) = places.and_then(|places| places.get(node as usize)) {
        return *position;
    }
    let turn = f64::from(node) / count.max(1) as f64 * std::f64::consts::TAU;
    let radius = count as f64;
    [radius * turn.cos(), radius * turn.sin()]
}

/// The positions of events whose states have one: Posthoc draws by it the path from the start to the selected event.
pub(super) fn pivot(domain: &Domain) -> Option<Value> {
    match domain {
        Domain::Tiles { .. } => None,
        Domain::Cells { .. } => Some(json!({"x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}", "scale": 1})),
        Domain::Names { places, .. } => {
            Some(json!({"x": "${{ $.x }}", "y": "${{ $.y }}", "scale": unit(places.as_deref())}))
        }
    }
}

/// The unit of a graph's drawing: half the distance of nodes that are spread evenly. Graphs are drawn by coordinates of
/// any size, from grids to degrees.
fn unit(places: Option<&[[f64; 2]]>) -> f64 {
    let Some(places) = places else { return 1.0 };
    let extent = |axis: usize| {
        let values = || places.iter().map(|position| position[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    let apart = extent(0).max(extent(1)) / (places.len() as f64).sqrt();
    if apart.is_finite() && apart > 0.0 { apart / 2.0 } else { 1.0 }
}

pub(super) fn views(domain: &Domain) -> Value {
    const FOLLOWED: &str = "${{ !$.fate || $.fate === 'new' || $.fate === 'cheaper' || $.fate === 'reopened' }}";
    let path = |width: f64| {
        json!({
            "$": "path", "points": "${{ $.path }}", "fill": "${{ theme.foreground }}", "line-width": width,
            "$if": "${{ $.type === 'end' && $.path.length > 1 }}"
        })
    };
    match domain {
        Domain::Tiles { rows, cols, .. } => json!({"main": [{
            "$": "rect",
            "$for": {"$to": rows * cols},
            "x": format!("${{{{ $.i % {cols} }}}}"),
            "y": format!("${{{{ Math.floor($.i / {cols}) }}}}"),
            "width": 0.96,
            "height": 0.96,
            "fill": "${{ $.tiles[$.i] === 0 ? theme.background : color[$.type] }}",
            "label": "${{ $.tiles[$.i] === 0 ? '' : $.tiles[$.i] }}",
            "label-x": 0.3,
            "label-y": 0.65,
            "label-size": 0.45,
            "label-color": "${{ theme.background }}",
            "clear": true
        }]}),
        Domain::Cells { .. } => json!({"main": [
            {
                "$": "rect", "x": "${{ $.x }}", "y": "${{ $.y }}", "width": 1, "height": 1,
                "fill": "${{ color[$.type] }}", "$if": FOLLOWED
            },
            path(0.3)
        ]}),
        Domain::Names { places, .. } => {
            let unit = unit(places.as_deref());
            json!({"main": [
                {
                    "$": "circle", "x": "${{ $.x }}", "y": "${{ $.y }}", "radius": 0.4 * unit,
                    "fill": "${{ color[$.type] }}", "label": "${{ $.name }}", "label-x": 0.5 * unit,
                    "label-y": 0.18 * unit, "label-size": 0.5 * unit, "label-color": "${{ theme.foreground }}",
                    "$if": FOLLOWED
                },
                path(0.3 * unit)
            ]})
        }
    }
}
