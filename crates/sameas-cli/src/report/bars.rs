//! Histograms as text: a bar of signs for each row.

use sameas::score::ScoreBin;

use crate::text::{count, decimal, table, width};

/// Characters of the longest bar, where there is room for it.
const LONGEST: usize = 30;

/// Rows of a histogram of scores at most.
const ROWS: usize = 16;

/// A bar for a number, of which `most` is the largest; what is not nothing has a sign at least.
pub fn bar(number: u64, most: u64, longest: usize) -> String {
    let signs = if most == 0 { 0 } else { (number as f64 / most as f64 * longest as f64).round() as usize };
    "#".repeat(signs.max(usize::from(number > 0)))
}

/// How long bars can be beside this many characters.
pub fn longest(taken: usize) -> usize {
    width().saturating_sub(taken).clamp(10, LONGEST)
}

/// The pairs by score; nothing where there are none.
pub fn scores(bins: &[ScoreBin], head: &str) -> String {
    let bins = merged(bins);
    let most = bins.iter().map(|(.., pairs)| *pairs).max().unwrap_or(0);
    if most == 0 {
        return String::new();
    }
    let range = |from: f64, to: f64| format!("{} to {}", decimal(from), decimal(to));
    let taken = bins.iter().map(|(from, to, _)| range(*from, *to).len()).max().unwrap_or(0).max(head.len()) + 20;
    let mut rows = vec![vec![head.to_owned(), "pairs".to_owned()]];
    rows.extend(bins.iter().map(|(from, to, pairs)| vec![range(*from, *to), count(*pairs)]));
    with_bars(&rows, &bins.iter().map(|(.., pairs)| *pairs).collect::<Vec<_>>(), longest(taken))
}

/// A table with a bar at the end of each row but the first.
pub fn with_bars(rows: &[Vec<String>], numbers: &[u64], longest: usize) -> String {
    let most = numbers.iter().copied().max().unwrap_or(0);
    let text = table(rows);
    let lines: Vec<&str> = text.lines().collect();
    let wide = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        let bar = at.checked_sub(1).and_then(|at| numbers.get(at)).map_or(String::new(), |n| bar(*n, most, longest));
        out += format!("{line:<wide$}   {bar}").trim_end();
        out.push('\n');
    }
    out
}

/// Bins side by side as one, so that there are not too many.
fn merged(bins: &[ScoreBin]) -> Vec<(f64, f64, u64)> {
    let each = bins.len().div_ceil(ROWS).max(1);
    let one = |bins: &[ScoreBin]| (bins[0].from, bins[bins.len() - 1].to, bins.iter().map(|bin| bin.pairs).sum());
    bins.chunks(each).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_numbers_are_large() {
        assert_eq!(
            [bar(100, 100, 10), bar(50, 100, 10), bar(1, 1000, 10), bar(0, 10, 10)],
            ["##########", "#####", "#", ""]
        );
        assert_eq!(bar(0, 0, 10), "");
        let rows = [["a", "n"], ["x", "4"], ["yy", "2"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(with_bars(&rows, &[4, 2], 4), "a    n\nx    4   ####\nyy   2   ##\n");
    }
}
