//! Near pairs.

use clap::Args;
use sameas::Job;

/// Whether near pairs are looked for.
#[derive(Debug, Args)]
pub struct Near {
    /// Also look for near pairs, which would be found if one threshold were looser by this much, such as 0.05 (numbers of
    /// edits, tokens and days by 1). They go to a file of their own, `near`, and into no pair and no cluster
    #[arg(long = "near", value_name = "AMOUNT", value_parser = amount)]
    pub amount: Option<f64>,
}

impl Near {
    /// The job, with near pairs if they are asked for.
    pub fn apply(&self, job: Job) -> Job {
        match self.amount {
            Some(amount) => job.with_near(amount),
            None => job,
        }
    }
}

/// An amount to loosen similarities by.
fn amount(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(amount) if amount > 0.0 && amount < 1.0 => Ok(amount),
        _ => Err("similarities are between 0 and 1; write by how much they may be missed, for example 0.05".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_between_zero_and_one() {
        assert_eq!(amount("0.05"), Ok(0.05));
        for wrong in ["0", "1", "-0.1", "5", "nan", "a little"] {
            assert!(amount(wrong).unwrap_err().ends_with("for example 0.05"), "{wrong}");
        }
    }
}
