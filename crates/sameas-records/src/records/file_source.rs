//! Files as a source: paths, patterns and standard input.

use std::path::PathBuf;

use super::location::{Location, locations};
use super::read::{KnownStreams, OpenSource, Opening, open_files};
use super::source::{Source, SourceDescription};
use crate::error::Result;

/// Paths, patterns (`data/*.csv`) or `-` for standard input, resolved in a fixed order each time.
#[derive(Debug)]
pub(super) struct FileSource {
    patterns: Vec<PathBuf>,
    /// What has come of standard input, and of pipes.
    streams: KnownStreams,
}

impl FileSource {
    pub(super) fn new(patterns: Vec<PathBuf>) -> Self {
        Self { patterns, streams: KnownStreams::default() }
    }
}

impl Source for FileSource {
    fn open(&self, opening: &Opening<'_>) -> Result<OpenSource> {
        let patterns = self.patterns.iter().map(|pattern| opening.current(pattern));
        open_files(locations(patterns)?, &self.streams, opening)
    }

    fn description(&self) -> SourceDescription {
        SourceDescription::Files { given: self.patterns.iter().map(|pattern| pattern.display().to_string()).collect() }
    }

    fn files(&self) -> Vec<PathBuf> {
        let locations = locations(&self.patterns).unwrap_or_default();
        locations.iter().filter_map(|location| location.path().map(PathBuf::from)).collect()
    }

    /// Standard input that was not read here was read by another process, if at all.
    fn can_be_read_again(&self) -> bool {
        let stdin = Location::stdin();
        !locations(&self.patterns).unwrap_or_default().contains(&stdin) || self.streams.has(&stdin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_of_files_says_what_it_was_given() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "id\n").unwrap();
        let pattern = folder.path().join("*.csv");
        let source = FileSource::new(vec![pattern.clone()]);
        assert_eq!(source.description().given(), [pattern.display().to_string()]);
        assert_eq!(source.files(), [path]);
        assert!(source.can_be_read_again());
        assert!(!FileSource::new(vec!["-".into()]).can_be_read_again(), "nobody has read it");
        assert!(FileSource::new(vec!["nothing".into()]).files().is_empty());
    }
}
