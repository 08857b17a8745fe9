//! Small graphs of every shape, and their closure by the definition.

use std::collections::BTreeSet;

/// A generator of numbers that look random.
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }
}

/// A name, the number of vertices, and edges.
pub type TestGraph = (String, u32, Vec<[u32; 2]>);

/// Chains, cycles, stars, cliques, Zipf degrees, self-loops, repeated edges, two components, `rounds` of each.
pub fn random_graphs(rounds: u64) -> Vec<TestGraph> {
    let mut graphs = vec![("one loop".to_owned(), 1, vec![[0, 0]]), ("none".to_owned(), 0, Vec::new())];
    for seed in 0..rounds {
        let mut draw = Draw::new(seed);
        let n = 2 + draw.below(if seed % 4 == 0 { 300 } else { 40 });
        let mut add = |name: &str, vertices: u32, mut pairs: Vec<[u32; 2]>, draw: &mut Draw| {
            // Vertices have no order that fits the edges.
            let mut numbers: Vec<u32> = (0..vertices).collect();
            (1..numbers.len()).for_each(|at| numbers.swap(at, draw.below(at as u32 + 1) as usize));
            pairs.iter_mut().flatten().for_each(|vertex| *vertex = numbers[*vertex as usize]);
            graphs.push((format!("{name}, seed {seed}"), vertices, pairs));
        };
        add("chain", n, (1..n).map(|v| [v - 1, v]).collect(), &mut draw);
        add("cycle", n, (0..n).map(|v| [v, (v + 1) % n]).collect(), &mut draw);
        add("star out", n, (1..n).map(|v| [0, v]).collect(), &mut draw);
        add("star in", n, (1..n).map(|v| [v, 0]).collect(), &mut draw);
        let k = n.min(12);
        add("clique", k, (0..k * k).map(|at| [at / k, at % k]).filter(|[a, b]| a != b).collect(), &mut draw);
        let few: Vec<[u32; 2]> = (0..n).map(|_| [draw.below(n), draw.below(n)]).collect();
        add("random", n, few, &mut draw);
        let acyclic = (0..2 * n).map(|_| [draw.below(n), draw.below(n)]).map(|[a, b]| [a.max(b), a.min(b)]);
        let acyclic: Vec<_> = acyclic.filter(|[a, b]| a != b).collect();
        add("acyclic, repeated", n, [&acyclic[..], &acyclic[..]].concat(), &mut draw);
        let zipf: Vec<[u32; 2]> = (0..2 * n).map(|_| [n / (1 + draw.below(n)) % n, draw.below(n)]).collect();
        add("zipf", n, zipf, &mut draw);
        let loops: Vec<[u32; 2]> = (0..n).map(|v| if v % 3 == 0 { [v, v] } else { [v, v - 1] }).collect();
        add("self-loops", n, loops, &mut draw);
        let two: Vec<[u32; 2]> = (0..n).flat_map(|v| [[v, (v + 1) % n], [n + v / 2, n + v]]).collect();
        add("two components", 2 * n, two, &mut draw);
    }
    graphs
}

/// All pairs that a path of at least one edge connects, ascending; with `reflexive` every vertex with itself, too.
pub fn naive_closure(vertices: u32, pairs: &[[u32; 2]], reflexive: bool) -> Vec<[u32; 2]> {
    let mut closure = BTreeSet::new();
    let mut next = vec![Vec::new(); vertices as usize];
    pairs.iter().for_each(|[from, to]| next[*from as usize].push(*to));
    for source in 0..vertices {
        let mut reached = vec![false; vertices as usize];
        let mut stack = vec![source];
        while let Some(at) = stack.pop() {
            for to in &next[at as usize] {
                if !std::mem::replace(&mut reached[*to as usize], true) {
                    stack.push(*to);
                }
            }
        }
        closure.extend((0..vertices).filter(|to| reached[*to as usize]).map(|to| [source, to]));
        closure.extend(reflexive.then_some([source, source]));
    }
    closure.into_iter().collect()
}
