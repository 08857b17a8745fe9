//! The execution tree of a branch: conjunctions that begin with the same checks share them.
//!
//! As in HyperBlocker (section 4.2): a path for each conjunction, its checks in the order of their worth; common
//! prefixes are one path; the score of an edge is the probability of the best witness below it, and the edge with the
//! highest score is walked first. The walk is fixed once the tree is, so it is flattened into steps.

use crate::rules::Literal;
use crate::verify::Step;

/// A conjunction on its way into the tree.
#[derive(Clone, Debug)]
pub struct CheckLine {
    /// What is left to check, in order.
    pub literals: Vec<Literal>,
    /// The probability that a candidate satisfies all of it.
    pub witness: f64,
}

/// The order in which the edges below a node are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeOrder {
    /// The highest score first.
    ByScore,
    /// In the order of the rules.
    AsWritten,
}

#[derive(Default)]
struct Node {
    literal: Option<Literal>,
    children: Vec<usize>,
    complete: Vec<usize>,
    score: f64,
}

/// The steps of the tree of some conjunctions, which are named by their place, and those with nothing to check.
pub fn flatten(lines: &[CheckLine], order: EdgeOrder) -> (Vec<Step>, Vec<usize>) {
    let mut tree = Tree { nodes: vec![Node::default()] };
    lines.iter().enumerate().for_each(|(place, line)| tree.add(place, line));
    if order == EdgeOrder::ByScore {
        tree.sort();
    }
    let steps = tree.walk();
    (steps, std::mem::take(&mut tree.nodes[0].complete))
}

struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Goes down as far as the edges are there, and adds the others.
    fn add(&mut self, place: usize, line: &CheckLine) {
        let mut at = 0;
        for literal in &line.literals {
            let known = self.nodes[at].children.iter().find(|child| self.nodes[**child].literal == Some(*literal));
            let next = known.copied().unwrap_or_else(|| {
                self.nodes.push(Node { literal: Some(*literal), ..Node::default() });
                let new = self.nodes.len() - 1;
                self.nodes[at].children.push(new);
                new
            });
            let score = &mut self.nodes[next].score;
            *score = score.max(line.witness);
            at = next;
        }
        self.nodes[at].complete.push(place);
    }

    fn sort(&mut self) {
        let scores: Vec<f64> = self.nodes.iter().map(|node| node.score).collect();
        let by_score = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]);
        self.nodes.iter_mut().for_each(|node| node.children.sort_by(by_score));
    }

    /// Depth first, and without recursion: a conjunction may have any number of checks.
    fn walk(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::with_capacity(self.nodes.len());
        // Steps whose subtrees are being walked, and what is left to walk: nodes with their depths.
        let mut open: Vec<usize> = Vec::new();
        let mut rest: Vec<(usize, usize)> = self.below(0, 0).collect();
        while let Some((node, depth)) = rest.pop() {
            let end = steps.len();
            open.drain(depth..).for_each(|at| steps[at].skip = end);
            let Node { literal: Some(literal), complete, .. } = &self.nodes[node] else { continue };
            open.push(end);
            steps.push(Step { literal: *literal, depth, skip: 0, complete: complete.clone() });
            rest.extend(self.below(node, depth + 1));
        }
        let end = steps.len();
        open.into_iter().for_each(|at| steps[at].skip = end);
        steps
    }

    /// The nodes below a node, the last one first.
    fn below(&self, node: usize, depth: usize) -> impl Iterator<Item = (usize, usize)> {
        self.nodes[node].children.iter().rev().map(move |child| (*child, depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The predicates of HyperBlocker's running example.
    const SNAME: usize = 0;
    const PRICE: usize = 1;
    const PNAME: usize = 2;
    const COLOR: usize = 3;
    const DESCRIPTION: usize = 4;
    const ADDRESS: usize = 5;

    fn line(predicates: &[usize], witness: f64) -> CheckLine {
        let literals = predicates.iter().map(|predicate| Literal { predicate: *predicate, want: true }).collect();
        CheckLine { literals, witness }
    }

    fn shown(steps: &[Step]) -> Vec<(usize, usize, usize, Vec<usize>)> {
        steps.iter().map(|step| (step.depth, step.literal.predicate, step.skip, step.complete.clone())).collect()
    }

    /// Examples 5, 7 and 8: phi_1 and phi_2 share the edge of the shop's name, whose score is the better of 0.048 and
    /// 0.08; phi_2, phi_1 and phi_3 are walked in this order.
    #[test]
    fn the_tree_of_the_running_example() {
        let phi_1 = line(&[SNAME, PRICE, PNAME, COLOR], 0.048);
        let (phi_2, phi_3) = (line(&[SNAME, DESCRIPTION], 0.4 * 0.2), line(&[ADDRESS, DESCRIPTION], 0.05));
        let (steps, settled) = flatten(&[phi_1.clone(), phi_2.clone(), phi_3.clone()], EdgeOrder::ByScore);
        let expected = [
            (0, SNAME, 5, vec![]),
            (1, DESCRIPTION, 2, vec![1]),
            (1, PRICE, 5, vec![]),
            (2, PNAME, 5, vec![]),
            (3, COLOR, 5, vec![0]),
            (0, ADDRESS, 7, vec![]),
            (1, DESCRIPTION, 7, vec![2]),
        ];
        assert_eq!(shown(&steps), expected);
        assert!(settled.is_empty());
        let (steps, _) = flatten(&[phi_3, phi_1, phi_2], EdgeOrder::AsWritten);
        let walked: Vec<usize> = steps.iter().flat_map(|step| step.complete.clone()).collect();
        assert_eq!(walked, [0, 1, 2], "as written");
    }

    #[test]
    fn a_line_may_end_where_another_goes_on_and_an_empty_one_is_settled() {
        let (steps, settled) = flatten(&[line(&[1, 2], 0.1), line(&[1], 0.9), line(&[], 1.0)], EdgeOrder::ByScore);
        assert_eq!(shown(&steps), [(0, 1, 2, vec![1]), (1, 2, 2, vec![0])]);
        assert_eq!(settled, [2]);
    }
}
