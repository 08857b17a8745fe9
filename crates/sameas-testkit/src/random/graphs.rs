//! Random graphs: shapes with known troubles, in any numbering.

use crate::rng::Rng;

/// A graph: its edges, in any order and with repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// What it is like.
    pub name: String,
    /// From where to where.
    pub edges: Vec<(u32, u32)>,
}

/// A shape: the edges of some vertices, numbered from zero.
type Shape = fn(&mut Rng, u32) -> Vec<(u32, u32)>;

/// Every shape with its name.
const SHAPES: [(&str, Shape); 12] = [
    ("chain", |_, n| (1..n).map(|at| (at - 1, at)).collect()),
    ("cycle", |_, n| (0..n).map(|at| (at, (at + 1) % n)).collect()),
    ("star outwards", |_, n| (1..n).map(|at| (0, at)).collect()),
    ("star inwards", |_, n| (1..n).map(|at| (at, 0)).collect()),
    ("clique", |_, n| pairs(n.min(24)).filter(|(from, to)| from != to).collect()),
    ("zipf", zipf),
    ("two components", two_components),
    ("sparse", |rng, n| (0..n + n / 4).map(|_| (vertex(rng, n), vertex(rng, n))).collect()),
    ("acyclic", |rng, n| (0..2 * n).map(|_| ordered(vertex(rng, n), vertex(rng, n))).filter(|(a, b)| a < b).collect()),
    ("tree", |rng, n| (1..n).map(|at| (vertex(rng, at), at)).collect()),
    ("cycles in a chain", |_, n| {
        (1..n).map(|at| (at - 1, at)).chain((4..n).step_by(4).map(|at| (at, at - 3))).collect()
    }),
    ("only self-loops", |_, n| (0..n).map(|at| (at, at)).collect()),
];

/// Numbers of vertices around the widths of warps, words and slices.
const SIZES: [u32; 12] = [1, 2, 3, 31, 32, 33, 63, 64, 65, 129, 257, 520];

/// The graph of a seed.
pub fn graph(seed: u64) -> Graph {
    graph_from(&mut Rng::new(seed), 40)
}

/// A graph of mostly up to `most` vertices, sometimes of an edge's number.
pub fn graph_from(rng: &mut Rng, most: u32) -> Graph {
    let vertices = match rng.below(20) {
        0 => 0,
        1 | 2 => *rng.pick(&SIZES[..9]),
        3 => *rng.pick(&SIZES[9..11]),
        _ => rng.between(1, most.into()) as u32,
    };
    let (name, shape) = *rng.pick(&SHAPES);
    changed(rng, name, shape, if vertices > most { vertices.min(4 * most) } else { vertices })
}

/// Every shape in some sizes, and what has no shape.
pub fn edges() -> Vec<Graph> {
    let sized = SHAPES.iter().flat_map(|(name, shape)| SIZES.iter().map(move |size| (name, shape, *size)));
    let of = |(name, shape, size): (&&str, &Shape, u32)| Graph {
        name: format!("{name} of {size}"),
        edges: shape(&mut Rng::new(size.into()), size),
    };
    let mut all: Vec<Graph> = sized.map(of).collect();
    let end = u32::MAX;
    let last = [(end, end - 1), (end - 1, 0), (0, end), (end, end), (1 << 31, (1 << 31) - 1)];
    all.extend([
        Graph { name: "no edge".to_owned(), edges: Vec::new() },
        Graph { name: "one edge".to_owned(), edges: vec![(7, 3)] },
        Graph { name: "the last numbers".to_owned(), edges: last.into() },
        Graph { name: "one edge many times".to_owned(), edges: vec![(1, 2); 300] },
    ]);
    all
}

/// The shape with loops, repetitions, another order and other numbers.
fn changed(rng: &mut Rng, name: &str, shape: Shape, vertices: u32) -> Graph {
    let mut edges = if vertices == 0 { Vec::new() } else { shape(rng, vertices) };
    if rng.percent(30) {
        edges.extend((0..vertices).filter(|_| rng.percent(20)).map(|at| (at, at)));
    }
    if rng.percent(50) && !edges.is_empty() {
        let again: Vec<(u32, u32)> = (0..edges.len() / 2 + 1).map(|_| *rng.pick(&edges)).collect();
        edges.extend(again);
    }
    if rng.percent(25) {
        edges.iter_mut().for_each(|edge| *edge = (edge.1, edge.0));
    }
    if rng.percent(50) {
        shuffle(rng, &mut edges);
    }
    let (numbering, numbers) = numbering(rng, vertices);
    let edges = edges.iter().map(|(from, to)| (numbers[*from as usize], numbers[*to as usize])).collect();
    Graph { name: format!("{name} of {vertices}, {numbering}"), edges }
}

/// What the vertices are called.
fn numbering(rng: &mut Rng, vertices: u32) -> (&'static str, Vec<u32>) {
    let mut numbers: Vec<u32> = (0..vertices).collect();
    match rng.below(5) {
        0 | 1 => ("in order", numbers),
        2 => {
            shuffle(rng, &mut numbers);
            ("shuffled", numbers)
        }
        3 => {
            let apart = u32::MAX / vertices.max(2).saturating_sub(1);
            ("far apart", numbers.iter().map(|at| at * apart).collect())
        }
        _ => ("from the last number down", numbers.iter().map(|at| u32::MAX - at).collect()),
    }
}

fn shuffle<T>(rng: &mut Rng, items: &mut [T]) {
    for at in (1..items.len()).rev() {
        items.swap(at, rng.below(at + 1));
    }
}

fn vertex(rng: &mut Rng, vertices: u32) -> u32 {
    rng.below(vertices as usize) as u32
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

fn pairs(n: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..n).flat_map(move |from| (0..n).map(move |to| (from, to)))
}

/// Few vertices have most of the edges.
fn zipf(rng: &mut Rng, n: u32) -> Vec<(u32, u32)> {
    let skewed = |rng: &mut Rng| ((f64::from(n) + 1.0).powf(rng.unit()) as u32 - 1).min(n - 1);
    (0..n + n / 2).map(|_| (skewed(rng), vertex(rng, n))).collect()
}

/// A cycle and a chain apart from each other.
fn two_components(_: &mut Rng, n: u32) -> Vec<(u32, u32)> {
    let half = n.div_ceil(2);
    let cycle = (0..half).map(|at| (at, (at + 1) % half));
    cycle.chain((half + 1..n).map(|at| (at - 1, at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_seed_determines_the_graph() {
        assert_eq!(graph(3), graph(3));
        assert_ne!(graph(3), graph(4));
    }

    #[test]
    fn troubles_are_drawn() {
        let graphs: Vec<Graph> = (0..300).map(graph).collect();
        let any = |test: &dyn Fn(&Graph) -> bool| graphs.iter().filter(|graph| test(graph)).count() >= 10;
        let distinct = |graph: &Graph| graph.edges.iter().collect::<BTreeSet<_>>().len();
        assert!(any(&|graph| graph.edges.is_empty()));
        assert!(any(&|graph| graph.edges.iter().any(|(from, to)| from == to)));
        assert!(any(&|graph| distinct(graph) < graph.edges.len()));
        assert!(any(&|graph| graph.edges.iter().any(|(from, to)| *from.max(to) == u32::MAX)));
        assert!(graphs.iter().all(|graph| graph.edges.len() < 2000));
    }
}
