//! Which of some members belong together, by what is said of two of them at a time.

/// Union-find over numbered members, one after the other: a few of them, of rules and columns. Rows have [`Components`].
///
/// [`Components`]: super::union_find::Components
#[derive(Debug, Default)]
pub struct DisjointSets {
    parent: Vec<usize>,
}

impl DisjointSets {
    /// Adds a member, in a set of its own.
    pub fn add(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.parent.len() - 1
    }

    /// The first member of a set. The way there is halved, so that long ones do not stay long.
    pub fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    /// Makes one set of the sets of two members.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// The members of each set, ascending; the sets in the order of their first members.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.parent.len()];
        // A parent comes before its children, so its root is known.
        let mut roots: Vec<usize> = Vec::with_capacity(self.parent.len());
        for (member, parent) in self.parent.iter().enumerate() {
            let root = if *parent == member { member } else { roots[*parent] };
            roots.push(root);
            groups[root].push(member);
        }
        groups.retain(|g| !g.is_empty());
        groups
    }
}
