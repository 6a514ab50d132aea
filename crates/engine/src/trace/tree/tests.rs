use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

fn forest(parent: &[Option<u32>]) -> Tree {
    let parents = parent.iter().map(|parent| parent.unwrap_or(NO_NODE)).collect();
    Tree::over(parents, &vec![false; parent.len()])
}

/// A tree of `count` nodes, each under one before it; the smaller the choice, the deeper.
fn trees() -> impl Strategy<Value = Vec<Option<u32>>> {
    let shapes = (1_usize..400, 1_u32..400);
    shapes.prop_flat_map(|(nodes, reach)| {
        let parent = move |node: u32| match node {
            0 => Just(None).boxed(),
            _ => (node.saturating_sub(reach)..node).prop_map(Some).boxed(),
        };
        (0..nodes as u32).map(parent).collect::<Vec<_>>()
    })
}

fn children(tree: &Tree, node: u32) -> Vec<u32> {
    let next = |&child: &u32| Some(tree.next[child as usize]).filter(|&child| child != NO_NODE);
    std::iter::successors(Some(tree.first[node as usize]).filter(|&child| child != NO_NODE), next).collect()
}

/// Nodes of one depth, from left to right, are a width apart at least.
fn assert_apart(tree: &Tree) {
    let mut levels: HashMap<u32, Vec<f32>> = HashMap::new();
    for node in 0..tree.x.len() {
        levels.entry(tree.depth[node]).or_default().push(tree.x[node]);
    }
    for level in levels.values_mut() {
        level.sort_by(f32::total_cmp);
        assert!(level.windows(2).all(|pair| pair[1] - pair[0] > 0.99), "{level:?}");
    }
    assert!(tree.x.iter().all(|x| *x >= 0.0) && tree.x.contains(&0.0));
}

/// The places of a subtree, as they lie from its root.
fn shape(tree: &Tree, root: u32) -> Vec<(u32, f32)> {
    let mut shape = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        let (at, from) = (node as usize, root as usize);
        shape.push((tree.depth[at] - tree.depth[from], tree.x[at] - tree.x[from]));
        waiting.extend(children(tree, node).into_iter().rev());
    }
    shape
}

proptest! {
    #[test]
    fn nodes_of_one_depth_do_not_overlap_and_parents_are_centred(parent in trees()) {
        let tree = forest(&parent);
        assert_apart(&tree);
        for node in 0..parent.len() as u32 {
            let below = children(&tree, node);
            if let (Some(&first), Some(&last)) = (below.first(), below.last()) {
                let middle = f32::midpoint(tree.x[first as usize], tree.x[last as usize]);
                prop_assert!((tree.x[node as usize] - middle).abs() < 0.01);
                prop_assert!(below.windows(2).all(|pair| tree.x[pair[0] as usize] < tree.x[pair[1] as usize]));
            }
            let size: u32 = below.iter().map(|&child| tree.size[child as usize]).sum();
            prop_assert_eq!(tree.size[node as usize], size + 1);
            prop_assert!(below.iter().all(|&child| tree.depth[child as usize] == tree.depth[node as usize] + 1));
        }
    }

    /// The same tree twice under one root, with anything between.
    #[test]
    fn equal_subtrees_are_drawn_alike(twin in trees(), between in trees()) {
        let mut parent = vec![None];
        let mut roots = Vec::new();
        for tree in [&twin, &between, &twin] {
            let from = parent.len() as u32;
            roots.push(from);
            parent.extend(tree.iter().map(|above| Some(above.map_or(0, |above| above + from))));
        }
        let tree = forest(&parent);
        assert_apart(&tree);
        let (left, right) = (shape(&tree, roots[0]), shape(&tree, roots[2]));
        prop_assert_eq!(left.len(), right.len());
        for (a, b) in left.iter().zip(&right) {
            prop_assert!(a.0 == b.0 && (a.1 - b.1).abs() < 0.01, "{:?} {:?}", a, b);
        }
    }

    /// Several roots, some of them marked: their trees stand apart, marked ones to the right of all others.
    #[test]
    fn trees_stand_side_by_side(trees in prop::collection::vec((trees(), any::<bool>()), 1..5)) {
        let (mut parent, mut backward) = (Vec::new(), Vec::new());
        for (tree, marked) in &trees {
            let from = parent.len() as u32;
            parent.extend(tree.iter().map(|above| above.map_or(NO_NODE, |above| above + from)));
            backward.extend(tree.iter().map(|_| *marked));
        }
        let tree = Tree::over(parent, &backward);
        assert_apart(&tree);
        let of = |marked: bool| (0..backward.len()).filter(|&node| backward[node] == marked).map(|node| tree.x[node]).collect::<Vec<_>>();
        let (plain, marked) = (of(false), of(true));
        let rightmost = plain.iter().copied().fold(0.0, f32::max);
        prop_assert!(plain.is_empty() || marked.iter().all(|&x| x > rightmost + 1.0));
    }
}

#[test]
fn small_trees_are_as_one_would_draw_them() {
    let tree = forest(&[None, Some(0), Some(0), Some(0), Some(2), Some(2)]);
    assert_eq!(tree.x, [1.0, 0.0, 1.0, 2.0, 0.5, 1.5]);
    assert_eq!(tree.depth, [0, 1, 1, 1, 2, 2]);
    assert_eq!(tree.size, [6, 1, 3, 1, 1, 1]);
    assert_eq!(Tree::over(Vec::new(), &[]), Tree::default());
}

#[test]
fn a_path_of_any_depth_is_a_line() {
    let nodes = 300_000;
    let parent: Vec<Option<u32>> = (0..nodes).map(|node: u32| node.checked_sub(1)).collect();
    let tree = forest(&parent);
    assert!(tree.x.iter().all(|x| *x == 0.0));
    assert_eq!((tree.depth[nodes as usize - 1], tree.size[0]), (nodes - 1, nodes));
}
