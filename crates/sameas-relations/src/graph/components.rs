//! Connected components of a list of edges, whatever their direction.

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::union_find::Components;

/// Edges between two checks whether the job goes on.
const EDGES_AT_A_TIME: usize = 1 << 14;

/// For each vertex the first vertex of its component.
///
/// Edges are joined in two steps. When there have been as many as there are vertices, most of a connected graph hangs
/// together, and all vertices are attached to their roots: of the remaining edges nearly all have two ends with one parent,
/// which two loads tell.
pub fn connected_components(vertices: u32, pairs: &[[u32; 2]], cancel: Cancel<'_>) -> Vec<u32> {
    let _held = cancel.hold(4 * vertices as usize);
    let components = Components::new(vertices);
    let (first, rest) = pairs.split_at(pairs.len().min(vertices as usize));
    first.par_chunks(EDGES_AT_A_TIME).for_each(|some| {
        cancel.check();
        components.join_all(some);
    });
    if rest.len() > first.len() / 4 {
        components.flatten();
    }
    rest.par_chunks(EDGES_AT_A_TIME).for_each(|some| {
        cancel.check();
        some.iter().for_each(|[a, b]| components.join(*a, *b));
    });
    components.into_roots()
}

/// Numbers components by their first vertices: the number of the component of each vertex, and how many there are.
pub fn number_components(mut roots: Vec<u32>) -> (Vec<u32>, u32) {
    let mut components = 0;
    for vertex in 0..roots.len() {
        let root = roots[vertex] as usize;
        // A root comes before all others of its component and has its number already.
        roots[vertex] = if root == vertex {
            components += 1;
            components - 1
        } else {
            roots[root]
        };
    }
    (roots, components)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::testing::{naive_closure, random_graphs};

    #[test]
    fn components_are_what_edges_connect() {
        for (name, vertices, pairs) in random_graphs(8) {
            let both: Vec<[u32; 2]> = pairs.iter().flat_map(|[a, b]| [[*a, *b], [*b, *a]]).collect();
            let mut expected: Vec<u32> = (0..vertices).collect();
            for [from, to] in naive_closure(vertices, &both, true) {
                expected[from as usize] = expected[from as usize].min(to);
            }
            let roots = connected_components(vertices, &pairs, Cancel::NEVER);
            assert_eq!(roots, expected, "{name}");
            let (numbers, count) = number_components(roots.clone());
            let firsts: Vec<u32> = (0..vertices).filter(|v| roots[*v as usize] == *v).collect();
            assert_eq!(firsts.len() as u32, count);
            assert!((0..vertices as usize).all(|v| firsts[numbers[v] as usize] == roots[v]), "{name}");
        }
    }
}
