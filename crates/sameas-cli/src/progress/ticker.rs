//! The thread that shows, from time to time, how far a command has come.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use sameas::printable;

use super::line::Counts;
use crate::terminal;

/// Between two looks where standard error is a terminal, and elsewhere.
const ON_A_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// What the last line may take.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows lines until it is dropped.
pub struct Ticker {
    /// The line that changes, if there is one.
    bar: Option<ProgressBar>,
    /// Its end stops the thread.
    stop: Option<Sender<()>>,
    /// Ends with the thread.
    ended: Mutex<Receiver<()>>,
}

impl Ticker {
    /// Begins to show what is counted.
    pub fn start(counts: Arc<Counts>) -> Self {
        let (stop, stopped) = mpsc::channel::<()>();
        let (running, ended) = mpsc::channel::<()>();
        let mut shown = Shown::new();
        let bar = if let Shown::Bar(bar) = &shown { Some(bar.clone()) } else { None };
        let show = move || {
            let _running = running;
            while stopped.recv_timeout(shown.interval()) == Err(RecvTimeoutError::Timeout) {
                shown.update(&counts);
            }
            shown.clear();
        };
        // Without it a command is only less talkative.
        drop(thread::Builder::new().name("progress".into()).spawn(show));
        Self { bar, stop: Some(stop), ended: Mutex::new(ended) }
    }

    /// Says something above the line.
    pub fn suspend(&self, say: impl Fn()) {
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.stop.take());
        // Its line is gone then. Standard error can be a pipe that nobody reads, for which no command waits.
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = ended.recv_timeout(PATIENCE);
    }
}

/// Where lines are shown.
enum Shown {
    /// In place of the last one.
    Bar(ProgressBar),
    /// One below the other.
    Lines { interval: Duration, begun: Instant },
}

impl Shown {
    fn new() -> Self {
        if !terminal::shows_progress() {
            return Self::Lines { interval: interval(), begun: Instant::now() };
        }
        let bar = ProgressBar::no_length();
        bar.set_style(ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self::Bar(bar)
    }

    fn interval(&self) -> Duration {
        match self {
            Self::Bar(_) => ON_A_TERMINAL,
            Self::Lines { interval, .. } => *interval,
        }
    }

    fn update(&mut self, counts: &Counts) {
        let now = Instant::now();
        let Some(line) = counts.line(now) else { return };
        match self {
            Self::Bar(bar) => {
                bar.set_message(printable(&line));
                bar.tick();
            }
            Self::Lines { begun, .. } => {
                terminal::tell(&format!("after {} s: {line}", (now - *begun).as_secs()));
            }
        }
    }

    fn clear(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Ten seconds, but for tests, which have no time.
fn interval() -> Duration {
    let seconds = std::env::var("SAMEAS_PROGRESS_SECONDS").ok().and_then(|text| text.parse().ok());
    seconds.filter(|seconds| (0.001..1e6).contains(seconds)).map_or(ELSEWHERE, Duration::from_secs_f64)
}
