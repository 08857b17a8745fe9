//! Constraints, in one pass over the edges of a component.
//!
//! **Definition.** Edges, the strongest first, unite the clusters of their ends unless a constraint refuses: too many
//! records, a pair decided to be different, a forbidden pair, too many records or values of a limit. Edges of decisions come
//! first and are not refused; what they hold together is checked, and pairs inside are forbidden by decisions alone. The cause of a
//! cut edge is the first constraint that refuses the union of the two clusters that the pass has left of its ends.
//!
//! **Argument.** A constraint that two clusters break, all larger clusters with them break too. So a refusal holds for good: an edge
//! is looked at once, what refused it refuses the union of the clusters that are left, too, unless a constraint does that is asked
//! before it, and a component that breaks no constraint is one cluster without a pass (`settled`). An edge that unites nothing changes
//! nothing: so all cores may leave such edges out beforehand (`pass`), and find their causes in the end (`causes`).
//!
//! **Cost.** For m edges, n records and f forbidden pairs O(m + (n + f) log n): each record knows its cluster, and which clusters may
//! not be united is found under both numbers (`refusals`). On a union the records and refusals of the lighter cluster are moved, so that
//! each is moved at most log n times. Values are moved in the same way. A limit is asked with the fewer values of the two clusters:
//! for each edge where these are a few, and otherwise once for each two clusters, because what is refused then is remembered
//! (`unions`). Edges that are cut stay where they are, with the cause in place of the weight.

mod causes;
mod counted;
mod decided;
mod growing;
mod pass;
mod refusals;
mod rounds;
mod settled;
mod unions;
mod value_counts;
mod values;

pub(crate) use counted::Constraints;
pub(crate) use pass::{constrain, most_bytes};
pub(crate) use settled::open_components;

#[cfg(test)]
mod tests {
    use crate::outcome::{ClusterConflict, Clusters, CutCause, CutEdge};
    use crate::rules::{ClusterLimit, ClusterRules, Counted, NO_VALUE, OneTo, RowFacts};
    use crate::testing::{clusters, scored, with_decided};

    /// A chain of five that is weakest at its end.
    const CHAIN: [(u32, u32, f64); 4] = [(0, 1, 4.0), (1, 2, 3.0), (2, 3, 2.0), (3, 4, 1.0)];

    fn chain(rules: &ClusterRules, facts: &RowFacts) -> Clusters {
        clusters(scored(5, &CHAIN), rules, facts).unwrap()
    }

    fn cut(rows: [u32; 2], cause: CutCause) -> CutEdge {
        CutEdge { rows, cause }
    }

    #[test]
    fn clusters_have_a_size() {
        let rules = ClusterRules { max_size: Some(2), ..ClusterRules::default() };
        let found = chain(&rules, &RowFacts::default());
        assert_eq!(found.first_rows, [0, 0, 2, 2, 4]);
        assert_eq!(found.cut, [cut([1, 2], CutCause::MaxSize), cut([3, 4], CutCause::MaxSize)]);
        let rules = ClusterRules { max_size: Some(5), ..rules };
        assert_eq!(chain(&rules, &RowFacts::default()).first_rows, [0; 5]);
    }

    #[test]
    fn forbidden_pairs_are_kept_apart() {
        let rules = ClusterRules { keep_apart: true, ..ClusterRules::default() };
        let facts = RowFacts { forbidden: vec![[3, 0], [4, 4], [2, 9]], ..RowFacts::default() };
        let edges = scored(10, &[&CHAIN[..], &[(0, 4, 0.5), (8, 9, 1.0)]].concat());
        let found = clusters(edges, &rules, &facts).unwrap();
        assert_eq!(found.first_rows, [0, 0, 0, 3, 3, 5, 6, 7, 8, 8]);
        let cause = CutCause::Forbidden { pair: [0, 3] };
        assert_eq!(found.cut, [cut([0, 4], cause), cut([2, 3], cause)]);
        let unasked = ClusterRules::default();
        assert_eq!(chain(&unasked, &RowFacts { forbidden: vec![[0, 3]], ..RowFacts::default() }).first_rows, [0; 5]);
    }

    #[test]
    fn limits_count_records_or_values() {
        let limited = |counted, most, values: [u32; 5]| {
            let limits = vec![ClusterLimit { counted, most }];
            let rules = ClusterRules { limits, ..ClusterRules::default() };
            chain(&rules, &RowFacts { values: vec![values.to_vec()], ..RowFacts::default() })
        };
        let found = limited(Counted::RecordsOfEach, 2, [7, NO_VALUE, 7, 8, 7]);
        assert_eq!(found.first_rows, [0, 0, 0, 0, 4]);
        assert_eq!(found.cut, [cut([3, 4], CutCause::Limit { limit: 0, value: 7 })]);
        let found = limited(Counted::DifferentValues, 2, [7, 8, NO_VALUE, 8, 6]);
        assert_eq!(found.first_rows, [0, 0, 0, 0, 4]);
        assert_eq!(found.cut, [cut([3, 4], CutCause::Limit { limit: 0, value: 6 })]);
        assert_eq!(limited(Counted::DifferentValues, 1, [5; 5]).first_rows, [0; 5]);
    }

    #[test]
    fn a_source_may_repeat() {
        let linked = |one_to| {
            let rules = ClusterRules { one_to: Some(one_to), ..ClusterRules::default() };
            chain(&rules, &RowFacts { sources: vec![0, 1, 1, 0, 1], ..RowFacts::default() })
        };
        let found = linked(OneTo::One);
        assert_eq!(found.first_rows, [0, 0, 2, 2, 4]);
        let [of_0, of_1] = [0, 1].map(|source| CutCause::OneTo { source });
        // When 2 was refused it had only source 1 in common with 0 and 1; the clusters that are left have both.
        assert_eq!(found.cut, [cut([1, 2], of_0), cut([3, 4], of_1)]);
        let found = linked(OneTo::Many { repeated: 1 });
        assert_eq!((found.first_rows, found.cut), (vec![0, 0, 0, 3, 3], vec![cut([2, 3], of_0)]));
    }

    #[test]
    fn a_decision_beats_what_is_forbidden() {
        let rules = ClusterRules { keep_apart: true, ..ClusterRules::default() };
        let facts = RowFacts { forbidden: vec![[0, 3], [0, 2]], ..RowFacts::default() };
        let edges = with_decided(scored(5, &CHAIN), &[[0, 3]]);
        assert_eq!(clusters(edges, &rules, &facts).unwrap().first_rows, [0, 0, 2, 0, 0]);
    }

    #[test]
    fn decided_pairs_are_apart_whatever_the_rules() {
        let facts = RowFacts { apart: vec![[1, 0], [4, 2]], ..RowFacts::default() };
        let found = chain(&ClusterRules::default(), &facts);
        assert_eq!(found.first_rows, [0, 1, 1, 1, 4]);
        let [first, second] = [[0, 1], [2, 4]].map(|pair| CutCause::DecidedApart { pair });
        assert_eq!(found.cut, [cut([0, 1], first), cut([3, 4], second)]);
    }

    #[test]
    fn contradictions_are_shown() {
        let facts = RowFacts { apart: vec![[4, 0]], ..RowFacts::default() };
        let edges = with_decided(scored(6, &CHAIN), &[[0, 1], [1, 5], [4, 5], [1, 2], [2, 3], [3, 4]]);
        let conflict = clusters(edges, &ClusterRules::default(), &facts).unwrap_err();
        assert_eq!(conflict, ClusterConflict::HeldTogether { chain: vec![0, 1, 5, 4] });

        let limit =
            |counted| ClusterRules { limits: vec![ClusterLimit { counted, most: 1 }], ..ClusterRules::default() };
        let facts = RowFacts { values: vec![vec![3, 3, 9, 9, 9]], ..RowFacts::default() };
        let held = || with_decided(scored(5, &CHAIN), &[[1, 2], [2, 3]]);
        let too_many = |rules: &ClusterRules| clusters(held(), rules, &facts).unwrap_err();
        let value = CutCause::Limit { limit: 0, value: 9 };
        let rows = vec![2, 3];
        assert_eq!(too_many(&limit(Counted::RecordsOfEach)), ClusterConflict::TooMany { limit: value, rows });
        let rows = vec![1, 2, 3];
        assert_eq!(too_many(&limit(Counted::DifferentValues)), ClusterConflict::TooMany { limit: value, rows });
        let rules = ClusterRules { max_size: Some(2), ..ClusterRules::default() };
        let rows = vec![1, 2, 3];
        assert_eq!(too_many(&rules), ClusterConflict::TooMany { limit: CutCause::MaxSize, rows });
    }
}
