//! A model is learned from the records of a job.
//!
//! Where comparisons that depend on each other are to be taken together, a model is learned twice: the first one says which
//! these are (`scoring/train/double_counting`), and the second one is about comparisons with conjunctions of their levels.

use super::bound_job::{BoundJob, OpenedJob, RecordsOfJob};
use crate::dataset::{Dataset, Keep};
use crate::error::Result;
use crate::job::Job;
use crate::memory::{MemoryBudget, Shares};
use crate::model::{CombinedComparison, NotCombinedReason, TrainingWarning};
use crate::observer::Progress;
use crate::rules::RuleSet;
use crate::scoring::{DoubleCount, KnownRecords, NullShare, Trained, Training, check_learnable, null_shares};
use crate::settings::Settings;

/// Learns a model for the comparisons of a job, from records that are at hand, if there are any.
pub fn train(job: &Job, among: Option<&Dataset>, settings: &Settings, progress: Progress<'_>) -> Result<Trained> {
    check_learnable(&job.rules)?;
    // Near rules are no rules to learn from.
    let job = Job { model: None, near: None, ..job.clone() };
    let records = match among {
        None if job.combine_dependent => RecordsOfJob::Read(Keep::IfRoom),
        among => RecordsOfJob::at_hand_or_read(among),
    };
    let (trained, combining) = learned(&job, records, settings, progress)?;
    combining.learned(trained, &job, settings, progress)
}

/// A model, and which of its comparisons should be taken together.
fn learned(
    job: &Job,
    records: RecordsOfJob<'_>,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<(Trained, Combining)> {
    let OpenedJob { bound, mut machine, .. } = OpenedJob::unscored(job, records, settings, progress)?;
    let BoundJob { dataset, rules, program, sample, statistics, facts, .. } = &bound;
    let (rules, layout) = (rules.set(), dataset.layout());
    let (strategy, most_candidates) = (job.strategy, job.max_candidates);
    let tables = MemoryBudget::new(settings.memory);
    let _others = tables.hold(settings.memory.saturating_sub(for_tables(&mut machine.memory)))?;
    let cancel = progress.cancel().within(&tables);
    let records = KnownRecords { rules, program, sample, statistics, facts, layout, strategy, most_candidates, cancel };
    let combine_dependent = job.combine_dependent;
    let trained = Training { records, written: &job.rules, combine_dependent }.learn(&mut machine, progress)?;
    let trained = with_null_shares(trained, null_shares(&records, &bound.column_facts)?);
    let budget = MemoryBudget::new(settings.memory);
    let combining = CombinedChoice { job, records: dataset, rules, budget, progress }.chosen(&trained.double_counts);
    Ok((trained, combining))
}

/// The bytes that are taken for tables of patterns: what sorting would need, for nothing is sorted, and half of what joins have.
fn for_tables(memory: &mut Shares) -> usize {
    let of_joins = memory.join / 2;
    memory.join -= of_joins;
    memory.sort + of_joins
}

/// Chooses comparisons to take together.
struct CombinedChoice<'a> {
    job: &'a Job,
    records: &'a Dataset,
    rules: &'a RuleSet,
    budget: MemoryBudget,
    progress: Progress<'a>,
}

impl CombinedChoice<'_> {
    /// Those that count the same thing twice and can be taken together.
    fn chosen(&self, all: &[DoubleCount]) -> Combining {
        let (mut comparisons, mut apart) = (Vec::new(), Vec::new());
        for of in all {
            self.progress.cancel().check();
            match self.combined(&comparisons, of.comparisons) {
                Ok(combined) => comparisons.push(combined),
                Err(because) => apart.push(self.apart(of, because)),
            }
        }
        Combining { comparisons, apart, records: self.records.clone() }
    }

    /// Two comparisons taken together, beside others that are. Conditions that contradict each other, or more levels than a
    /// number holds, are no comparison.
    fn combined(
        &self,
        others: &[CombinedComparison],
        two: [usize; 2],
    ) -> std::result::Result<CombinedComparison, NotCombinedReason> {
        let combined = CombinedComparison::new(self.rules, two)?;
        let all = [others, std::slice::from_ref(&combined)].concat();
        let compiles =
            |rules| self.records.compile(&Job { rules, ..self.job.clone() }, &self.budget, self.progress).is_ok();
        match self.job.rules.combined(&all).is_some_and(compiles) {
            true => Ok(combined),
            false => Err(NotCombinedReason::Levels),
        }
    }

    fn apart(&self, of: &DoubleCount, because: NotCombinedReason) -> TrainingWarning {
        let comparisons = of.comparisons.map(|at| self.rules.scoring.comparisons[at].name.clone());
        TrainingWarning::NotCombined { comparisons, bits: of.bits, because }
    }
}

/// Comparisons that are taken together, those that should be and cannot, and the records to learn about them.
struct Combining {
    comparisons: Vec<CombinedComparison>,
    apart: Vec<TrainingWarning>,
    records: Dataset,
}

impl Combining {
    /// A model in which these are taken together: the one without, where there are none.
    fn learned(self, apart: Trained, job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Trained> {
        let mut trained = match job.rules.combined(&self.comparisons) {
            Some(rules) => {
                self.learned_again(&Job { rules, combine_dependent: false, ..job.clone() }, settings, progress)?
            }
            None => apart,
        };
        trained.model.warnings.extend(self.apart);
        trained.warnings.clone_from(&trained.model.warnings);
        Ok(trained)
    }

    /// A model for rules in which these are taken together.
    fn learned_again(&self, job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Trained> {
        let (mut trained, _) = learned(job, RecordsOfJob::AtHand(&self.records), settings, progress)?;
        for comparison in &mut trained.model.comparisons {
            let combined = self.comparisons.iter().find(|of| of.name == comparison.name);
            comparison.combines = combined.map(|of| of.of.clone());
        }
        Ok(trained)
    }
}

/// A model that says for how many pairs its comparisons are null, with a warning where one column of several is why.
fn with_null_shares(mut trained: Trained, shares: Vec<NullShare>) -> Trained {
    let model = &mut trained.model;
    for (of, NullShare { share, missing }) in model.comparisons.iter_mut().zip(shares) {
        of.null_share = Some(share);
        let warning = |column: String| TrainingWarning::MissingColumn { comparison: of.name.clone(), column, share };
        model.warnings.extend(missing.map(warning));
    }
    trained.warnings.clone_from(&model.warnings);
    trained
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};

    use super::*;
    use crate::device::DeviceChoice;
    use crate::model::{LevelModel, Model};
    use crate::records::Input;
    use crate::records::stats::Random;
    use crate::rules::RuleFile;

    const RULES: &str = r#"
        [[rule]]
        when = "l.city = r.city"

        [[rule]]
        when = "levenshtein(l.name, r.name) <= 1"

        [[compare]]
        name = "name"
        levels = ["l.name = r.name", "levenshtein(l.name, r.name) <= 1"]

        [[compare]]
        name = "city"
        levels = ["l.city = r.city"]
    "#;

    const PLACE: &str = r#"
        [[compare]]
        name = "place"
        levels = ["l.city = r.city and l.region = r.region", "l.city <> r.city and l.region = r.region"]
    "#;

    /// Forty people: ten have each name, eight live in each city, and four have a region.
    fn job(rules: &str) -> Job {
        let names = ["anna", "hanna", "anne", "otto"];
        let text =
            |of: &dyn Fn(usize) -> Option<String>| -> ArrayRef { Arc::new((0..40).map(of).collect::<StringArray>()) };
        let columns = [
            ("id", text(&|row| Some(row.to_string()))),
            ("name", text(&|row| Some(names[row % 4].to_owned()))),
            ("city", text(&|row| Some(format!("c{}", row % 5)))),
            ("region", text(&|row| (row % 10 == 0).then(|| format!("r{}", row % 3)))),
        ];
        let people = RecordBatch::try_from_iter(columns).unwrap();
        let input = Input::batches("people", people.schema(), vec![people]).unwrap();
        Job::dedupe(input).with_rules(RuleFile::parse(rules, "rules.toml").unwrap())
    }

    fn trained(job: &Job) -> Trained {
        let settings = Settings { device: DeviceChoice::Cpu, memory: 1 << 28, ..Settings::default() };
        let is_cancelled = || false;
        train(job, None, &settings, Progress::new(&(), &is_cancelled)).unwrap()
    }

    #[test]
    fn near_rules_are_not_learned_from() {
        let plain = trained(&job(RULES)).model;
        assert_eq!(plain.passes.len(), 2);
        assert_eq!(trained(&job(RULES).with_near(0.1)).model.to_text(), plain.to_text());
    }

    #[test]
    fn a_model_keeps_which_column_makes_a_comparison_null() {
        let learned = trained(&job(&format!("{RULES}{PLACE}")));
        // Six of 780 pairs have a region on both sides.
        let share = 774.0 / 780.0;
        let (comparison, column) = ("place".to_owned(), "region".to_owned());
        assert!(learned.warnings.contains(&TrainingWarning::MissingColumn { comparison, column, share }));
        let read = Model::parse(&learned.model.to_text(), "model.toml").unwrap();
        assert_eq!(read.warnings, learned.warnings);
        let shares: Vec<Option<f64>> = read.comparisons.iter().map(|of| of.null_share).collect();
        assert_eq!(shares, [Some(0.0), Some(0.0), Some(share)]);
    }

    const TWO: &str = r#"
        [[compare]]
        name = "team"
        levels = ["l.team = r.team"]

        [[compare]]
        name = "group"
        levels = ["l.group = r.group"]

        [[compare]]
        name = "room"
        levels = ["l.room = r.room"]

        [train]
        rules = ["l.street = r.street"]

        [score]
        prior = 0.00125
    "#;

    /// A number of a person that says nothing about the numbers of other people, or of other kinds.
    fn drawn(row: usize, kind: usize, most: u32) -> usize {
        let person = (row / 2 * 10 + kind) as u64;
        Random::new(person).below(most) as usize
    }

    fn team_of(row: usize) -> usize {
        drawn(row, 0, 19) + usize::from(row % 20 == 1)
    }

    /// Both records of a person have the part, or neither.
    fn lacks_part(row: usize) -> bool {
        row / 2 % 8 == 5
    }

    fn weight(level: &LevelModel) -> f64 {
        (level.m / level.u).log2()
    }

    /// Four hundred people, each twice; two live in each street. A team is wrong in one of ten copies. A group says the same as the
    /// team, or has nothing to do with it. A part is missing, or the same for all.
    fn twice(is_dependent: bool) -> Job {
        let text = |of: &dyn Fn(usize) -> usize| -> ArrayRef {
            Arc::new((0..800).map(|row| Some(of(row).to_string())).collect::<StringArray>())
        };
        let group =
            |row: usize| if is_dependent { team_of(row) } else { drawn(row, 1, 17) + usize::from(row % 22 == 3) };
        let parts: ArrayRef = Arc::new((0..800).map(|row| (!lacks_part(row)).then_some("p")).collect::<StringArray>());
        let columns = [
            ("id", text(&|row| row)),
            ("team", text(&team_of)),
            ("group", text(&group)),
            ("part", parts),
            ("room", text(&|row| drawn(row, 2, 23))),
            ("street", text(&|row| row / 2 % 200)),
        ];
        let people = RecordBatch::try_from_iter(columns).unwrap();
        let input = Input::batches("people", people.schema(), vec![people]).unwrap();
        Job::dedupe(input).with_rules(RuleFile::parse(TWO, "rules.toml").unwrap())
    }

    #[test]
    fn comparisons_that_say_the_same_are_taken_together_where_that_is_asked_for() {
        let apart = trained(&twice(true)).model;
        let twice_counted = weight(&apart.comparisons[0].levels[0]) + weight(&apart.comparisons[1].levels[0]);
        let together = trained(&twice(true).with_dependent_combined()).model;
        let names: Vec<&str> = together.comparisons.iter().map(|of| of.name.as_str()).collect();
        assert_eq!(names, ["team and group", "room"]);
        assert_eq!(together.comparisons[0].combines, Some(["team".to_owned(), "group".to_owned()]));
        let once = weight(&together.comparisons[0].levels[0]);
        assert!(once > 2.0 && once < 0.75 * twice_counted, "{once} {twice_counted}");
        let read = Model::parse(&together.to_text(), "model.toml").unwrap();
        assert_eq!(read.to_text(), together.to_text());
    }

    #[test]
    fn what_cannot_be_taken_together_is_said() {
        let counted = "levels = [\"l.group = r.group\"]\n        term_frequency = \"group\"";
        let rules = TWO.replace("levels = [\"l.group = r.group\"]", counted);
        let job = twice(true).with_rules(RuleFile::parse(&rules, "rules.toml").unwrap());
        let (apart, asked) = (trained(&job), trained(&job.clone().with_dependent_combined()));
        let [others @ .., warning] = &asked.warnings[..] else { panic!("{asked:?}") };
        let TrainingWarning::NotCombined { comparisons, bits, because } = warning else { panic!("{warning:?}") };
        assert_eq!(comparisons, &["team", "group"]);
        assert!(*bits > 1.0 && *because == NotCombinedReason::TermFrequencies, "{warning:?}");
        assert_eq!((others, &asked.model.warnings), (&apart.warnings[..], &asked.warnings));
        assert_eq!(asked.model.comparisons, apart.model.comparisons);
    }

    /// Of a comparison of two columns, one of which one record in eight lacks, what the other comparison says is kept.
    #[test]
    fn a_comparison_says_what_it_did_where_the_other_is_null() {
        let level = "l.group || l.part = r.group || r.part";
        let rules = TWO.replace("l.group = r.group", level);
        let job = twice(true).with_rules(RuleFile::parse(&rules, "rules.toml").unwrap());
        let combined = &trained(&job.with_dependent_combined()).model.comparisons[0];
        assert_eq!(combined.combines, Some(["team".to_owned(), "group".to_owned()]));
        let is_null = format!("not (l.team = r.team) and (({level}) is null)");
        let found = combined.levels.iter().find(|of| of.when.as_ref() == Some(&is_null)).unwrap();
        let pairs = (0..800).flat_map(|l| (l + 1..800).map(move |r| [l, r]));
        let other_teams = |[l, r]: &[usize; 2]| (lacks_part(*l) || lacks_part(*r)) && team_of(*l) != team_of(*r);
        assert_eq!(found.u_pairs, Some(pairs.filter(other_teams).count() as f64));
        assert!(weight(found) < -1.0, "{found:?}");
    }

    #[test]
    fn independent_comparisons_stay_as_they_are() {
        let apart = trained(&twice(false)).model.to_text();
        assert_eq!(trained(&twice(false).with_dependent_combined()).model.to_text(), apart);
    }
}
