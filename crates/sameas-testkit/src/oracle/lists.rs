//! Groups of values in the rows of a file.

/// Whether two values are equal, or both cells of one row.
pub fn together(a: &str, b: &str, file: &str) -> bool {
    let row_has_both = |row: &str| {
        let cells: Vec<&str> = row.split(',').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        cells.contains(&a) && cells.contains(&b)
    };
    a == b || file.lines().any(row_has_both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_groups() {
        let file = "William, Bill ,Will\nWill,Wilma,\n";
        assert!(together("Bill", "William", file) && together("Wilma", "Will", file) && together("x", "x", file));
        assert!(!together("Bill", "Wilma", file) && !together("bill", "William", file) && !together("", "Will", file));
    }
}
