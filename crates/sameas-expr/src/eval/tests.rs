//! Tests of the evaluator as a whole: random expressions, conversion counts, literals.

use proptest::prelude::*;

use super::testing::{Table, b, call, column, d, f, literal, n, nl, null, show, stack, t, tl, w};
use super::*;
use crate::expr::{Num, Span, Type};
use crate::measure::{SetMeasure, TextMeasure};

const ROWS: usize = 5;
const TYPES: [Type; 6] = [Type::Bool, Type::Text, Type::Number, Type::Date, Type::TextList, Type::NumberList];

const TEXTS: [&str; 21] = [
    "",
    "a",
    "é",
    "e\u{301}",
    "😀😀",
    "Ab c-12",
    " 7 ",
    "-2.5",
    "2024-02-29",
    "20240531 1",
    "1e400",
    "(",
    "[a-z]+",
    "%a_",
    "g",
    "gi",
    "\\1",
    "ΑΣ",
    "yes",
    "İ",
    "\u{0}",
];

/// Random numbers from a seed (splitmix64): the shape of a random expression.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }
}

/// Values that are likely to break something.
fn value(dice: &mut Dice, ty: Type) -> Vector {
    if dice.below(6) == 0 {
        return null();
    }
    match ty {
        Type::Bool => b(dice.below(2) == 0),
        Type::Text => t(dice.pick(&TEXTS)),
        Type::Number | Type::Decimal => match dice.below(6) {
            4 => {
                w(dice.pick(&["0.10", "-0.5", "18446744073709551615", "9007199254740993.5", "7.00", "1e-120", "9e127"]))
            }
            5 => w(&format!("{}.{}", "9".repeat(dice.below(60) + 1), "9".repeat(dice.below(16) + 1))),
            0 => n(dice.pick(&[i64::MIN, i64::MIN + 1, i64::MAX, 9_007_199_254_740_993, -400, 400])),
            1 => f(dice.pick(&[f64::MAX, f64::MIN, f64::MIN_POSITIVE, -0.0, 0.5, -2.5, 9.3e18, 1e-300])),
            _ => n(dice.below(7) as i64 - 3),
        },
        Type::Date => d(dice.pick(&[i32::MIN, i32::MAX, 0, -1, 19_874, -719_529])),
        Type::TextList => dice.pick(&[tl(&[]), tl(&["a"]), tl(&["b", "a", "a", ""]), tl(&["é", "b"])]),
        Type::NumberList => dice.pick(&[nl(&[]), nl(&[0.0, 0.0]), nl(&[1.0, -2.0]), nl(&[f64::MAX, f64::MAX])]),
        Type::Null => null(),
    }
}

/// Every function with the types of its arguments; `any` is used where every type fits.
fn signatures(any: Type) -> Vec<(Function, Vec<Type>)> {
    use Function as F;
    use Type::{Bool as B, Date as D, Number as N, NumberList as V, Text as T, TextList as L};
    let mut all = vec![
        (F::And, vec![B, B, B]),
        (F::Or, vec![B, B, B]),
        (F::In, vec![any, any, any, any]),
        (F::Case, vec![B, any, B, any, any]),
        (F::Coalesce, vec![any, any, any]),
        (F::Least, vec![any, any, any]),
        (F::Greatest, vec![any, any, any]),
        (F::Round, vec![N]),
        (F::Round, vec![N, N]),
        (F::Concat, vec![T, T, T]),
        (F::ConcatPresent, vec![T, T]),
        (F::ConcatWs, vec![T, T, T]),
        (F::Strptime, vec![T, T, T]),
        (F::ParseNumber, vec![T, T]),
        (F::ListGroups, vec![T, T]),
        (F::ArrayLength, vec![L]),
        (F::Substr, vec![T, N]),
        (F::Substr, vec![T, N, N]),
        (F::Left, vec![T, N]),
        (F::Right, vec![T, N]),
        (F::Replace, vec![T, T, T]),
        (F::RegexpReplace, vec![T, T, T]),
        (F::RegexpReplace, vec![T, T, T, T]),
        (F::RegexpExtract, vec![T, T]),
        (F::RegexpExtract, vec![T, T, N]),
        (F::SplitPart, vec![T, T, N]),
        (F::Like, vec![T, T, T]),
        (F::ILike, vec![T, T, T]),
        (F::DateDiffDays, vec![D, D]),
        (F::Qgrams, vec![T, N]),
        (F::CosineSimilarity, vec![V, V]),
        (F::ToTextList, vec![V]),
        (F::HaversineKm, vec![N, N, N, N]),
    ];
    let mut add = |functions: &[Function], types: &[Type]| {
        all.extend(functions.iter().map(|function| (*function, types.to_vec())));
    };
    add(&[F::Not, F::IsTrue, F::IsFalse], &[B]);
    add(&[F::IsNull, F::IsNotNull, F::ToNumber, F::ToDate, F::ToText, F::ToBool, F::ToInteger, F::ToFloat], &[any]);
    add(&[F::Equal, F::NotEqual, F::Less, F::LessEqual, F::Greater, F::GreaterEqual], &[any, any]);
    add(&[F::Distinct, F::NotDistinct, F::NullIf], &[any, any]);
    add(&[F::Add, F::Subtract, F::Multiply, F::Divide, F::Modulo], &[N, N]);
    add(&[F::Negate, F::Abs, F::Floor, F::Ceil], &[N]);
    add(&[F::Lower, F::Upper, F::Trim, F::TrimStart, F::TrimEnd, F::Length, F::StripAccents], &[T]);
    add(&[F::Metaphone, F::MetaphoneAlternate], &[T]);
    add(&[F::StripPunctuation, F::CollapseSpaces, F::Digits, F::Soundex, F::SortKey, F::Words], &[T]);
    add(&[F::Trim, F::TrimStart, F::TrimEnd, F::StartsWith, F::Contains, F::Like, F::ILike], &[T, T]);
    TextMeasure::ALL.iter().for_each(|measure| add(&[F::Text(*measure)], &[T, T]));
    add(&[F::Year, F::Month, F::Day], &[D]);
    SetMeasure::ALL.iter().for_each(|measure| add(&[F::Set(*measure)], &[L, L]));
    add(&[F::ListHasAny], &[L, L]);
    all
}

/// A random expression of type `ty`; its columns are added to `columns`, each value a vector of one row.
fn expression(dice: &mut Dice, ty: Type, depth: usize, columns: &mut Vec<Vec<Vector>>) -> Expr {
    let any = if ty == Type::Bool { dice.pick(&TYPES) } else { ty };
    // Conversions take other types than they return.
    let any = if dice.below(4) == 0 { dice.pick(&TYPES) } else { any };
    let fitting: Vec<_> = signatures(any)
        .into_iter()
        .filter(|(function, types)| {
            let first = if *function == Function::Case { types[1] } else { types[0] };
            function.result_type(first) == ty
        })
        .collect();
    if depth == 0 || fitting.is_empty() || dice.below(5) == 0 {
        return leaf(dice, ty, columns);
    }
    let (function, types) = dice.pick(&fitting);
    call(function, types.into_iter().map(|ty| expression(dice, ty, depth - 1, columns)).collect())
}

/// A literal or a column.
fn leaf(dice: &mut Dice, ty: Type, columns: &mut Vec<Vec<Vector>>) -> Expr {
    if dice.below(2) == 0
        && let Some(literal) = literal(&value(dice, ty))
    {
        return literal;
    }
    columns.push((0..ROWS).map(|_| value(dice, ty)).collect());
    column(columns.len() - 1, ty)
}

/// The expression with each literal but `null` replaced by a column that repeats it.
fn without_literals(expr: &Expr, columns: &mut Vec<Vec<Vector>>) -> Expr {
    match &expr.kind {
        ExprKind::Literal(value) if !matches!(value, Value::Null) => {
            columns.push(vec![super::literal(value); ROWS]);
            column(columns.len() - 1, expr.ty)
        }
        ExprKind::Call(function, arguments) => {
            let arguments = arguments.iter().map(|argument| without_literals(argument, columns)).collect();
            Expr { kind: ExprKind::Call(*function, arguments), ty: expr.ty, span: Span::default() }
        }
        _ => expr.clone(),
    }
}

fn table(columns: &[Vec<Vector>]) -> Table {
    Table(ROWS, columns.iter().map(|values| stack(values)).collect())
}

fn row(columns: &[Vec<Vector>], row: usize) -> Table {
    Table(1, columns.iter().map(|values| values[row].clone()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// No expression panics; its value has its type, and depends on its row only, not on the batch or on what is
    /// a literal and what a column.
    #[test]
    fn values_depend_on_their_row_only(seed: u64) {
        let mut dice = Dice(seed);
        let mut columns = Vec::new();
        let ty = dice.pick(&TYPES);
        let expr = expression(&mut dice, ty, 3, &mut columns);
        let batch = evaluate(&expr, &table(&columns), None);
        prop_assert_eq!(batch.ty(), expr.ty);
        let shown = show(&batch);
        let alone: Vec<String> =
            (0..ROWS).flat_map(|index| show(&evaluate(&expr, &row(&columns, index), None))).collect();
        prop_assert_eq!(&shown, &alone);
        let plain = without_literals(&expr, &mut columns);
        prop_assert_eq!(&shown, &show(&evaluate(&plain, &table(&columns), None)));
    }
}

#[test]
fn the_random_expressions_reach_every_function() {
    let reached: std::collections::BTreeSet<String> =
        signatures(Type::Text).iter().map(|(function, _)| format!("{function:?}")).collect();
    assert_eq!(reached, Function::all().map(|function| format!("{function:?}")).collect());
}

#[test]
fn no_rows_give_no_values() {
    let table = Table(0, vec![Vector::Text(Vec::<&str>::new().into())]);
    for function in [Function::Lower, Function::StripAccents, Function::Trim, Function::Length, Function::Words] {
        assert!(evaluate(&call(function, vec![column(0, Type::Text)]), &table, None).is_empty());
    }
    let constant = literal(&t("x")).expect("a literal");
    assert!(evaluate(&call(Function::Upper, vec![constant]), &table, None).is_empty());
}

#[test]
fn failed_conversions_of_text_columns_are_counted() {
    let texts = stack(&[t("1"), t("x"), null(), t("1e30"), t("2024-05-31")]);
    let table = Table(5, vec![texts, stack(&vec![n(3); 5])]);
    let counts = ParseCounts::default();
    let column_of_texts = || column(0, Type::Text);
    for (function, total) in
        [(Function::ToNumber, 2), (Function::ToFloat, 4), (Function::ToInteger, 7), (Function::ToDate, 10)]
    {
        evaluate(&call(function, vec![column_of_texts()]), &table, Some(&counts));
        assert_eq!(counts.snapshot(), [("0".to_owned(), total)].into(), "{function:?}");
    }
    let lowered = call(Function::Lower, vec![column_of_texts()]);
    evaluate(&call(Function::ToNumber, vec![lowered]), &table, Some(&counts));
    evaluate(&call(Function::ToBool, vec![column_of_texts()]), &table, Some(&counts));
    evaluate(&call(Function::ToDate, vec![column(1, Type::Number)]), &table, Some(&counts));
    assert_eq!(counts.snapshot(), [("0".to_owned(), 10)].into());
    let by_format = vec![column_of_texts(), literal(&t("%Y-%m-%d")).expect("a literal")];
    evaluate(&call(Function::Strptime, by_format), &table, Some(&counts));
    assert_eq!(counts.snapshot(), [("0".to_owned(), 13)].into());
    let nested = call(Function::Abs, vec![call(Function::ToNumber, vec![column_of_texts()])]);
    evaluate(&nested, &table, Some(&counts));
    assert_eq!(counts.snapshot(), [("0".to_owned(), 15)].into());
}

#[test]
fn a_null_literal_takes_the_type_of_the_expression() {
    for ty in TYPES {
        let expr = Expr { kind: ExprKind::Literal(Value::Null), ty, span: Span::default() };
        assert_eq!(evaluate(&expr, &Table(2, vec![]), None).ty(), ty);
    }
    let half =
        Expr { kind: ExprKind::Literal(Value::Number(Num::Float(0.5))), ty: Type::Number, span: Span::default() };
    assert_eq!(show(&evaluate(&half, &Table(2, vec![]), None)), ["0.5", "0.5"]);
}
