//! Lists of edges in text files.

/// The edges of a graph, as two columns of ids.
pub struct TextEdges {
    /// By edge.
    pub sources: Vec<u32>,
    /// By edge.
    pub targets: Vec<u32>,
}

impl TextEdges {
    /// The edges of a file; lines that begin with `#` or `%` are comments.
    ///
    /// # Panics
    /// If the file cannot be read, or a line has no two numbers.
    pub fn read(path: &str) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with(['#', '%']));
        let (sources, targets) = lines.map(|line| edge(path, line)).unzip();
        Self { sources, targets }
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.sources.len()
    }
}

fn edge(path: &str, line: &str) -> (u32, u32) {
    let mut ids = line.split([' ', '\t', ',']).filter(|part| !part.is_empty()).map(str::parse::<u32>);
    match (ids.next(), ids.next()) {
        (Some(Ok(from)), Some(Ok(to))) => (from, to),
        _ => panic!("{path}: `{line}` is no edge"),
    }
}
