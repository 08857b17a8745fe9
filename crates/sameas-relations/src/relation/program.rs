//! What a fixpoint evaluates: relations, rules over them, and the ways to join the atoms of a rule.

/// A relation has one to this many columns.
pub const MOST_COLUMNS: usize = 4;

/// Which relation: the number in which they were declared, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

/// A relation before it has tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationDeclaration {
    /// What messages call it.
    pub name: String,
    /// `domains[i]`: the values of column `i` are below it (at most 2^32).
    pub domains: Vec<u64>,
}

/// One place of an atom, a filter or a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable; its number means something within one variant and its rule's output only.
    Variable(u32),
    /// A value.
    Constant(u32),
    /// Whatever is there.
    Any,
}

/// A relation with a term for each of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// One for each column.
    pub terms: Vec<Term>,
}

/// How two terms compare, as unsigned numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermComparison {
    /// `=`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
}

impl TermComparison {
    /// Whether it holds.
    #[inline]
    pub fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Different => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
        }
    }
}

/// A condition on variables that atoms bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// A variable or a constant.
    pub left: Term,
    /// How they compare.
    pub comparison: TermComparison,
    /// A variable or a constant.
    pub right: Term,
}

/// One way to evaluate a rule: its atoms in the order in which they are joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Joined from the first to the last.
    pub atoms: Vec<Atom>,
    /// The atom that reads only the tuples of the last round. `None`: all read everything (the first round).
    pub delta: Option<usize>,
    /// Conditions on variables of the atoms.
    pub filters: Vec<Filter>,
    /// Negated atoms; their variables occur in the others.
    pub absent: Vec<Atom>,
}

/// A rule of a fixpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixpointRule {
    /// What messages and reports call it.
    pub name: String,
    /// The relation that it adds to.
    pub head: RelationId,
    /// A variable or a constant for each column of the head.
    pub output: Vec<Term>,
    /// Evaluated in the first round.
    pub first: Variant,
    /// Evaluated in every later round, one for each atom whose relation the fixpoint extends; that atom is its `delta`.
    pub recursive: Vec<Variant>,
}

impl Variant {
    /// The variables that atoms bind, in their order, once each.
    pub fn bound(&self) -> Vec<u32> {
        let mut bound = Vec::new();
        for term in self.atoms.iter().flat_map(|atom| &atom.terms) {
            if let Term::Variable(variable) = term
                && !bound.contains(variable)
            {
                bound.push(*variable);
            }
        }
        bound
    }
}
