//! Conditions on one value that exclude each other, or leave nothing out.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::DoubtKind;
use super::constant::Constant;
use super::numbers::difference;
use super::walk::{DoubtWalk, is_comparison, mirrored, wanted};
use crate::expr::{Expr, ExprKind, Function, Num, Span};

/// A value compared with a constant.
struct ConstantBound<'e> {
    of: &'e Expr,
    function: Function,
    constant: Constant<'e>,
    span: Span,
}

impl<'e> ConstantBound<'e> {
    /// The bound that a condition is where it must be `want`.
    fn from_condition(expr: &'e Expr, want: bool) -> Option<Self> {
        match &expr.kind {
            ExprKind::Call(Function::Not, args) => Self::from_condition(&args[0], !want),
            ExprKind::Call(function, args) if is_comparison(*function) => {
                let [a, b] = &args[..] else { return None };
                let (of, constant, function) = match (Constant::from_expr(a), Constant::from_expr(b)) {
                    (None, Some(constant)) => (a, constant, *function),
                    (Some(constant), None) => (b, constant, mirrored(*function)),
                    _ => return None,
                };
                Some(Self { of, function: wanted(function, want), constant, span: expr.span })
            }
            _ => None,
        }
    }

    fn bounds_below(&self) -> bool {
        matches!(self.function, Function::Greater | Function::GreaterEqual | Function::Equal)
    }

    fn bounds_above(&self) -> bool {
        matches!(self.function, Function::Less | Function::LessEqual | Function::Equal)
    }

    fn is_strict(&self) -> bool {
        matches!(self.function, Function::Less | Function::Greater)
    }
}

/// The bounds among some conditions, by the values they are about.
fn bounds<'e>(args: impl IntoIterator<Item = &'e Expr>, want: bool) -> BTreeMap<String, Vec<ConstantBound<'e>>> {
    let mut found: BTreeMap<String, Vec<ConstantBound<'e>>> = BTreeMap::new();
    for bound in args.into_iter().filter_map(|arg| ConstantBound::from_condition(arg, want)) {
        found.entry(bound.of.canonical()).or_default().push(bound);
    }
    found
}

/// The conditions that must all hold where this one must be `want`: those of `between`, or itself.
fn parts_of(arg: &Expr, want: bool) -> &[Expr] {
    match &arg.kind {
        ExprKind::Call(Function::And, parts) if want => parts,
        ExprKind::Call(Function::Or, parts) if !want => parts,
        _ => std::slice::from_ref(arg),
    }
}

impl DoubtWalk<'_> {
    /// Conditions that must all hold.
    pub(super) fn all_of(&mut self, args: &[Expr], want: bool) {
        for about_one in bounds(args.iter().flat_map(|arg| parts_of(arg, want)), want).values() {
            self.empty_interval(about_one);
        }
        self.signed_differences(args, want);
    }

    /// The greatest lower end against the least upper one.
    fn empty_interval(&mut self, bounds: &[ConstantBound<'_>]) {
        let low = tightest(bounds.iter().filter(|bound| bound.bounds_below()), Ordering::Greater);
        let high = tightest(bounds.iter().filter(|bound| bound.bounds_above()), Ordering::Less);
        let (Some(low), Some(high)) = (low, high) else { return };
        let excluded = match low.constant.order(high.constant) {
            Some(Ordering::Greater) => true,
            Some(Ordering::Equal) => low.is_strict() || high.is_strict(),
            _ => false,
        };
        if !excluded {
            return;
        }
        let value = self.shown(low.of.span);
        if low.span == high.span {
            let why = format!("no `{value}` is both at least the first and at most the second");
            self.never(DoubtKind::Contradiction, low.span, &why, "exchange the two ends".to_owned());
            return;
        }
        let (first, second) = if low.span.start < high.span.start { (low, high) } else { (high, low) };
        let why = format!("`{}` excludes it", self.shown(first.span));
        let help = format!("a `{value}` cannot satisfy both; if one of them is enough, write `or`");
        self.never(DoubtKind::Contradiction, second.span, &why, help);
    }

    /// Conditions of which one is enough.
    pub(super) fn any_of(&mut self, args: &[Expr], want: bool) {
        for about_one in bounds(args, want).values() {
            self.nothing_left_out(about_one);
        }
        self.opposites(args, want);
        args.iter().for_each(|arg| self.signed_differences(std::slice::from_ref(arg), want));
    }

    fn nothing_left_out(&mut self, bounds: &[ConstantBound<'_>]) {
        let mut unequal = bounds.iter().filter(|bound| bound.function == Function::NotEqual);
        if let Some(first) = unequal.next()
            && let Some(other) =
                unequal.find(|other| matches!(first.constant.order(other.constant), Some(o) if o.is_ne()))
        {
            let why = format!("what equals one of the two differs from `{}` or from the other", self.shown(first.span));
            let help = "to exclude both, write `and`, or `not in (...)`".to_owned();
            self.always(DoubtKind::Tautology, other.span, &why, help);
            return;
        }
        let up = bounds.iter().filter(|b| matches!(b.function, Function::Greater | Function::GreaterEqual));
        let down = bounds.iter().filter(|b| matches!(b.function, Function::Less | Function::LessEqual));
        let (Some(up), Some(down)) = (tightest(up, Ordering::Less), tightest(down, Ordering::Greater)) else { return };
        let covers = match up.constant.order(down.constant) {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => !(up.is_strict() && down.is_strict()),
            _ => false,
        };
        if covers && up.span != down.span {
            let (first, second) = if up.span.start < down.span.start { (up, down) } else { (down, up) };
            let why = format!("where it does not, `{}` does", self.shown(first.span));
            self.always(DoubtKind::Tautology, second.span, &why, "if both must hold, write `and`".to_owned());
        }
    }

    /// `p or not p`.
    fn opposites(&mut self, args: &[Expr], want: bool) {
        let mut seen: HashMap<String, Span> = HashMap::new();
        for arg in args {
            let Some((true_form, false_form)) = both_forms(arg, want) else { continue };
            if let Some(first) = seen.get(&false_form) {
                let why = format!("where it does not, `{}` does", self.shown(*first));
                self.always(DoubtKind::Tautology, arg.span, &why, "leave both out, or compare other values".to_owned());
            }
            seen.insert(true_form, arg.span);
        }
    }

    /// Differences with an end on one side only, `l.x - r.x <= 5`.
    pub(super) fn signed_differences(&mut self, args: &[Expr], want: bool) {
        let all: Vec<&Expr> = args.iter().flat_map(|arg| parts_of(arg, want)).collect();
        let bounds = all.iter().filter_map(|part| ConstantBound::from_condition(part, want));
        let found: Vec<ConstantBound<'_>> = bounds.filter(|bound| difference(bound.of).is_some()).collect();
        // A difference that has another bound, either way round, is meant as it is.
        let mut known: HashSet<String> = HashSet::new();
        let mut repeated: HashSet<String> = HashSet::new();
        for bound in &found {
            let key = unordered(bound.of);
            if !known.insert(key.clone()) {
                repeated.insert(key);
            }
        }
        for bound in found.iter().filter(|bound| !repeated.contains(&unordered(bound.of))) {
            self.signed_difference(bound);
        }
    }

    fn signed_difference(&mut self, bound: &ConstantBound<'_>) {
        let Constant::Number(number) = bound.constant else { return };
        let zero = Num::Int(0);
        let is_open = match bound.function {
            Function::Less | Function::LessEqual => number > zero,
            Function::Greater | Function::GreaterEqual => number < zero,
            _ => false,
        };
        if !is_open {
            return;
        }
        let shown = self.shown(bound.of.span);
        let message = format!("`{shown}` may be negative, and however far from 0 it is, this holds");
        let sign = if matches!(bound.function, Function::Less | Function::Greater) { "<" } else { "<=" };
        let distance = number.to_text();
        let help = format!(
            "if the two must be near each other, write `abs({shown}) {sign} {}`",
            distance.trim_start_matches('-')
        );
        self.warn(DoubtKind::SignedDifference, bound.span, message, help);
    }
}

/// A difference whichever way round it is.
fn unordered(of: &Expr) -> String {
    let mut parts: Vec<String> = difference(of).map_or(Vec::new(), |parts| parts.map(Expr::canonical).to_vec());
    parts.sort();
    parts.join("\n")
}

/// The bound whose constant comes first in that order; of equal ones a strict one.
fn tightest<'b, 'e>(
    bounds: impl Iterator<Item = &'b ConstantBound<'e>>,
    order: Ordering,
) -> Option<&'b ConstantBound<'e>> {
    bounds.reduce(|best, next| match next.constant.order(best.constant) {
        Some(found) if found == order => next,
        Some(Ordering::Equal) if next.is_strict() && !best.is_strict() => next,
        _ => best,
    })
}

/// A condition of two values as it must be, and its opposite, as texts.
fn both_forms(expr: &Expr, want: bool) -> Option<(String, String)> {
    match &expr.kind {
        ExprKind::Call(Function::Not, args) => both_forms(&args[0], !want),
        ExprKind::Call(function, args) if is_comparison(*function) => {
            let form = |want| {
                let kind = ExprKind::Call(wanted(*function, want), args.clone());
                Expr { kind, ty: expr.ty, span: expr.span }.canonical()
            };
            Some((form(want), form(!want)))
        }
        ExprKind::Call(..) => {
            let form = |want| format!("{want} {}", expr.canonical());
            Some((form(want), form(!want)))
        }
        _ => None,
    }
}
