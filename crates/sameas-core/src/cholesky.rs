//! Symmetric matrices of a few dozen rows: whether they are positive definite, and their inverse.

/// The lower triangle L of a positive definite matrix `L L'`.
#[derive(Clone, Debug)]
pub struct Cholesky {
    lower: Vec<Vec<f64>>,
}

/// The part of a diagonal element below which what is left of it is rounding.
const ROUNDING: f64 = 1e-12;

impl Cholesky {
    /// Of a symmetric matrix; nothing where it is not positive definite, as far as rounding tells.
    pub fn new(mut matrix: Vec<Vec<f64>>) -> Option<Self> {
        for column in 0..matrix.len() {
            let (above, rest) = matrix.split_at_mut(column);
            let own = rest[0][column];
            let left = own - rest[0][..column].iter().map(|of| of * of).sum::<f64>();
            if left.is_nan() || left <= ROUNDING * own.abs() {
                return None;
            }
            let root = left.sqrt();
            let (first, others) = rest.split_at_mut(1);
            first[0][column] = root;
            for row in others {
                let known: f64 = row[..column].iter().zip(&first[0][..column]).map(|(a, b)| a * b).sum();
                row[column] = (row[column] - known) / root;
            }
            for row in above {
                row[column] = 0.0;
            }
        }
        Some(Self { lower: matrix })
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.lower.len();
        (0..size).map(|at| self.solved(at)).collect()
    }

    /// The solution for the unit vector of a place.
    fn solved(&self, at: usize) -> Vec<f64> {
        let (lower, size) = (&self.lower, self.lower.len());
        let mut values = vec![0.0; size];
        for row in at..size {
            let known: f64 = (at..row).map(|column| lower[row][column] * values[column]).sum();
            values[row] = (f64::from(u8::from(row == at)) - known) / lower[row][row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|column| lower[column][row] * values[column]).sum();
            values[row] = (values[row] - known) / lower[row][row];
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_gives_the_unit_matrix() {
        let matrix = vec![vec![4.0, 2.0, -1.0], vec![2.0, 5.0, 0.5], vec![-1.0, 0.5, 3.0]];
        let inverse = Cholesky::new(matrix.clone()).unwrap().inverse();
        for (i, row) in matrix.iter().enumerate() {
            for j in 0..row.len() {
                let product: f64 = row.iter().zip(&inverse).map(|(value, of_inverse)| value * of_inverse[j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {product}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_none() {
        for matrix in [[[1.0, 2.0], [2.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]], [[f64::NAN, 0.0], [0.0, 1.0]]] {
            assert!(Cholesky::new(matrix.iter().map(|row| row.to_vec()).collect()).is_none(), "{matrix:?}");
        }
    }
}
