//! What should be known about how a model was learned, as sentences with advice.

use sameas::printable;
use sameas::score::{NotCombinedReason, PairClass, PassShare, SharedColumns, TrainingWarning};

use crate::text::{count, counted, cut, names, one_line};

/// Characters of a rule or a level that a sentence shows.
const SHOWN: usize = 80;

/// Each warning as a sentence.
pub fn training_warnings(warnings: &[TrainingWarning]) -> Vec<String> {
    warnings.iter().map(training_warning).collect()
}

fn training_warning(warning: &TrainingWarning) -> String {
    use TrainingWarning as W;
    match warning {
        W::PriorGuessed { .. }
        | W::RecallAssumed { .. }
        | W::NoMatches { .. }
        | W::PriorTooHigh { .. }
        | W::MatchesBeyondPrior { .. }
        | W::RuleWithoutPairs { .. }
        | W::NotSettled { .. }
        | W::NotLearned { .. }
        | W::LevelsUnseen { .. }
        | W::MissingColumn { .. } => of_job(warning),
        W::Dependent { rule, comparisons, levels, among, strength, bits } => {
            dependent(rule, comparisons, levels, *among, *strength, *bits)
        }
        W::RuleDependent { rule, comparison, level, seen, expected } => format!(
            "among pairs of {} that do not match, `{}` of `{}` holds for {}, and among all pairs for {}: the rule \
             causes the level, and both are counted; train by another rule, or compare one of the two",
            quoted(rule),
            shown(level),
            printable(comparison),
            percent(*seen),
            percent(*expected)
        ),
        W::NotCombined { comparisons, bits, because } => not_combined(comparisons, *bits, *because),
        W::PairsUnexpected { comparisons, pairs, expected, share } => {
            unexpected(comparisons, *pairs, *expected, *share)
        }
        W::PassesDisagree { comparison, level, least, most } => format!(
            "training rules disagree about `{}` of `{}`: {}, {}; their pairs differ in kind, or one of them takes \
             wrong pairs for matches",
            shown(level),
            printable(comparison),
            pass_share(least),
            pass_share(most)
        ),
        _ => of_pass(warning),
    }
}

/// What concerns the job as a whole, or a comparison.
fn of_job(warning: &TrainingWarning) -> String {
    use TrainingWarning as W;
    match warning {
        W::PriorGuessed { prior } => format!(
            "nothing says how many records match: the prior is a guess of one pair in {}; give `prior` in \
             `[score]`, or `deterministic` rules in `[train]`",
            count((1.0 / prior).round() as u64)
        ),
        W::RecallAssumed { recall } => format!(
            "that certain rules find {} of all matches is an assumption: give `recall` in `[train]`",
            percent(*recall)
        ),
        W::NoMatches { expected } => format!(
            "no matches: {} expected among all pairs, so there is nothing to learn from; what the model finds is \
             chance",
            if *expected < 1.0 {
                "less than one is".to_owned()
            } else {
                format!("no more than by chance ({expected:.0}) are")
            }
        ),
        W::MatchesBeyondPrior { matches, known } => format!(
            "scores are too high: the probabilities of all pairs add up to {} matches, and by the prior there are {}; \
             comparisons depend on each other (let `sameas train --combine-dependent` choose what to take together), or \
             the prior is too low",
            count(matches.round() as u64),
            count(known.round() as u64)
        ),
        W::PriorTooHigh { prior, comparison, level, pairs, matches } => format!(
            "the prior is too high: by it {} should match with `{}` of `{}`, and only {} have that level at all; give \
             a `prior` below {prior:.1e}, or another `recall`",
            counted(matches.round() as u64, "pair"),
            shown(level),
            printable(comparison),
            count(pairs.round() as u64)
        ),
        W::RuleWithoutPairs { rule, is_certain: false } => format!("the training rule {} has no pair", quoted(rule)),
        W::RuleWithoutPairs { rule, is_certain: true } => format!("the certain rule {} has no pair", quoted(rule)),
        W::NotSettled { comparison, level, rounds, change } => not_settled(comparison, level, *rounds, *change),
        W::NotLearned { comparison, rules } => not_learned(comparison, rules),
        W::LevelsUnseen { comparison, levels } => format!(
            "no pair of the training rules has {} of `{}`: {} 0",
            levels.iter().map(|level| format!("`{}`", shown(level))).collect::<Vec<_>>().join(" and "),
            printable(comparison),
            if levels.len() == 1 { "it weighs" } else { "they weigh" }
        ),
        W::MissingColumn { comparison, column, share } => format!(
            "`{}` is null for {} of all pairs, most of them because `{}` is missing in one of the two records: a \
             level without it would tell these pairs apart, and one that ends with `is true` leaves them to the \
             levels after it",
            printable(comparison),
            percent(*share),
            printable(column)
        ),
        _ => String::new(),
    }
}

/// What concerns a pass.
fn of_pass(warning: &TrainingWarning) -> String {
    use TrainingWarning as W;
    match warning {
        W::NotConverged { rule, rounds, change } => format!(
            "the pass of {} has not converged: after {} a probability still changes by {change:.1e}; the comparisons \
             that its rule leaves open say too little about which pairs match",
            quoted(rule),
            counted(*rounds, "round")
        ),
        W::ShareAboveMatches { rule, share, most } => format!(
            "{} of the pairs of {} are taken for matches, but by the prior at most {} of them can match: \
             {WRONG_PAIRS}, or the prior is too low",
            percent(*share),
            quoted(rule),
            percent(*most)
        ),
        W::ShareAboveExpected { rule, share, most } => format!(
            "{} of the pairs of {} are taken for matches, but by the prior and by the certain pairs that this rule has, \
             at most {} of them should match: {WRONG_PAIRS}, or the prior is too low",
            percent(*share),
            quoted(rule),
            percent(*most)
        ),
        W::ShareBelowCertain { rule, share, certain } => format!(
            "{} of the pairs of {} are taken for matches, but {} are certain matches: {WRONG_PAIRS}, or the certain \
             rules are wrong",
            percent(*share),
            quoted(rule),
            percent(*certain)
        ),
        W::ShareUnconfirmed { rule, share, certain } => format!(
            "{} of the pairs of {} are taken for matches, but certain rules confirm only {}: such a pass cannot tell \
             matches from others; train by a rule that more pairs satisfy",
            percent(*share),
            quoted(rule),
            percent(*certain)
        ),
        W::ShareUncertain { rule, share, error, matches } => format!(
            "the pass of {} cannot say well which pairs match: it finds {}{}, which is {}; train by a rule with more \
             matches that leaves more comparisons open",
            quoted(rule),
            percent(*share),
            error.map_or(String::new(), |error| format!(" with an error of {}", percent(error))),
            counted(matches.round() as u64, "pair")
        ),
        W::OtherMaximum { rule, share, other, comparison, weight, other_weight } => format!(
            "the pairs of {} can be explained in two equally likely ways: {} of them match, or {}; `{}` then \
             weighs {weight:.1} or {other_weight:.1} bits; train by another rule, or compare more",
            quoted(rule),
            percent(*share),
            percent(*other),
            printable(comparison)
        ),
        _ => String::new(),
    }
}

const WRONG_PAIRS: &str = "the pass has taken other pairs for matches, such as families or copies of one text";

fn not_settled(comparison: &str, level: &str, rounds: u64, change: f64) -> String {
    format!(
        "what is learned has not settled: after {} of all passes, u of `{}` of `{}` still changes by {}; nearly all pairs \
         with this level seem to match, and passes cannot tell how many; give a `prior`, or train by a rule that leaves \
         more comparisons open",
        counted(rounds, "round"),
        shown(level),
        printable(comparison),
        percent(change)
    )
}

fn not_learned(comparison: &str, rules: &[SharedColumns]) -> String {
    let name = printable(comparison);
    if rules.is_empty() {
        return format!(
            "nothing is learned about `{name}`, so it weighs 0: no match of a rule that it could be learned from has \
             a value"
        );
    }
    let of_rule = |of: &SharedColumns| {
        let columns = if of.columns.len() == 1 { "column" } else { "columns" };
        format!("{} ({columns} {})", quoted(&of.rule), names(&of.columns, ", "))
    };
    format!(
        "no training rule leaves `{name}` open, so it is not learned and weighs 0: it shares columns with {}; add \
         a rule to `[train]` that reads none of them, among `rules` or `deterministic`",
        rules.iter().map(of_rule).collect::<Vec<_>>().join(" and ")
    )
}

fn dependent(
    rule: &str,
    [first, second]: &[String; 2],
    [level, other]: &[String; 2],
    among: PairClass,
    strength: f64,
    bits: f64,
) -> String {
    let (pairs, effect) = match among {
        PairClass::Matches => ("match", "a disagreement of both is counted twice"),
        PairClass::Others => ("do not match", "an agreement of both is counted twice, and scores are too high"),
    };
    format!(
        "`{}` and `{}` depend on each other among pairs of {} that {pairs} (Cramér's V {strength:.2}): `{}` and \
         `{}` come \
         together {:.1} times as often as by chance, so {effect}; compare both in one comparison, or let \
         `sameas train --combine-dependent` choose what to take together",
        printable(first),
        printable(second),
        quoted(rule),
        shown(level),
        shown(other),
        bits.exp2()
    )
}

fn not_combined([first, second]: &[String; 2], bits: f64, because: NotCombinedReason) -> String {
    let reason = match because {
        NotCombinedReason::TermFrequencies => {
            "one of them has term frequencies, which a combined comparison cannot have; leave out its `term_frequency`"
        }
        NotCombinedReason::Neighbours => {
            "one of them reads `neighbours`, which cannot be combined; compare its values in another way"
        }
        NotCombinedReason::Comment => "a level has a comment (`--`); take it out of the level",
        NotCombinedReason::Levels => {
            "their levels make no comparison, because some contradict each other or there are too many; leave out levels"
        }
    };
    format!(
        "`{}` and `{}` count the same thing twice, {bits:.1} bits in a match, and stay apart: {reason}, or compare both in one \
         comparison",
        printable(first),
        printable(second)
    )
}

fn unexpected(comparisons: &[String], pairs: f64, expected: f64, share: f64) -> String {
    let agreeing: Vec<String> = comparisons.iter().map(|name| format!("`{}`", printable(name))).collect();
    format!(
        "{} of the pairs that the model takes for matches may be others: {} agree in {} alone, where it expects {}; \
         records that do not match seem to share these values, as people of a household do. Compare something that \
         tells them apart, or let `sameas train --combine-dependent` choose what to take together",
        percent(share),
        counted(pairs.round() as u64, "pair"),
        agreeing.join(" and "),
        count(expected.round() as u64)
    )
}

fn pass_share(of: &PassShare) -> String {
    format!("{:+.1} bits by {}", of.weight, quoted(&of.rule))
}

fn quoted(rule: &str) -> String {
    format!("`{}`", shown(rule))
}

fn shown(text: &str) -> String {
    cut(&one_line(text), SHOWN)
}

/// A share in percent, with as many digits as tell it from nothing.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        p if p == 0.0 || p >= 9.95 => format!("{p:.0} %"),
        p if p >= 0.095 => format!("{p:.1} %"),
        p => format!("{p:.1e} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(warning: TrainingWarning) -> String {
        training_warnings(&[warning]).remove(0)
    }

    #[test]
    fn warnings_name_what_they_are_about() {
        let name = |name: &str| name.to_owned();
        let shared = |rule: &str, columns: &[&str]| SharedColumns {
            rule: name(rule),
            columns: columns.iter().map(|column| name(column)).collect(),
        };
        let rules = vec![shared("l.x = r.x", &["title"]), shared("l.y = r.y", &["artist", "title"])];
        assert_eq!(
            said(TrainingWarning::NotLearned { comparison: name("ti\ntle"), rules }),
            "no training rule leaves `ti\\ntle` open, so it is not learned and weighs 0: it shares columns with \
             `l.x = r.x` \
             (column title) and `l.y = r.y` (columns artist, title); add a rule to `[train]` that reads none of them, \
             among `rules` or `deterministic`"
        );
        let most = said(TrainingWarning::ShareAboveMatches { rule: name("r"), share: 0.989, most: 0.18 });
        assert!(most.starts_with(
            "99 % of the pairs of `r` are taken for matches, but by the prior at most 18 % of them can match"
        ));
        let expected = said(TrainingWarning::ShareAboveExpected { rule: name("r"), share: 0.66, most: 0.52 });
        assert!(
            expected.contains("the certain pairs that this rule has, at most 52 % of them should match"),
            "{expected}"
        );
        let guess = said(TrainingWarning::PriorGuessed { prior: 1e-4 });
        assert!(guess.contains("a guess of one pair in 10,000; give `prior`"), "{guess}");
        let none = said(TrainingWarning::NoMatches { expected: 0.6 });
        assert!(none.starts_with("no matches: less than one is expected"), "{none}");
        let unsettled =
            TrainingWarning::NotSettled { comparison: name("a"), level: name("x"), rounds: 25, change: 0.031 };
        let unsettled = said(unsettled);
        assert!(
            unsettled.contains("after 25 rounds of all passes, u of `x` of `a` still changes by 3.1 %"),
            "{unsettled}"
        );
        let levels =
            said(TrainingWarning::LevelsUnseen { comparison: name("a"), levels: vec![name("x"), name("else")] });
        assert_eq!(levels, "no pair of the training rules has `x` and `else` of `a`: they weigh 0");
        let missing =
            said(TrainingWarning::MissingColumn { comparison: name("a"), column: name("b\nc"), share: 0.992 });
        assert!(
            missing.starts_with("`a` is null for 99 % of all pairs, most of them because `b\\nc` is missing"),
            "{missing}"
        );
        let together = said(TrainingWarning::Dependent {
            rule: name("r"),
            comparisons: [name("a"), name("b")],
            levels: [name("x"), name("y")],
            among: PairClass::Others,
            strength: 0.5,
            bits: 3.0,
        });
        assert!(together.contains("(Cramér's V 0.50): `x` and `y` come together 8.0 times as often"), "{together}");
        let apart = |because: NotCombinedReason| {
            said(TrainingWarning::NotCombined { comparisons: [name("a"), name("b\n")], bits: 2.34, because })
        };
        let counted = apart(NotCombinedReason::TermFrequencies);
        let twice =
            "`a` and `b\\n` count the same thing twice, 2.3 bits in a match, and stay apart: one of them has term";
        assert!(counted.starts_with(twice), "{counted}");
        assert!(apart(NotCombinedReason::Levels).ends_with("or compare both in one comparison"));
        assert!(together.contains("in one comparison, or let `sameas train --combine-dependent` choose"), "{together}");
    }

    #[test]
    fn a_share_is_never_shown_as_nothing() {
        assert_eq!([0.0, 1e-6, 0.004, 0.5, 1.0].map(percent), ["0 %", "1.0e-4 %", "0.4 %", "50 %", "100 %"]);
    }
}
