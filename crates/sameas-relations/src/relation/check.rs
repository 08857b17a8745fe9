//! Programs that mean nothing are refused before anything runs: unknown relations, wrong numbers of columns, variables
//! that nothing binds, values beyond their domain, negation through recursion.

use super::program::{Atom, FixpointRule, MOST_COLUMNS, RelationDeclaration, RelationId, Term, Variant};
use crate::error::{Error, Result};

/// Values are `u32`: a domain has at most this many.
const LARGEST_DOMAIN: u64 = 1 << 32;

/// Whether a relation can have these columns.
pub fn check_declaration(declaration: &RelationDeclaration) -> Result<()> {
    let (name, columns) = (&declaration.name, declaration.domains.len());
    if columns == 0 || columns > MOST_COLUMNS {
        let message = format!("relation `{name}` has {columns} columns; one to {MOST_COLUMNS} are possible");
        return Err(Error::usage(message).with_help("divide it into relations that share a column"));
    }
    match declaration.domains.iter().find(|domain| **domain > LARGEST_DOMAIN) {
        Some(domain) => Err(Error::usage(format!("relation `{name}` has a domain of {domain} values, beyond 2^32"))),
        None => Ok(()),
    }
}

/// Whether these columns can be tuples of a relation.
pub fn check_columns(declaration: &RelationDeclaration, columns: &[&[u32]]) -> Result<()> {
    let name = &declaration.name;
    if columns.len() != declaration.domains.len() {
        let (wanted, given) = (declaration.domains.len(), columns.len());
        return Err(Error::usage(format!("relation `{name}` has {wanted} columns, and tuples of {given} were given")));
    }
    if columns.iter().any(|column| column.len() != columns[0].len()) {
        return Err(Error::usage(format!("the columns given for relation `{name}` differ in length")));
    }
    for (column, domain) in columns.iter().zip(&declaration.domains) {
        if let Some(value) = column.iter().max().filter(|value| u64::from(**value) >= *domain) {
            return Err(Error::usage(format!("relation `{name}` has values below {domain}, and {value} was given")));
        }
    }
    Ok(())
}

/// Whether groups of one relation and their counts can be tuples of another.
pub fn check_groups(from: &RelationDeclaration, group: &[usize], into: &RelationDeclaration) -> Result<()> {
    let fits = |(at, column): (usize, &usize)| {
        from.domains.get(*column).zip(into.domains.get(at)).is_some_and(|(from, into)| from <= into)
    };
    if group.len() + 1 == into.domains.len() && group.iter().enumerate().all(fits) {
        return Ok(());
    }
    let (from, into) = (&from.name, &into.name);
    Err(Error::usage(format!("counts of `{from}` by columns {group:?} do not fit the columns of `{into}`")))
}

/// Whether rules can be evaluated together to a fixpoint.
pub fn check_rules(declarations: &[RelationDeclaration], rules: &[FixpointRule]) -> Result<()> {
    let mut heads: Vec<RelationId> = rules.iter().map(|rule| rule.head).collect();
    heads.sort_unstable();
    rules.iter().try_for_each(|rule| RuleChecker { declarations, heads: &heads, rule }.check())
}

/// Looks at one rule.
struct RuleChecker<'a> {
    declarations: &'a [RelationDeclaration],
    /// Ascending.
    heads: &'a [RelationId],
    rule: &'a FixpointRule,
}

impl RuleChecker<'_> {
    fn check(&self) -> Result<()> {
        self.check_variant(&self.rule.first)?;
        if self.rule.first.delta.is_some() {
            return self.wrong("reads only new tuples in the first round");
        }
        for variant in &self.rule.recursive {
            self.check_variant(variant)?;
            let delta = variant.delta.and_then(|delta| variant.atoms.get(delta));
            if !delta.is_some_and(|atom| self.is_head(atom)) {
                return self.wrong("has no atom that the fixpoint extends where it should read new tuples");
            }
        }
        Ok(())
    }

    fn check_variant(&self, variant: &Variant) -> Result<()> {
        variant.atoms.iter().chain(&variant.absent).try_for_each(|atom| self.check_atom(atom))?;
        if let Some(atom) = variant.absent.iter().find(|atom| self.is_head(atom)) {
            let name = &self.declarations[atom.relation.0 as usize].name;
            return self.wrong(&format!("negates `{name}`, which the same fixpoint extends"));
        }
        let bound = variant.bound();
        let is_bound = |term: &Term| match term {
            Term::Variable(variable) => bound.contains(variable),
            Term::Constant(_) => true,
            Term::Any => false,
        };
        let compared = variant.filters.iter().flat_map(|filter| [filter.left, filter.right]);
        let negated = variant.absent.iter().flat_map(|atom| atom.terms.iter().copied()).filter(|t| *t != Term::Any);
        if !compared.chain(negated).chain(self.rule.output.iter().copied()).all(|term| is_bound(&term)) {
            return self.wrong("uses a variable that none of its atoms binds");
        }
        self.check_output(variant)
    }

    fn is_head(&self, atom: &Atom) -> bool {
        self.heads.binary_search(&atom.relation).is_ok()
    }

    fn check_atom(&self, atom: &Atom) -> Result<()> {
        match self.declarations.get(atom.relation.0 as usize) {
            None => self.wrong(&format!("reads relation {}, which is not declared", atom.relation.0)),
            Some(declared) if declared.domains.len() != atom.terms.len() => {
                let (name, given, wanted) = (&declared.name, atom.terms.len(), declared.domains.len());
                self.wrong(&format!("gives `{name}` {given} terms; it has {wanted} columns"))
            }
            Some(_) => Ok(()),
        }
    }

    /// The values of each variable must be below the domain of the column that it becomes.
    fn check_output(&self, variant: &Variant) -> Result<()> {
        let Some(head) = self.declarations.get(self.rule.head.0 as usize) else {
            return self.wrong("has a head that is not declared");
        };
        if head.domains.len() != self.rule.output.len() {
            return self.wrong(&format!("does not give one term for each column of `{}`", head.name));
        }
        let fits = |(term, domain): (&Term, &u64)| self.values_below(variant, *term) <= *domain;
        match self.rule.output.iter().zip(&head.domains).all(fits) {
            true => Ok(()),
            false => self.wrong(&format!("gives values beyond the domain of a column of `{}`", head.name)),
        }
    }

    /// What all values of a term are below.
    fn values_below(&self, variant: &Variant, term: Term) -> u64 {
        if let Term::Constant(value) = term {
            return u64::from(value) + 1;
        }
        let domains = |atom: &Atom| {
            let columns = &self.declarations[atom.relation.0 as usize].domains;
            let places = atom.terms.iter().zip(columns).filter(|(other, _)| **other == term);
            places.map(|(_, domain)| *domain).min()
        };
        variant.atoms.iter().filter_map(domains).min().unwrap_or(LARGEST_DOMAIN)
    }

    fn wrong(&self, what: &str) -> Result<()> {
        Err(Error::usage(format!("rule `{}` {what}", self.rule.name)))
    }
}
