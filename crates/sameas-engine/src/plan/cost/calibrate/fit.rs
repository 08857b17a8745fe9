//! Least squares with no negative coefficient.

/// Coefficients of a row.
const N: usize = 4;

/// Rounds in which the weights are computed again; they hardly change after a few.
const ROUNDS: usize = 12;

/// The coefficients, none below zero, whose sums come nearest to the values, by the squares of the errors relative to
/// both the value and the sum: a cheap check matters as much as an expensive one, and too little as much as too much.
pub fn fit(rows: &[([f64; N], f64)]) -> [f64; N] {
    // Relative to the value alone at first, then also to what the last round made of it.
    let mut weights: Vec<f64> = rows.iter().map(|(_, value)| 1.0 / value).collect();
    let mut found = [0.0; N];
    for _ in 0..ROUNDS {
        let weighted: Vec<([f64; N], f64)> =
            rows.iter().zip(&weights).map(|((row, value), weight)| (row.map(|x| x * weight), value * weight)).collect();
        found = non_negative(&weighted);
        for (weight, (row, value)) in weights.iter_mut().zip(rows) {
            *weight = 1.0 / (value * dot(row, &found).max(value / 100.0)).sqrt();
        }
    }
    found
}

/// There are few coefficients, so all choices of those above zero are tried; among the least squares of each choice
/// that stay above zero is the best one of all.
fn non_negative(rows: &[([f64; N], f64)]) -> [f64; N] {
    let mut best = ([0.0; N], f64::INFINITY);
    for choice in 1..1_usize << N {
        let chosen: Vec<usize> = (0..N).filter(|at| choice >> at & 1 == 1).collect();
        let Some(solution) = least_squares(rows, &chosen) else { continue };
        if solution.iter().all(|c| *c >= 0.0) {
            let error = rows.iter().map(|(row, value)| (dot(row, &solution) - value).powi(2)).sum::<f64>();
            if error < best.1 {
                best = (solution, error);
            }
        }
    }
    best.0
}

fn dot(row: &[f64; N], coefficients: &[f64; N]) -> f64 {
    row.iter().zip(coefficients).map(|(x, c)| x * c).sum()
}

/// The least squares with only the chosen coefficients; `None` where these are not determined.
fn least_squares(rows: &[([f64; N], f64)], chosen: &[usize]) -> Option<[f64; N]> {
    let n = chosen.len();
    let length = |at: usize| rows.iter().map(|(row, _)| row[at].powi(2)).sum::<f64>().sqrt();
    // Columns of length one: a product of nearly one shows that two of them are nearly the same.
    let lengths: Vec<f64> = chosen.iter().map(|at| length(*at)).collect();
    if lengths.contains(&0.0) {
        return None;
    }
    let mut system = [[0.0; N + 1]; N];
    for (row, value) in rows {
        for i in 0..n {
            let x = row[chosen[i]] / lengths[i];
            (0..n).for_each(|j| system[i][j] += x * row[chosen[j]] / lengths[j]);
            system[i][N] += x * value;
        }
    }
    let solution = solve(system, n)?;
    let mut coefficients = [0.0; N];
    (0..n).for_each(|i| coefficients[chosen[i]] = solution[i] / lengths[i]);
    Some(coefficients)
}

/// Solves a positive definite system of the first `n` unknowns by elimination.
fn solve(mut system: [[f64; N + 1]; N], n: usize) -> Option<[f64; N]> {
    for pivot in 0..n {
        if system[pivot][pivot] < 1e-9 {
            return None;
        }
        for row in 0..n {
            if row != pivot {
                let factor = system[row][pivot] / system[pivot][pivot];
                (0..=N).for_each(|at| system[row][at] -= factor * system[pivot][at]);
            }
        }
    }
    let mut solution = [0.0; N];
    (0..n).for_each(|at| solution[at] = system[at][N] / system[at][at]);
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_values_give_their_coefficients_back() {
        let wanted = [3.0, 0.5, 0.0, 2.0];
        let rows: Vec<([f64; N], f64)> = (1..30)
            .map(|i| {
                let x = f64::from(i);
                let row = [1.0, x.sqrt(), (x * 0.7).sin().abs(), x * x % 17.0];
                (row, dot(&row, &wanted))
            })
            .collect();
        for (found, wanted) in fit(&rows).iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        }
    }

    #[test]
    fn no_coefficient_is_negative_and_what_is_never_there_costs_nothing() {
        let rows: Vec<([f64; N], f64)> =
            (1..20).map(|i| ([1.0, 0.0, f64::from(i), 0.0], 100.0 / f64::from(i))).collect();
        let found = fit(&rows);
        assert!(found.iter().all(|c| *c >= 0.0), "{found:?}");
        assert_eq!([found[1], found[2], found[3]], [0.0; 3]);
        assert_eq!(fit(&[]), [0.0; N]);
    }
}
