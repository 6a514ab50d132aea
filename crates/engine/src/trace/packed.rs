//! The form for pages: a header in JSON, then arrays in their memory layout, so that only the header is parsed.
//! `docs/http.md` describes it.

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
};

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Caption, Counts, Domain, EventKind, NO_NODE, Recording, Tree};
use crate::path::PathCost;

const MAGIC: &[u8; 4] = b"PTR1";
/// Arrays begin at multiples of this.
const ALIGNMENT_BYTES: usize = 8;

#[derive(Serialize)]
struct Header<'a> {
    #[serde(rename = "place")]
    domain: &'a Domain,
    answer: &'a RawValue,
    path: Option<&'a [u32]>,
    path_nodes: &'a [u32],
    depth_first: bool,
    cost: Option<PathCost>,
    cut: bool,
    counts: Counts,
    words: [EventKind; EventKind::ALL.len()],
    width: usize,
    arrays: BTreeMap<&'static str, Array>,
}

#[derive(Clone, Copy, Serialize)]
struct Array {
    #[serde(rename = "type")]
    kind: &'static str,
    /// In bytes from the beginning of the document.
    offset: usize,
    /// In elements.
    length: usize,
}

/// One array: its elements' type, their number, and how its bytes are written.
struct Column<'a> {
    name: &'static str,
    kind: &'static str,
    length: usize,
    bytes: usize,
    write: WriteBytes<'a>,
}

type WriteBytes<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + 'a>;

impl<'a> Column<'a> {
    fn new<T, const N: usize>(
        name: &'static str,
        kind: &'static str,
        all: &'a [T],
        to_bytes: impl Fn(&T) -> [u8; N] + 'a,
    ) -> Self {
        let write = move |out: &mut dyn Write| in_parts(all, &to_bytes, out);
        Self { name, kind, length: all.len(), bytes: all.len() * N, write: Box::new(write) }
    }

    fn numbers(name: &'static str, all: &'a [u32]) -> Self {
        Self::new(name, "u32", all, |number| number.to_le_bytes())
    }

    fn costs(name: &'static str, all: &'a [PathCost]) -> Self {
        Self::new(name, "f64", all, |cost| cost.value().to_le_bytes())
    }

    fn flags(name: &'static str, all: &'a [bool]) -> Self {
        Self::new(name, "u8", all, |&flag| [u8::from(flag)])
    }
}

pub(super) fn write(recording: &Recording, caption: &Caption, out: &mut dyn Write) -> io::Result<()> {
    let tree = Tree::of(recording);
    let path_nodes = path_nodes(recording, caption, &tree);
    let mut on_path = vec![false; recording.nodes.backward.len()];
    for &node in &path_nodes {
        on_path[node as usize] = true;
    }
    let columns = columns(recording, &tree, &on_path);
    let header = |start: usize| {
        let mut offset = start;
        let mut arrays = BTreeMap::new();
        for &Column { name, kind, length, bytes, .. } in &columns {
            arrays.insert(name, Array { kind, offset, length });
            offset += bytes.next_multiple_of(ALIGNMENT_BYTES);
        }
        let Recording { domain, counts, cut, .. } = recording;
        Header {
            domain,
            answer: &caption.answer,
            path: caption.path.as_deref(),
            path_nodes: &path_nodes,
            depth_first: caption.depth_first,
            cost: caption.cost,
            cut: *cut,
            counts: *counts,
            words: EventKind::ALL,
            width: domain.width(),
            arrays,
        }
    };
    // The header's length depends on the offsets, which depend on it: it is padded to the greatest possible length.
    let before = MAGIC.len() + size_of::<u32>();
    let start = (before + length_of(&header(usize::MAX >> 1))?).next_multiple_of(ALIGNMENT_BYTES);
    let header = header(start);
    out.write_all(MAGIC)?;
    out.write_all(&((start - before) as u32).to_le_bytes())?;
    serde_json::to_writer(&mut *out, &header)?;
    for _ in before + length_of(&header)?..start {
        out.write_all(b" ")?;
    }
    columns.iter().try_for_each(|column| {
        (column.write)(out)?;
        out.write_all(&[0; ALIGNMENT_BYTES][..column.bytes.next_multiple_of(ALIGNMENT_BYTES) - column.bytes])
    })
}

/// The length of a value's JSON, which is not kept.
fn length_of(value: &impl Serialize) -> io::Result<usize> {
    struct Counter(usize);
    impl Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value)?;
    Ok(counter.0)
}

fn columns<'a>(recording: &'a Recording, tree: &'a Tree, on_path: &'a [bool]) -> Vec<Column<'a>> {
    let Recording { domain, nodes, events, .. } = recording;
    let states = match domain {
        // A board has no more than 256 cells.
        Domain::Tiles { .. } => Column::new("states", "u8", &nodes.states, |&number| [number as u8]),
        Domain::Cells { .. } | Domain::Names { .. } => Column::numbers("states", &nodes.states),
    };
    vec![
        Column::numbers("node", &events.node),
        Column::numbers("parent", &events.parent),
        Column::costs("paid", &events.paid),
        Column::costs("left", &events.left),
        states,
        Column::numbers("tree_parent", &tree.parent),
        Column::new("tree_x", "f32", &tree.x, |x| x.to_le_bytes()),
        Column::numbers("tree_y", &tree.depth),
        Column::numbers("tree_size", &tree.size),
        Column::numbers("tree_first", &tree.first),
        Column::numbers("tree_next", &tree.next),
        Column::new("what", "u8", &events.what, |&code| [code]),
        Column::flags("backward", &nodes.backward),
        Column::flags("on_path", on_path),
    ]
}

/// Writes elements in chunks: neither one by one nor as a copy of all.
fn in_parts<T, const N: usize>(all: &[T], to_bytes: impl Fn(&T) -> [u8; N], out: &mut dyn Write) -> io::Result<()> {
    const PART_ELEMENTS: usize = 1024;
    let mut part = Vec::with_capacity(PART_ELEMENTS * N);
    for some in all.chunks(PART_ELEMENTS) {
        part.clear();
        part.extend(some.iter().flat_map(&to_bytes));
        out.write_all(&part)?;
    }
    Ok(())
}

/// The nodes of the path that was found, as far as they were recorded, from the start to the goal. They are on the path
/// back from the goal that was expanded last; in a search from both ends, in either tree.
fn path_nodes(recording: &Recording, caption: &Caption, tree: &Tree) -> Vec<u32> {
    let width = recording.domain.width();
    let Some(path) = caption.path.as_deref().filter(|path| path.len() >= width) else { return Vec::new() };
    if recording.nodes.backward.contains(&true) {
        let states = recording.nodes.states.chunks_exact(width).zip(&recording.nodes.backward);
        let known: HashMap<(&[u32], &bool), u32> = states.zip(0..).collect();
        let found = |state| [false, true].map(|backward| known.get(&(state, &backward)).copied());
        return path.chunks_exact(width).flat_map(found).flatten().collect();
    }
    let goal = &path[path.len() - width..];
    let events = recording.events.what.iter().zip(&recording.events.node).rev();
    let mut expanded = events.filter(|(what, _)| **what == EventKind::Expanded as u8).map(|(_, &node)| node);
    let last = expanded.find(|&node| recording.state(node) == goal);
    let above = |&node: &u32| Some(tree.parent[node as usize]).filter(|&parent| parent != NO_NODE);
    let mut nodes: Vec<u32> = std::iter::successors(last, above).collect();
    nodes.reverse();
    nodes
}
