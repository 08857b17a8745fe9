//! Parts of dates, and days between two.

use crate::expr::calendar::civil;
use crate::expr::eval::{Args, numbers};
use crate::expr::{Function, Num, Vector};

pub(super) fn part(function: Function, args: &Args<'_>) -> Vector {
    let days = args.dates(0);
    numbers(args.rows(), |row| {
        let (year, month, day) = civil(*days.get(row)?);
        Some(Num::Int(match function {
            Function::Year => year,
            Function::Month => month,
            Function::Day => day,
            other => unreachable!("{other:?} belongs to another group"),
        }))
    })
}

/// Days from the first date to the second.
pub(super) fn difference(args: &Args<'_>) -> Vector {
    let (from, to) = (args.dates(0), args.dates(1));
    numbers(args.rows(), |row| {
        let (from, to) = (*from.get(row)?, *to.get(row)?);
        Some(Num::Int(i64::from(to) - i64::from(from)))
    })
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, d, null};

    #[test]
    fn parts_and_differences() {
        for (days, year, month, day) in [
            (d(19_874), "2024", "5", "31"),
            (d(-1), "1969", "12", "31"),
            (d(i32::MAX), "5881580", "7", "11"),
            (d(i32::MIN), "-5877641", "6", "23"),
            (null(), "null", "null", "null"),
        ] {
            check(F::Year, [days.clone()], year);
            check(F::Month, [days.clone()], month);
            check(F::Day, [days], day);
        }
        check(F::DateDiffDays, [d(10), d(3)], "-7");
        check(F::DateDiffDays, [d(i32::MIN), d(i32::MAX)], "4294967295");
        check(F::DateDiffDays, [d(1), null()], "null");
        check(F::DateDiffDays, [null(), d(1)], "null");
    }
}
