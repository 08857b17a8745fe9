//! The groups of a file that a text is in, for `in_list`.
//!
//! Two texts are equal or share a group if and only if their sets share an element: a set has the text itself, marked
//! with `=`, and its groups by number, marked with `#`. So `in_list` is `list_has_any` of two sets, and is joined as such.

use std::sync::Arc;

use crate::cancel::{Cancel, or_end};
use crate::expr::eval::{Arg, Args, Cell};
use crate::expr::{BESIDE_A_TEXT, ValueGroups, Vector};

/// The set of each text.
pub(crate) fn groups_of(value: &Arg, groups: &ValueGroups, rows: usize, cancel: Cancel<'_>) -> Arg {
    let rows = if value.is_constant() { 1 } else { rows };
    let (mut bytes, mut held) = (0, cancel.hold(0));
    let sets = Vector::TextList(
        (0..rows)
            .map(|row| {
                let Some(Cell::Text(text)) = value.cell(row) else { return None };
                let set = members(text, groups);
                bytes += set.iter().map(|member| BESIDE_A_TEXT + member.len()).sum::<usize>();
                or_end(held.grow(bytes));
                Some(set)
            })
            .collect(),
    );
    if value.is_constant() { Arg::constant(sets) } else { Arg::column(sets) }.held(cancel)
}

/// In order: `#` is before `=`, and numbers of one length are ordered as texts.
fn members(text: &str, groups: &ValueGroups) -> Arc<[Box<str>]> {
    let numbers = groups.containing(text).iter().map(|group| format!("#{group:08x}").into_boxed_str());
    numbers.chain([format!("={text}").into_boxed_str()]).collect()
}

/// The text that a set was made of, for readers.
pub fn shown_member(set: &[String]) -> Option<&str> {
    set.last()?.strip_prefix('=')
}

/// Without a file there are no groups: the sets are null.
pub(super) fn without_file(args: &Args<'_>) -> Vector {
    Vector::TextList(vec![None; args.rows()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Held;

    #[test]
    fn a_text_and_its_groups_are_a_set() {
        let mut groups = ValueGroups::new("names.csv", 0, 0, Held::default());
        for row in [&["Bill", "William", "Bill"][..], &["", "Will"], &["William", "Liam"]] {
            groups.add(row.iter().copied()).unwrap();
        }
        let shown = |text: &str| members(text, &groups).join(" ");
        assert_eq!(shown("Bill"), "#00000000 =Bill");
        assert_eq!(shown("William"), "#00000000 #00000002 =William");
        assert_eq!(shown("Ann"), "=Ann");
        assert_eq!(shown(""), "=");
        assert!(members("William", &groups).is_sorted());
        assert_eq!(shown_member(&["#00000000".into(), "=a=b".into()]), Some("a=b"));
    }
}
