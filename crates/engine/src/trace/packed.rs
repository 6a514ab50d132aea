//! The form for pages: a header in JSON, then arrays as they lie in memory, so that nothing is parsed but the header.
//! `docs/http.md` describes it.

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
};

use serde::Serialize;

use super::{
    Caption, NOBODY, Place, Recording, Tree, What,
    compact::{Decimal, Space, Totals, space, totals},
};

const MAGIC: &[u8; 4] = b"PTR1";
/// Arrays begin at multiples of this.
const ALIGNED: usize = 8;

#[derive(Serialize)]
struct Header<'a> {
    place: Space<'a>,
    answer: &'a serde_json::Value,
    path: Option<&'a [u32]>,
    path_nodes: &'a [u32],
    depth_first: bool,
    cost: Option<Decimal>,
    cut: bool,
    counts: Totals,
    words: [&'static str; What::ALL.len()],
    /// Numbers of a state.
    width: usize,
    arrays: BTreeMap<&'static str, Array>,
}

#[derive(Clone, Copy, Serialize)]
struct Array {
    #[serde(rename = "type")]
    kind: &'static str,
    /// From the first byte of all.
    offset: usize,
    /// In elements.
    length: usize,
}

/// One array as it is written.
struct Column {
    name: &'static str,
    kind: &'static str,
    length: usize,
    bytes: Vec<u8>,
}

pub(super) fn write(recording: &Recording, caption: &Caption, out: &mut dyn Write) -> io::Result<()> {
    let tree = Tree::of(recording);
    let path_nodes = path_nodes(recording, caption, &tree);
    let columns = columns(recording, &tree, &path_nodes);
    let header = |start: usize| {
        let mut offset = start;
        let mut arrays = BTreeMap::new();
        for column in &columns {
            arrays.insert(column.name, Array { kind: column.kind, offset, length: column.length });
            offset += column.bytes.len().next_multiple_of(ALIGNED);
        }
        let Recording { place, counts, cut, .. } = recording;
        serde_json::to_vec(&Header {
            place: space(place),
            answer: &caption.answer,
            path: caption.path.as_deref(),
            path_nodes: &path_nodes,
            depth_first: caption.depth_first,
            cost: caption.cost.map(Decimal),
            cut: *cut,
            counts: totals(counts),
            words: What::ALL.map(What::name),
            width: place.width(),
            arrays,
        })
    };
    // The header's length depends on the offsets, which depend on it: it is padded to what the longest takes.
    let before = MAGIC.len() + size_of::<u32>();
    let most = before + header(usize::MAX >> 1)?.len();
    let start = most.next_multiple_of(ALIGNED);
    let mut text = header(start)?;
    text.resize(start - before, b' ');
    out.write_all(MAGIC)?;
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(&text)?;
    for column in &columns {
        out.write_all(&column.bytes)?;
        out.write_all(&[0; ALIGNED][..column.bytes.len().next_multiple_of(ALIGNED) - column.bytes.len()])?;
    }
    Ok(())
}

fn columns(recording: &Recording, tree: &Tree, path_nodes: &[u32]) -> Vec<Column> {
    let Recording { place, nodes, events, .. } = recording;
    let mut on_path = vec![0; nodes.backward.len()];
    for &node in path_nodes {
        on_path[node as usize] = 1;
    }
    let states = match place {
        // A board has no more than 256 cells.
        Place::Tiles { .. } => bytes("states", nodes.states.iter().map(|&tile| tile as u8).collect()),
        Place::Cells { .. } | Place::Names { .. } => numbers("states", &nodes.states),
    };
    vec![
        numbers("node", &events.node),
        numbers("parent", &events.parent),
        decimals("paid", &events.paid),
        decimals("left", &events.left),
        states,
        numbers("tree_parent", &tree.parent),
        column("tree_x", "f32", tree.x.len(), tree.x.iter().flat_map(|x| x.to_le_bytes()).collect()),
        numbers("tree_y", &tree.depth),
        numbers("tree_size", &tree.size),
        numbers("tree_first", &tree.first),
        numbers("tree_next", &tree.next),
        bytes("what", events.what.clone()),
        bytes("backward", nodes.backward.iter().map(|&backward| u8::from(backward)).collect()),
        bytes("on_path", on_path),
    ]
}

fn column(name: &'static str, kind: &'static str, length: usize, bytes: Vec<u8>) -> Column {
    Column { name, kind, length, bytes }
}

fn bytes(name: &'static str, bytes: Vec<u8>) -> Column {
    column(name, "u8", bytes.len(), bytes)
}

fn numbers(name: &'static str, numbers: &[u32]) -> Column {
    column(name, "u32", numbers.len(), numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}

fn decimals(name: &'static str, numbers: &[f64]) -> Column {
    column(name, "f64", numbers.len(), numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}

/// The nodes of the path that was found, as far as they were recorded, from the start to the goal. A search from one end
/// has them on the way back from the goal that it took up last; one from both ends, in either tree.
fn path_nodes(recording: &Recording, caption: &Caption, tree: &Tree) -> Vec<u32> {
    let width = recording.place.width();
    let Some(path) = caption.path.as_deref().filter(|path| path.len() >= width) else { return Vec::new() };
    if recording.nodes.backward.contains(&true) {
        let states = recording.nodes.states.chunks_exact(width).zip(&recording.nodes.backward);
        let known: HashMap<(&[u32], &bool), u32> = states.zip(0..).collect();
        let found = |state| [false, true].map(|backward| known.get(&(state, &backward)).copied());
        return path.chunks_exact(width).flat_map(found).flatten().collect();
    }
    let goal = &path[path.len() - width..];
    let events = recording.events.what.iter().zip(&recording.events.node).rev();
    let mut taken_up = events.filter(|(what, _)| **what == What::Expanded as u8).map(|(_, &node)| node);
    let last = taken_up.find(|&node| recording.state(node) == goal);
    let above = |&node: &u32| Some(tree.parent[node as usize]).filter(|&parent| parent != NOBODY);
    let mut nodes: Vec<u32> = std::iter::successors(last, above).collect();
    nodes.reverse();
    nodes
}
