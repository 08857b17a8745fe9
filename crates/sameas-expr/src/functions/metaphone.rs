//! The two codes of Double Metaphone. A text without a code, such as one without letters, is null.

use crate::expr::eval::{Args, texts};
use crate::expr::{Function, Vector};
use crate::measure::double_metaphone;

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    let text = args.texts(0);
    texts(args, 4 * args.rows(), |row, out| {
        let [primary, alternate] = double_metaphone(text.get(row)?);
        let code = if function == Function::Metaphone { primary } else { alternate };
        out.push_str(&code);
        (!code.is_empty()).then_some(())
    })
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, null, t};

    #[test]
    fn texts_have_two_codes() {
        for (text, primary, alternate) in [
            (t("Schmidt"), "'XMT'", "'SMT'"),
            (t("knight"), "'NT'", "'NT'"),
            (t("12"), "null", "null"),
            (t(""), "null", "null"),
            (null(), "null", "null"),
        ] {
            check(F::Metaphone, [text.clone()], primary);
            check(F::MetaphoneAlternate, [text], alternate);
        }
    }
}
