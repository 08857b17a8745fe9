//! The time that joins will still take, where there is a basis for saying it.
//!
//! The planner says which part of the work a step is; the tasks of a step say how much of it is done. Time goes on as it went
//! so far, if the planner is right about the parts. Where steps have taken times that do not fit its parts, it is not, and
//! nothing is said. Nor is anything where no task has ended for longer than all the rest should take: those that are left are
//! not like the others.

use std::time::{Duration, Instant};

/// Nothing is said before this time, and before this part of the work is done.
const LEAST_TIME: Duration = Duration::from_secs(5);
const LEAST_PART: f64 = 0.05;

/// How many times as long as expected, compared with all the work, a step may take.
const TRUSTED: f64 = 3.0;

/// Steps that were shorter say nothing about the planner.
const TELLING: f64 = 0.5;

/// What is known of the time that joins take.
#[derive(Debug, Default)]
pub struct Estimate {
    begun: Option<Instant>,
    current: Option<Step>,
    /// The seconds that each part of the work has taken: parts of all, and seconds.
    finished: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    from: f64,
    to: f64,
    begun: Instant,
    /// Whether its tasks tell how far it is.
    is_known: bool,
    /// The part of it that was done at the last look, and since when.
    done: (f64, Instant),
}

impl Estimate {
    /// A step begins that is this part of all work, in thousandths. Where that is not known, it still belongs to the step
    /// before it.
    pub fn begin(&mut self, work: Option<(u32, u32)>, now: Instant) {
        let Some((from, to)) = work else {
            if let Some(step) = &mut self.current {
                step.is_known = false;
            }
            return;
        };
        self.end(now);
        self.begun.get_or_insert(now);
        let part = |thousandths: u32| f64::from(thousandths) / 1000.0;
        let (from, to) = (part(from), part(to));
        self.current = Some(Step { from, to, begun: now, is_known: true, done: (0.0, now) });
    }

    /// The step ends.
    pub fn end(&mut self, now: Instant) {
        if let Some(step) = self.current.take() {
            self.finished.push((step.to - step.from, (now - step.begun).as_secs_f64()));
        }
    }

    /// The time that is left when this part of the step is done, if it can be said.
    pub fn left(&mut self, part: f64, now: Instant) -> Option<Duration> {
        let step = self.current.as_mut()?;
        if step.done.0 != part {
            step.done = (part, now);
        }
        let (step, passed) = (*step, now - self.begun?);
        let done = step.from + (step.to - step.from) * part;
        if !step.is_known || passed < LEAST_TIME || !(LEAST_PART..=1.0).contains(&done) {
            return None;
        }
        let pace = passed.as_secs_f64() / done;
        let here = ((step.to - step.from) * part, (now - step.begun).as_secs_f64());
        let fits = |(part, seconds): &(f64, f64)| {
            let expected = part * pace;
            *seconds < TELLING && expected < TELLING || (expected / TRUSTED..=expected * TRUSTED).contains(seconds)
        };
        let is_trusted = self.finished.iter().chain([&here]).all(fits);
        let left = Duration::from_secs_f64(pace * (1.0 - done));
        let goes_on = now - step.done.1 <= left.max(LEAST_TIME);
        (is_trusted && goes_on).then_some(left)
    }
}

/// A time as it can be said of the future: `about 40 s`, `about 3 min`.
pub fn about(time: Duration) -> String {
    match time.as_secs() {
        0..=4 => "a few seconds".into(),
        seconds @ 5..=89 => format!("about {} s", seconds.div_ceil(5) * 5),
        seconds @ 90..=5_399 => format!("about {} min", (seconds + 30) / 60),
        seconds => format!("about {:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(begun: Instant, seconds: f64) -> Instant {
        begun + Duration::from_secs_f64(seconds)
    }

    fn seconds(left: Option<Duration>) -> Option<u64> {
        left.map(|left| left.as_secs_f64().round() as u64)
    }

    #[test]
    fn one_step_goes_on_as_it_went() {
        let (mut estimate, begun) = (Estimate::default(), Instant::now());
        assert_eq!(estimate.left(0.5, begun), None);
        estimate.begin(Some((0, 1000)), begun);
        assert_eq!(estimate.left(0.5, at(begun, 2.0)), None, "too early");
        assert_eq!(estimate.left(0.01, at(begun, 20.0)), None, "too little");
        assert_eq!(seconds(estimate.left(0.25, at(begun, 10.0))), Some(30));
        estimate.begin(None, at(begun, 12.0));
        assert_eq!(estimate.left(0.5, at(begun, 20.0)), None, "nothing says how far the rest of it is");
    }

    #[test]
    fn several_steps_count_by_the_parts_that_the_planner_gives_them() {
        let (mut estimate, begun) = (Estimate::default(), Instant::now());
        estimate.begin(Some((0, 200)), begun);
        estimate.begin(Some((200, 1000)), at(begun, 10.0));
        assert_eq!(seconds(estimate.left(0.25, at(begun, 20.0))), Some(30));
    }

    #[test]
    fn nothing_is_said_where_the_planner_was_wrong() {
        let (mut estimate, begun) = (Estimate::default(), Instant::now());
        estimate.begin(Some((0, 900)), begun);
        estimate.begin(Some((900, 1000)), at(begun, 6.0));
        assert_eq!(estimate.left(0.1, at(begun, 60.0)), None);
        let mut estimate = Estimate::default();
        estimate.begin(Some((0, 100)), begun);
        estimate.begin(Some((100, 1000)), at(begun, 60.0));
        assert_eq!(estimate.left(0.5, at(begun, 61.0)), None);
    }

    #[test]
    fn nothing_is_said_where_the_last_task_takes_long() {
        let (mut estimate, begun) = (Estimate::default(), Instant::now());
        estimate.begin(Some((0, 1000)), begun);
        assert_eq!(seconds(estimate.left(0.995, at(begun, 6.0))), Some(0));
        assert_eq!(seconds(estimate.left(0.995, at(begun, 10.0))), Some(0));
        assert_eq!(estimate.left(0.995, at(begun, 12.0)), None);
        assert_eq!(estimate.left(0.995, at(begun, 70.0)), None);
        assert_eq!(seconds(estimate.left(0.9975, at(begun, 71.0))), Some(0), "another task has ended");
    }

    #[test]
    fn times_are_said_roughly() {
        let said = [1, 5, 41, 89, 90, 3000, 9000].map(|seconds| about(Duration::from_secs(seconds)));
        let expected =
            ["a few seconds", "about 5 s", "about 45 s", "about 90 s", "about 2 min", "about 50 min", "about 2.5 h"];
        assert_eq!(said, expected);
    }
}
