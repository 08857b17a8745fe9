use std::collections::{BTreeSet, HashMap};

use arrow_array::StringArray;
use proptest::prelude::*;

use super::intern::{number, ranked};
use super::*;
use crate::cancel::{Cancel, catch};
use crate::error::ErrorCode;
use crate::expr::Vector;
use crate::memory::MemoryBudget;
use crate::records::encode::Numbers;

fn dictionary(texts: &[String]) -> (Dictionary, Vec<u32>) {
    let values = Vector::Text(StringArray::from_iter_values(texts));
    let (dictionary, mut codes) = Dictionary::encode(&[vec![values.into()]], Numbers::ByValue, Cancel::NEVER);
    (dictionary, codes.remove(0))
}

fn tokens_of(text: &str, tokenizer: Tokenizer) -> BTreeSet<String> {
    match tokenizer {
        Tokenizer::Qgrams(q) => {
            text.chars().collect::<Vec<_>>().windows(q).map(|w| w.iter().collect::<String>()).collect()
        }
        _ => crate::measure::tokens::words(text).map(str::to_owned).collect(),
    }
}

/// Sets mean their tokens: ids are ascending, and one id stands for one text across all sources.
fn check(sources: &[(Vec<String>, Tokenizer)]) {
    let made: Vec<(Dictionary, Vec<u32>)> = sources.iter().map(|s| dictionary(&s.0)).collect();
    let given: Vec<(&Dictionary, Tokenizer)> = made.iter().zip(sources).map(|(m, s)| (&m.0, s.1)).collect();
    let sets = TokenSets::tokenize(&given, Cancel::NEVER);
    let mut of_id: HashMap<u32, String> = HashMap::new();
    let mut texts: Vec<(&[u32], BTreeSet<String>)> = Vec::new();
    for ((sets, (_, codes)), (values, tokenizer)) in sets.iter().zip(&made).zip(sources) {
        for (code, value) in codes.iter().zip(values) {
            let set = sets.set(*code);
            assert!(set.windows(2).all(|w| w[0] < w[1]));
            texts.push((set, tokens_of(value, *tokenizer)));
        }
    }
    for (set, tokens) in &texts {
        assert_eq!(set.len(), tokens.len());
    }
    for (set, tokens) in &texts {
        for (other, others) in &texts {
            let common = set.iter().filter(|id| other.contains(id)).count();
            assert_eq!(common, tokens.intersection(others).count());
        }
        if let ([id], Some(token)) = (&set[..], tokens.first()) {
            assert_eq!(of_id.entry(*id).or_insert_with(|| token.clone()), token);
        }
    }
}

#[test]
fn sets_are_sorted_distinct_and_rare_tokens_come_first() {
    let (dictionary, codes) = dictionary(&["a b b".into(), "b c".into(), "b".into()]);
    let sets = TokenSets::tokenize(&[(&dictionary, Tokenizer::Words)], Cancel::NEVER).remove(0);
    let set = |row: usize| sets.set(codes[row]).to_vec();
    assert_eq!((set(0).len(), set(0)[1], set(1)[1], set(2)), (2, 2, 2, vec![2]));
    assert_ne!(set(0)[0], set(1)[0]);
}

#[test]
fn elements_are_in_the_order_of_code_points_and_have_one_list() {
    let (left, codes) = dictionary(&["zo b é b".into(), "-".into()]);
    let (right, others) = dictionary(&["b 𝒳 zo".into()]);
    let sources = [(&left, Tokenizer::Words), (&right, Tokenizer::Words)];
    let sets = TokenSets::tokenize(&sources, Cancel::NEVER);
    assert!(sets.iter().all(|sets| sets.elements().is_none()));
    let sets = TokenSets::with_elements(sets, &sources, Cancel::NEVER);
    let [left, right] = [0, 1].map(|at: usize| sets[at].elements().unwrap());
    assert_eq!(left.view().set(codes[0]), [0, 1, 2]);
    assert!(left.view().set(codes[1]).is_empty());
    assert_eq!(right.view().set(others[0]), [0, 1, 3]);
    assert!(std::ptr::eq(left.texts(), right.texts()));
    assert_eq!(left.texts().len(), 4);
    let part = sets[0].part(&[codes[1], codes[0]]);
    let part = part.elements().unwrap();
    assert!(part.view().set(0).is_empty());
    assert_eq!(part.view().set(1), [0, 1, 2]);
    assert!(std::ptr::eq(part.texts(), left.texts()));
}

#[test]
fn nothing_has_no_tokens() {
    let (empty, _) = dictionary(&[]);
    let (blank, codes) = dictionary(&[" ".into(), "é".into()]);
    for tokenizer in [Tokenizer::Words, Tokenizer::Qgrams(3)] {
        let sets = TokenSets::tokenize(&[(&empty, tokenizer), (&blank, tokenizer)], Cancel::NEVER);
        assert!(sets[1].set(codes[0]).is_empty());
    }
    assert!(TokenSets::tokenize(&[], Cancel::NEVER).is_empty());
}

#[test]
fn many_distinct_tokens_take_many_parts() {
    let texts: Vec<String> = (0..9000).map(|i| format!("w{} v{} x{}", i, i / 2, i % 7)).collect();
    let (dictionary, codes) = dictionary(&texts);
    let sets = TokenSets::tokenize(&[(&dictionary, Tokenizer::Words)], Cancel::NEVER).remove(0);
    for (i, pair) in codes.chunks(2).enumerate() {
        let (a, b) = (sets.set(pair[0]), sets.set(pair[1]));
        assert_eq!((a.len(), b.len(), a[1], a[2] == b[2]), (3, 3, b[1], false), "values {i}");
    }
    let distinct: BTreeSet<u32> = codes.iter().flat_map(|c| sets.set(*c).to_vec()).collect();
    assert_eq!(distinct.len(), 9000 + 4500 + 7);
}

#[test]
fn ranks_order_counts_and_keep_ties() {
    assert_eq!(ranked(&[3, 1, 9000, 1, 5000, 9000]), [2, 0, 4, 1, 3, 5]);
    assert!(ranked(&[]).is_empty());
}

#[test]
fn numbers_have_32_bits() {
    assert_eq!(number(u32::MAX as usize), u32::MAX);
    assert!(std::panic::catch_unwind(|| number(1 << 32)).is_err());
}

proptest! {
    #[test]
    fn words_and_grams_of_several_sources(
        a in prop::collection::vec("[ab é€]{0,9}", 0..9),
        b in prop::collection::vec("[a-c 😀]{0,9}", 0..9),
        q in 1usize..5,
    ) {
        check(&[(a.clone(), Tokenizer::Words), (b.clone(), Tokenizer::Words)]);
        check(&[(a.clone(), Tokenizer::Qgrams(q)), (b.clone(), Tokenizer::Qgrams(q))]);
        check(&[(a, Tokenizer::Qgrams(q)), (b, Tokenizer::Words)]);
    }

    /// Alphabets of two characters fit 64 bits up to 64 characters; wide ones are halved once or several times.
    #[test]
    fn long_grams(
        narrow in prop::collection::vec("[ab]{60,75}", 1..6),
        wide in prop::collection::vec("[a-zA-Z0-9é€😀 ]{0,50}", 1..12),
        q in prop::sample::select(vec![8usize, 11, 15, 22, 33, 47, 63, 64, 65, 70]),
    ) {
        check(&[(narrow.clone(), Tokenizer::Qgrams(q))]);
        check(&[(wide, Tokenizer::Qgrams(q)), (narrow, Tokenizer::Qgrams(q))]);
    }
}

#[test]
fn tokens_that_do_not_fit_the_memory_end_the_job() {
    let mut state = 1_u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 33) as u8 % 26)
    };
    let text: String = (0..3 << 20).map(|_| letter()).collect();
    let (dictionary, _) = dictionary(&[text]);
    for tokenizer in [Tokenizer::Qgrams(10), Tokenizer::Qgrams(40)] {
        let budget = MemoryBudget::new(0);
        let sets = catch(|| Ok(TokenSets::tokenize(&[(&dictionary, tokenizer)], Cancel::NEVER.within(&budget))));
        assert_eq!(sets.unwrap_err().code(), ErrorCode::MemoryLimit);
        assert_eq!(budget.room(), budget.most(), "what was held is free again");
    }
    let budget = MemoryBudget::new(0);
    let sets = TokenSets::tokenize(&[(&dictionary, Tokenizer::Qgrams(3))], Cancel::NEVER.within(&budget));
    assert_eq!(sets[0].set(0).len(), 26 * 26 * 26);
}
