//! The operators and functions of the rule language, as the testkit names them.

/// Every operator and function of the rule language. An [`Expr::Call`](super::Expr::Call) applies one to its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    /// `a and b and ...`
    And,
    /// `a or b or ...`
    Or,
    /// `not a`
    Not,
    /// `a is null`
    IsNull,
    /// `a is not null`
    IsNotNull,
    /// `a is true`
    IsTrue,
    /// `a is not true`
    IsNotTrue,
    /// `a is false`
    IsFalse,
    /// `a is not false`
    IsNotFalse,
    /// `a = b`
    Equal,
    /// `a <> b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a is distinct from b`
    Distinct,
    /// `a is not distinct from b`
    NotDistinct,
    /// `a in (b, c, ...)`
    In,
    /// `a not in (b, c, ...)`
    NotIn,
    /// `a between b and c`
    Between,
    /// `a not between b and c`
    NotBetween,
    /// `a like pattern [escape c]`
    Like,
    /// `a not like pattern [escape c]`
    NotLike,
    /// `a ilike pattern [escape c]`
    ILike,
    /// `case when a then b ... [else z] end`; an odd number of arguments has an `else`.
    Case,
    /// `coalesce(a, b, ...)`
    Coalesce,
    /// `nullif(a, b)`
    NullIf,
    /// `least(a, b, ...)`
    Least,
    /// `greatest(a, b, ...)`
    Greatest,
    /// `cast(a as varchar)`
    CastText,
    /// `cast(a as integer)`
    CastInteger,
    /// `cast(a as double)`
    CastDouble,
    /// `cast(a as date)`
    CastDate,
    /// `strptime(a, format, ...)`
    Strptime,
    /// `parse_number(a, mark)`
    ParseNumber,
    /// `a + b`
    Add,
    /// `a - b`, of two numbers or two dates
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Modulo,
    /// `-a`
    Negate,
    /// `abs(a)`
    Abs,
    /// `round(a[, digits])`
    Round,
    /// `floor(a)`
    Floor,
    /// `ceil(a)`
    Ceil,
    /// `a || b`
    Concat,
    /// `lower(a)`
    Lower,
    /// `upper(a)`
    Upper,
    /// `trim(a)`, `trim(both c from a)`
    Trim,
    /// `ltrim(a)`
    TrimStart,
    /// `rtrim(a)`
    TrimEnd,
    /// `substr(a, start[, length])`
    Substr,
    /// `left(a, n)`
    Left,
    /// `right(a, n)`
    Right,
    /// `length(a)`
    Length,
    /// `replace(a, from, to)`
    Replace,
    /// `regexp_replace(a, pattern, to[, flags])`
    RegexpReplace,
    /// `regexp_extract(a, pattern[, group])`
    RegexpExtract,
    /// `split_part(a, separator, n)`
    SplitPart,
    /// `starts_with(a, prefix)`
    StartsWith,
    /// `contains(a, part)`
    Contains,
    /// `strip_accents(a)`
    StripAccents,
    /// `strip_punctuation(a)`
    StripPunctuation,
    /// `collapse_spaces(a)`
    CollapseSpaces,
    /// `digits(a)`
    Digits,
    /// `concat(a, b, ...)`
    ConcatPresent,
    /// `concat_ws(separator, a, b, ...)`
    ConcatWs,
    /// `year(a)`
    Year,
    /// `month(a)`
    Month,
    /// `day(a)`
    Day,
    /// `date_diff_days(a, b)`
    DateDiffDays,
    /// `soundex(a)`
    Soundex,
    /// `metaphone(a)`
    Metaphone,
    /// `metaphone_alternate(a)`
    MetaphoneAlternate,
    /// `sort_key(a)`
    SortKey,
    /// `words(a)`
    Words,
    /// `qgrams(a, q)`
    Qgrams,
    /// `array_length(x)`
    ArrayLength,
    /// `levenshtein(a, b)`
    Levenshtein,
    /// `osa(a, b)`
    Osa,
    /// `damerau_levenshtein(a, b)`
    DamerauLevenshtein,
    /// `levenshtein_similarity(a, b)`
    LevenshteinSimilarity,
    /// `osa_similarity(a, b)`
    OsaSimilarity,
    /// `damerau_similarity(a, b)`, the similarity of the unrestricted distance
    DamerauSimilarity,
    /// `lcs_similarity(a, b)`
    LcsSimilarity,
    /// `indel_similarity(a, b)`
    IndelSimilarity,
    /// `hamming(a, b)`
    Hamming,
    /// `jaro(a, b)`
    Jaro,
    /// `jaro_winkler(a, b)`
    JaroWinkler,
    /// `jaccard(x, y)`
    Jaccard,
    /// `dice(x, y)`
    Dice,
    /// `cosine(x, y)`
    Cosine,
    /// `overlap_coefficient(x, y)`
    OverlapCoefficient,
    /// `overlap(x, y)`
    Overlap,
    /// `monge_elkan(x, y)`
    MongeElkan,
    /// `list_has_any(x, y)`
    ListHasAny,
    /// `in_list(a, b, list)`, where the third argument is the content of the file
    InList,
    /// `cosine_similarity(v, w)`
    CosineSimilarity,
    /// `haversine_km(lat, lon, lat, lon)`
    HaversineKm,
    /// `neighbours(l.k, r.k, w)`
    Neighbours,
}

/// What the value of a measure of two texts or of two sets is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// A number of differences between two texts.
    Distance,
    /// A similarity of two texts.
    TextSimilarity,
    /// A similarity of two sets.
    SetSimilarity,
    /// A number of elements that two sets have in common.
    Common,
}

/// The measures of two texts and of two sets, and the join that must find the pairs of a bound on each.
const COMPARED: [(Op, MeasureKind, Option<&str>); 17] = [
    (Op::Levenshtein, MeasureKind::Distance, Some("edit_join")),
    (Op::Osa, MeasureKind::Distance, Some("edit_join")),
    (Op::DamerauLevenshtein, MeasureKind::Distance, Some("edit_join")),
    (Op::Hamming, MeasureKind::Distance, None),
    (Op::LevenshteinSimilarity, MeasureKind::TextSimilarity, Some("edit_join")),
    (Op::OsaSimilarity, MeasureKind::TextSimilarity, Some("edit_join")),
    (Op::DamerauSimilarity, MeasureKind::TextSimilarity, Some("edit_join")),
    (Op::LcsSimilarity, MeasureKind::TextSimilarity, Some("edit_join")),
    (Op::IndelSimilarity, MeasureKind::TextSimilarity, Some("edit_join")),
    (Op::Jaro, MeasureKind::TextSimilarity, Some("jaro_join")),
    (Op::JaroWinkler, MeasureKind::TextSimilarity, Some("jaro_join")),
    (Op::Jaccard, MeasureKind::SetSimilarity, Some("set_join")),
    (Op::Dice, MeasureKind::SetSimilarity, Some("set_join")),
    (Op::Cosine, MeasureKind::SetSimilarity, Some("set_join")),
    (Op::OverlapCoefficient, MeasureKind::SetSimilarity, Some("set_join")),
    (Op::Overlap, MeasureKind::Common, Some("set_join")),
    (Op::MongeElkan, MeasureKind::SetSimilarity, None),
];

impl Op {
    /// The measures of two texts or two sets whose values are of a kind.
    pub fn of_kind(kind: MeasureKind) -> Vec<Op> {
        COMPARED.iter().filter(|(_, of, _)| *of == kind).map(|(op, ..)| *op).collect()
    }

    /// The measures of a kind whose bounds a join must find.
    pub fn joined_by(join: &str, kind: MeasureKind) -> Vec<Op> {
        Self::of_kind(kind).into_iter().filter(|op| op.join() == Some(join)).collect()
    }

    /// What its values are, if it is a measure of two texts or two sets.
    pub fn kind(self) -> Option<MeasureKind> {
        COMPARED.iter().find(|(op, ..)| *op == self).map(|(_, kind, _)| *kind)
    }

    /// The join that must find the pairs of a bound on it.
    pub fn join(self) -> Option<&'static str> {
        COMPARED.iter().find(|(op, ..)| *op == self).and_then(|(_, _, join)| *join)
    }

    /// The measures, and functions that may fail: what a run of random cases should have seen true, false and null.
    pub const MEASURES: [Op; 31] = [
        Op::Levenshtein,
        Op::Osa,
        Op::DamerauLevenshtein,
        Op::LevenshteinSimilarity,
        Op::OsaSimilarity,
        Op::DamerauSimilarity,
        Op::LcsSimilarity,
        Op::IndelSimilarity,
        Op::Hamming,
        Op::Jaro,
        Op::JaroWinkler,
        Op::Jaccard,
        Op::Dice,
        Op::Cosine,
        Op::OverlapCoefficient,
        Op::Overlap,
        Op::MongeElkan,
        Op::Soundex,
        Op::Neighbours,
        Op::SortKey,
        Op::ListHasAny,
        Op::CosineSimilarity,
        Op::HaversineKm,
        Op::Strptime,
        Op::ParseNumber,
        Op::ConcatPresent,
        Op::ConcatWs,
        Op::Metaphone,
        Op::MetaphoneAlternate,
        Op::ArrayLength,
        Op::InList,
    ];

    /// Whether it is one of [`Op::MEASURES`].
    pub fn is_measure(self) -> bool {
        Self::MEASURES.contains(&self)
    }

    /// The name in SQL: the function's name, or the symbol or keyword of an operator.
    pub fn name(self) -> &'static str {
        match self {
            Op::And => "and",
            Op::Or => "or",
            Op::Not => "not",
            Op::IsNull => "is null",
            Op::IsNotNull => "is not null",
            Op::IsTrue => "is true",
            Op::IsNotTrue => "is not true",
            Op::IsFalse => "is false",
            Op::IsNotFalse => "is not false",
            Op::Equal => "=",
            Op::NotEqual => "<>",
            Op::Less => "<",
            Op::LessEqual => "<=",
            Op::Greater => ">",
            Op::GreaterEqual => ">=",
            Op::Distinct => "is distinct from",
            Op::NotDistinct => "is not distinct from",
            Op::In => "in",
            Op::NotIn => "not in",
            Op::Between => "between",
            Op::NotBetween => "not between",
            Op::Like => "like",
            Op::NotLike => "not like",
            Op::ILike => "ilike",
            Op::Case => "case",
            Op::Coalesce => "coalesce",
            Op::NullIf => "nullif",
            Op::Least => "least",
            Op::Greatest => "greatest",
            Op::CastText => "varchar",
            Op::CastInteger => "integer",
            Op::CastDouble => "double",
            Op::CastDate => "date",
            Op::Add => "+",
            Op::Subtract | Op::Negate => "-",
            Op::Multiply => "*",
            Op::Divide => "/",
            Op::Modulo => "%",
            Op::Concat => "||",
            other => other.function_name(),
        }
    }

    /// The name of what is written `name(arguments)` and is not an operator.
    fn function_name(self) -> &'static str {
        match self {
            Op::Abs => "abs",
            Op::Round => "round",
            Op::Floor => "floor",
            Op::Ceil => "ceil",
            Op::Lower => "lower",
            Op::Upper => "upper",
            Op::Trim => "trim",
            Op::TrimStart => "ltrim",
            Op::TrimEnd => "rtrim",
            Op::Substr => "substr",
            Op::Left => "left",
            Op::Right => "right",
            Op::Length => "length",
            Op::Replace => "replace",
            Op::RegexpReplace => "regexp_replace",
            Op::RegexpExtract => "regexp_extract",
            Op::SplitPart => "split_part",
            Op::StartsWith => "starts_with",
            Op::Contains => "contains",
            Op::StripAccents => "strip_accents",
            Op::StripPunctuation => "strip_punctuation",
            Op::CollapseSpaces => "collapse_spaces",
            Op::Digits => "digits",
            Op::Year => "year",
            Op::Month => "month",
            Op::Day => "day",
            Op::DateDiffDays => "date_diff_days",
            Op::Strptime => "strptime",
            Op::ParseNumber => "parse_number",
            Op::ConcatPresent => "concat",
            Op::ConcatWs => "concat_ws",
            other => other.measure_name(),
        }
    }

    /// The name of a measure or of a token set.
    fn measure_name(self) -> &'static str {
        match self {
            Op::Soundex => "soundex",
            Op::Metaphone => "metaphone",
            Op::MetaphoneAlternate => "metaphone_alternate",
            Op::SortKey => "sort_key",
            Op::Words => "words",
            Op::Qgrams => "qgrams",
            Op::ArrayLength => "array_length",
            Op::Levenshtein => "levenshtein",
            Op::Osa => "osa",
            Op::DamerauLevenshtein => "damerau_levenshtein",
            Op::LevenshteinSimilarity => "levenshtein_similarity",
            Op::OsaSimilarity => "osa_similarity",
            Op::DamerauSimilarity => "damerau_similarity",
            Op::LcsSimilarity => "lcs_similarity",
            Op::IndelSimilarity => "indel_similarity",
            Op::Hamming => "hamming",
            Op::Jaro => "jaro",
            Op::JaroWinkler => "jaro_winkler",
            Op::Jaccard => "jaccard",
            Op::Dice => "dice",
            Op::Cosine => "cosine",
            Op::OverlapCoefficient => "overlap_coefficient",
            Op::Overlap => "overlap",
            Op::MongeElkan => "monge_elkan",
            Op::ListHasAny => "list_has_any",
            Op::InList => "in_list",
            Op::CosineSimilarity => "cosine_similarity",
            Op::HaversineKm => "haversine_km",
            _ => "neighbours",
        }
    }
}
