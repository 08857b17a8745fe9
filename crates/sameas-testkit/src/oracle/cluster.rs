//! Clusters by relabelling until nothing changes.

/// For each of `records` rows the first row of its cluster: the smallest row it is connected to.
pub fn clusters(records: usize, pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut label: Vec<usize> = (0..records).collect();
    loop {
        let before = label.clone();
        for &(a, b) in pairs {
            let least = label[a].min(label[b]);
            label[a] = least;
            label[b] = least;
        }
        if label == before {
            return label;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_become_one() {
        assert_eq!(clusters(6, &[(4, 5), (2, 4), (0, 2)]), [0, 1, 0, 3, 0, 0]);
        assert_eq!(clusters(0, &[]), [0_usize; 0]);
    }
}
