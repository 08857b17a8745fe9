//! The ways to make clusters that can be compared.

use crate::rules::{ClusterSpec, MethodSpec, OneToSpec, SplitSpec};

/// A way to make clusters of pairs, at a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepMethod {
    /// `method = "components"`, of the pairs that reach the threshold.
    Components,
    /// The same with `one_to = "one"`.
    OneToOne,
    /// `method = "optimal"`, of the pairs that reach the threshold.
    Optimal,
    /// `method = "average"` of all pairs, with the threshold as `least`.
    Average,
    /// `method = "complete"` of all pairs, with the threshold as `least`.
    Complete,
    /// `method = "louvain"`, of the pairs that reach the threshold.
    Louvain,
    /// Components of the pairs that reach the threshold, with `split = "bridges"`.
    Bridges,
}

impl SweepMethod {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Components, Self::OneToOne, Self::Optimal, Self::Average, Self::Complete, Self::Louvain, Self::Bridges];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Components => "components",
            Self::OneToOne => "one_to_one",
            Self::Optimal => "optimal",
            Self::Average => "average",
            Self::Complete => "complete",
            Self::Louvain => "louvain",
            Self::Bridges => "bridges",
        }
    }

    /// Those that fit pairs of records of this many sources, with scores or without: records are matched one to one where there
    /// are two sources.
    pub(super) fn fitting(sources: usize, has_scores: bool, base: &ClusterSpec) -> Vec<Self> {
        let fits = |method: &Self| match method {
            Self::OneToOne => sources == 2 && base.one_to.is_none(),
            Self::Optimal => sources == 2,
            Self::Average | Self::Complete => has_scores,
            Self::Components | Self::Louvain | Self::Bridges => true,
        };
        Self::ALL.into_iter().filter(fits).collect()
    }

    /// How clusters are made by it, where `base` says what holds for all rows.
    pub(super) fn spec(self, base: &ClusterSpec, threshold: Option<f64>, density: f64) -> ClusterSpec {
        let at_threshold = ClusterSpec { thresholds: threshold.into_iter().collect(), ..base.clone() };
        let by = |method| ClusterSpec { method, ..at_threshold.clone() };
        let linkage = |method| ClusterSpec { method, least: threshold, ..base.clone() };
        match self {
            Self::Components => at_threshold,
            Self::OneToOne => ClusterSpec { one_to: Some(OneToSpec::One), ..at_threshold },
            Self::Optimal => by(MethodSpec::Optimal),
            Self::Average => linkage(MethodSpec::Average),
            Self::Complete => linkage(MethodSpec::Complete),
            Self::Louvain => by(MethodSpec::Louvain),
            Self::Bridges => ClusterSpec { split: Some(SplitSpec::Bridges), density: Some(density), ..at_threshold },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_depends_on_sources_and_scores() {
        let names = |sources, has_scores, base: &ClusterSpec| {
            SweepMethod::fitting(sources, has_scores, base).into_iter().map(SweepMethod::name).collect::<Vec<_>>()
        };
        let base = ClusterSpec::default();
        assert_eq!(names(0, true, &base), ["components", "average", "complete", "louvain", "bridges"]);
        assert_eq!(names(2, false, &base), ["components", "one_to_one", "optimal", "louvain", "bridges"]);
        assert_eq!(names(3, false, &base), ["components", "louvain", "bridges"]);
        let one = ClusterSpec { one_to: Some(OneToSpec::One), ..base };
        assert_eq!(names(2, false, &one), ["components", "optimal", "louvain", "bridges"]);
    }

    #[test]
    fn every_row_is_what_a_rule_file_can_say() {
        let base = ClusterSpec { max_size: Some(9), ..ClusterSpec::default() };
        for method in SweepMethod::ALL {
            let spec = method.spec(&base, Some(0.5), 0.3);
            assert_eq!((spec.mistakes(), spec.max_size), (Vec::new(), Some(9)), "{method:?}");
            assert_ne!(spec.thresholds.is_empty(), spec.least.is_none(), "{method:?}");
        }
    }
}
