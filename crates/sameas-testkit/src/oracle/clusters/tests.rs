//! Known answers.

use super::*;

fn case(rows: usize, edges: &[(usize, usize, i64)], method: Method) -> ClusterCase {
    let edge = |(l, r, quarters): &(usize, usize, i64)| WeightedEdge {
        rows: [*l, *r],
        strength: Strength::Other,
        quarters: Some(*quarters),
        rule: 0,
    };
    ClusterCase {
        rows,
        edges: edges.iter().map(edge).collect(),
        threshold: None,
        method,
        max_size: None,
        forbidden: Vec::new(),
        apart: Vec::new(),
        sources: vec![0; rows],
        limits: Vec::new(),
        density: None,
    }
}

const CHAIN: [(usize, usize, i64); 4] = [(0, 1, 8), (1, 2, 6), (2, 3, 4), (3, 4, 2)];

#[test]
fn a_chain_is_cut_as_each_definition_says() {
    let chain = |method| case(5, &CHAIN, method);
    let first_rows = |case: &ClusterCase| clusters(case).unwrap().first_rows;
    assert_eq!(first_rows(&chain(Method::Components)), [0; 5]);
    assert_eq!(first_rows(&ClusterCase { threshold: Some(4), ..chain(Method::Components) }), [0, 0, 0, 0, 4]);
    assert_eq!(first_rows(&chain(Method::Average(3))), [0, 0, 2, 2, 4]);
    assert_eq!(first_rows(&chain(Method::Complete(1))), [0, 0, 2, 2, 4]);
    assert_eq!(first_rows(&ClusterCase { max_size: Some(3), ..chain(Method::Components) }), [0, 0, 0, 3, 3]);
    assert_eq!(first_rows(&ClusterCase { density: Some(2), ..chain(Method::Components) }), [0, 0, 0, 3, 3]);
    let sources = vec![0, 1, 0, 1, 0];
    assert_eq!(first_rows(&ClusterCase { sources, ..chain(Method::Optimal) }), [0, 0, 2, 2, 4]);
    let kept = ClusterCase { forbidden: vec![[2, 0]], ..chain(Method::Components) };
    let found = clusters(&kept).unwrap();
    assert_eq!((found.first_rows, found.cut), (vec![0, 0, 2, 2, 2], vec![([1, 2], Cause::Forbidden([0, 2]))]));
}

#[test]
fn communities_are_where_weights_are() {
    let triangles = [(0, 1, 4), (0, 2, 4), (1, 2, 4), (3, 4, 4), (3, 5, 4), (4, 5, 4), (2, 3, 4)];
    assert_eq!(clusters(&case(6, &triangles, Method::Louvain)).unwrap().first_rows, [0, 0, 0, 3, 3, 3]);
    assert_eq!(clusters(&case(2, &[(0, 1, -4)], Method::Louvain)).unwrap().first_rows, [0, 1]);
}
