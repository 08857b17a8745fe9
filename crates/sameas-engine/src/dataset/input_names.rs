//! The names of inputs: what `source_dataset` says, and what results put before an id.

use std::collections::HashSet;

/// Names by which the records of several inputs cannot be confused.
///
/// Results call a record `name:id`, and `a:b:1` must not be a record of `a` and one of `a:b`. Where that could be, the
/// names get different endings. Then none is another, nor begins with another and a colon:
///
/// - A name that is kept is no other name, and neither it and a colon begin another name nor the other way round. An
///   ending has no colon, so that is so for names with endings too, unless one of these and a colon begins the name.
/// - A name with an ending is taken only if it is no name, given or taken, and if it and a colon begin none that was given.
pub fn unambiguous(given: &[&str]) -> Vec<String> {
    let before_colons: HashSet<&str> = given.iter().flat_map(|name| prefixes(name)).collect();
    let mut known: HashSet<&str> = HashSet::new();
    let repeated: HashSet<&str> = given.iter().copied().filter(|name| !known.insert(name)).collect();
    let may_be_confused = |name: &str| {
        repeated.contains(name) || before_colons.contains(name) || prefixes(name).any(|prefix| known.contains(prefix))
    };
    let mut taken: HashSet<String> = HashSet::new();
    let mut name = |(place, name): (usize, &&str)| {
        if !may_be_confused(name) {
            return (*name).to_owned();
        }
        let ending = match (given.len(), place) {
            (2, 0) => "_l".to_owned(),
            (2, _) => "_r".to_owned(),
            _ => format!("_{}", place + 1),
        };
        let mut with_ending = format!("{name}{ending}");
        while known.contains(&*with_ending) || before_colons.contains(&*with_ending) || taken.contains(&with_ending) {
            with_ending += &ending;
        }
        taken.insert(with_ending.clone());
        with_ending
    };
    given.iter().enumerate().map(&mut name).collect()
}

/// What stands before each colon of a name.
fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices(':').map(|(at, _)| &name[..at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_names_that_need_it_get_endings() {
        assert_eq!(unambiguous(&["a", "b", "a:c"]), ["a_1", "b", "a:c_3"]);
        assert_eq!(unambiguous(&["x", "x", "y", "x"]), ["x_1", "x_2", "y", "x_4"]);
        assert_eq!(unambiguous(&["x", "x_2", "x"]), ["x_1", "x_2", "x_3"]);
        assert_eq!(unambiguous(&["x", "x", "x_1"]), ["x_1_1", "x_2", "x_1"]);
        assert_eq!(unambiguous(&["a", "a"]), ["a_l", "a_r"]);
        assert_eq!(unambiguous(&["a", "a:b"]), ["a_l", "a:b_r"]);
        assert_eq!(unambiguous(&["a", "ab", "a_1:c"]), ["a", "ab", "a_1:c"]);
        assert_eq!(unambiguous(&["people"]), ["people"]);
    }

    proptest! {
        #[test]
        fn no_name_is_another_or_begins_with_it_and_a_colon(
            given in prop::collection::vec("[a_1:]{1,5}|a|a:a|a_1|a_1:a|a:a_2", 1..7)
        ) {
            let given: Vec<&str> = given.iter().map(String::as_str).collect();
            let names = unambiguous(&given);
            for (at, name) in names.iter().enumerate() {
                for (other_at, other) in names.iter().enumerate().filter(|(other, _)| *other != at) {
                    prop_assert_ne!(name, other);
                    prop_assert!(!other.starts_with(&format!("{name}:")), "{at} {other_at} {names:?}");
                }
            }
        }
    }
}
