//! The form for pages: a header in JSON, then arrays as they lie in memory, so that nothing is parsed but the header.
//! `docs/http.md` describes it.

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
};

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    Caption, NOBODY, Place, Recording, Tree, What,
    compact::{Space, Totals, space, totals},
};
use crate::path::PathCost;

const MAGIC: &[u8; 4] = b"PTR1";
/// Arrays begin at multiples of this.
const ALIGNED: usize = 8;

#[derive(Serialize)]
struct Header<'a> {
    place: Space<'a>,
    answer: &'a RawValue,
    path: Option<&'a [u32]>,
    path_nodes: &'a [u32],
    depth_first: bool,
    cost: Option<PathCost>,
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
struct Column<'a> {
    name: &'static str,
    data: Data<'a>,
}

/// What an array is made of.
#[derive(Clone, Copy)]
enum Data<'a> {
    Bytes(&'a [u8]),
    Flags(&'a [bool]),
    /// Numbers below 256, a byte each.
    Small(&'a [u32]),
    Numbers(&'a [u32]),
    Places(&'a [f32]),
    Decimals(&'a [f64]),
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
        for Column { name, data } in &columns {
            arrays.insert(*name, Array { kind: data.kind(), offset, length: data.length() });
            offset += data.bytes().next_multiple_of(ALIGNED);
        }
        let Recording { place, counts, cut, .. } = recording;
        Header {
            place: space(place),
            answer: &caption.answer,
            path: caption.path.as_deref(),
            path_nodes: &path_nodes,
            depth_first: caption.depth_first,
            cost: caption.cost,
            cut: *cut,
            counts: totals(counts),
            words: What::ALL.map(What::name),
            width: place.width(),
            arrays,
        }
    };
    // The header's length depends on the offsets, which depend on it: it is padded to what the longest takes.
    let before = MAGIC.len() + size_of::<u32>();
    let start = (before + length_of(&header(usize::MAX >> 1))?).next_multiple_of(ALIGNED);
    let header = header(start);
    out.write_all(MAGIC)?;
    out.write_all(&((start - before) as u32).to_le_bytes())?;
    serde_json::to_writer(&mut *out, &header)?;
    for _ in before + length_of(&header)?..start {
        out.write_all(b" ")?;
    }
    columns.iter().try_for_each(|column| column.data.write(out))
}

/// How long something is in JSON; nothing is kept of it.
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
    let Recording { place, nodes, events, .. } = recording;
    let states = match place {
        // A board has no more than 256 cells.
        Place::Tiles { .. } => Data::Small(&nodes.states),
        Place::Cells { .. } | Place::Names { .. } => Data::Numbers(&nodes.states),
    };
    let columns = [
        ("node", Data::Numbers(&events.node)),
        ("parent", Data::Numbers(&events.parent)),
        ("paid", Data::Decimals(&events.paid)),
        ("left", Data::Decimals(&events.left)),
        ("states", states),
        ("tree_parent", Data::Numbers(&tree.parent)),
        ("tree_x", Data::Places(&tree.x)),
        ("tree_y", Data::Numbers(&tree.depth)),
        ("tree_size", Data::Numbers(&tree.size)),
        ("tree_first", Data::Numbers(&tree.first)),
        ("tree_next", Data::Numbers(&tree.next)),
        ("what", Data::Bytes(&events.what)),
        ("backward", Data::Flags(&nodes.backward)),
        ("on_path", Data::Flags(on_path)),
    ];
    columns.map(|(name, data)| Column { name, data }).into()
}

impl Data<'_> {
    fn kind(self) -> &'static str {
        match self {
            Self::Bytes(_) | Self::Flags(_) | Self::Small(_) => "u8",
            Self::Numbers(_) => "u32",
            Self::Places(_) => "f32",
            Self::Decimals(_) => "f64",
        }
    }

    fn length(self) -> usize {
        match self {
            Self::Bytes(all) => all.len(),
            Self::Flags(all) => all.len(),
            Self::Small(all) | Self::Numbers(all) => all.len(),
            Self::Places(all) => all.len(),
            Self::Decimals(all) => all.len(),
        }
    }

    fn bytes(self) -> usize {
        let each = match self {
            Self::Bytes(_) | Self::Flags(_) | Self::Small(_) => 1,
            Self::Numbers(_) | Self::Places(_) => 4,
            Self::Decimals(_) => 8,
        };
        self.length() * each
    }

    /// Writes it, and what is left to the next multiple.
    fn write(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Bytes(all) => out.write_all(all),
            Self::Flags(all) => in_parts(all, |&flag| [u8::from(flag)], out),
            Self::Small(all) => in_parts(all, |&number| [number as u8], out),
            Self::Numbers(all) => in_parts(all, |number| number.to_le_bytes(), out),
            Self::Places(all) => in_parts(all, |place| place.to_le_bytes(), out),
            Self::Decimals(all) => in_parts(all, |number| number.to_le_bytes(), out),
        }?;
        let length = self.bytes();
        out.write_all(&[0; ALIGNED][..length.next_multiple_of(ALIGNED) - length])
    }
}

/// Writes elements some at a time: neither each by itself nor a copy of them all.
fn in_parts<T, const N: usize>(all: &[T], bytes: impl Fn(&T) -> [u8; N], out: &mut dyn Write) -> io::Result<()> {
    const TOGETHER: usize = 1024;
    let mut part = Vec::with_capacity(TOGETHER * N);
    for some in all.chunks(TOGETHER) {
        part.clear();
        part.extend(some.iter().flat_map(&bytes));
        out.write_all(&part)?;
    }
    Ok(())
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
