//! `concat` and `concat_ws`: texts joined, without those that are null. Where all are null, so is the result.

use super::text::check_long;
use crate::expr::eval::{Args, TextArg, texts};
use crate::expr::{Function, Vector};

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    let first = usize::from(function == Function::ConcatWs);
    let parts: Vec<TextArg<'_>> = (first..args.len()).map(|index| args.texts(index)).collect();
    let separator = args.texts(0);
    let bytes = parts.iter().map(|part| part.bytes(args.rows())).sum();
    texts(args, bytes, |row, out| {
        let separator = if first == 1 { separator.get(row)? } else { "" };
        let present = || parts.iter().filter_map(|part| part.get(row));
        check_long(args, present().map(|part| part.len() + separator.len()).sum());
        for (at, part) in present().enumerate() {
            out.push_str(if at > 0 { separator } else { "" });
            out.push_str(part);
        }
        present().next().map(|_| ())
    })
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, null, t};

    #[test]
    fn nulls_are_left_out() {
        check(F::ConcatPresent, [t("a"), null(), t("é")], "'aé'");
        check(F::ConcatPresent, [null(), t("")], "''");
        check(F::ConcatPresent, [null(), null()], "null");
        check(F::ConcatPresent, [t("a")], "'a'");
    }

    #[test]
    fn a_separator_stands_between_two_texts() {
        check(F::ConcatWs, [t(", "), t("a"), null(), t("b")], "'a, b'");
        check(F::ConcatWs, [t("-"), t(""), t("b")], "'-b'");
        check(F::ConcatWs, [t("-"), null(), t("b")], "'b'");
        check(F::ConcatWs, [t("-"), null()], "null");
        check(F::ConcatWs, [null(), t("a"), t("b")], "null");
    }
}
