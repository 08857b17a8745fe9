//! What Parquet's footers and page heads hold, field by field.
//!
//! The decoder reads a field by its number and trusts that it has the type it should have. Where a damaged file says
//! otherwise, it goes on in the middle of something else, and may take any bytes there for the size of a list. So a footer
//! or a head whose known fields have other types is broken. Fields that are not known here are skipped, as the decoder does.

use super::thrift::{BINARY, BYTE, DOUBLE, FALSE, I16, I32, I64, LIST, STRUCT, TRUE, Walk};

/// What a field holds.
pub(super) enum FieldShape {
    Bool,
    Plain(u8),
    List(&'static FieldShape),
    Struct(&'static [(i64, FieldShape)]),
}

use FieldShape::{Bool, List, Plain, Struct};

const NUMBER: FieldShape = Plain(I32);
const LONG: FieldShape = Plain(I64);
const TEXT: FieldShape = Plain(BINARY);
const EMPTY: FieldShape = Struct(&[]);

/// The footer of a file.
pub(super) const FOOTER: FieldShape = Struct(&[
    (1, NUMBER),
    (SCHEMA, List(&ELEMENT)),
    (3, LONG),
    (4, List(&ROW_GROUP)),
    (5, List(&KEY_VALUE)),
    (6, TEXT),
    (7, List(&Struct(&[(1, EMPTY), (2, EMPTY)]))),
    (8, Struct(&[(1, CIPHER), (2, CIPHER)])),
    (9, TEXT),
]);

/// The field of a footer with the elements of the schema, and the field of an element with the number of its children.
pub(super) const SCHEMA: i64 = 2;
const CHILDREN: i64 = 5;

const ELEMENT: FieldShape = Struct(&[
    (1, NUMBER),
    (2, NUMBER),
    (3, NUMBER),
    (4, TEXT),
    (CHILDREN, NUMBER),
    (6, NUMBER),
    (7, NUMBER),
    (8, NUMBER),
    (9, NUMBER),
    (10, LOGICAL_TYPE),
]);

const LOGICAL_TYPE: FieldShape = Struct(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (5, Struct(&[(1, NUMBER), (2, NUMBER)])),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Struct(&[(1, Plain(BYTE)), (2, Bool)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
    (16, Struct(&[(1, Plain(BYTE))])),
    (17, Struct(&[(1, TEXT)])),
    (18, Struct(&[(1, TEXT), (2, NUMBER)])),
]);

const TIME: FieldShape = Struct(&[(1, Bool), (2, Struct(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]))]);

const ROW_GROUP: FieldShape = Struct(&[
    (1, List(&COLUMN_CHUNK)),
    (2, LONG),
    (3, LONG),
    (4, List(&Struct(&[(1, NUMBER), (2, Bool), (3, Bool)]))),
    (5, LONG),
    (6, LONG),
    (7, Plain(I16)),
]);

const COLUMN_CHUNK: FieldShape = Struct(&[
    (1, TEXT),
    (2, LONG),
    (3, COLUMN),
    (4, LONG),
    (5, NUMBER),
    (6, LONG),
    (7, NUMBER),
    (8, Struct(&[(1, EMPTY), (2, Struct(&[(1, List(&TEXT)), (2, TEXT)]))])),
    (9, TEXT),
]);

const COLUMN: FieldShape = Struct(&[
    (1, NUMBER),
    (2, List(&NUMBER)),
    (3, List(&TEXT)),
    (4, NUMBER),
    (5, LONG),
    (6, LONG),
    (7, LONG),
    (8, List(&KEY_VALUE)),
    (9, LONG),
    (10, LONG),
    (11, LONG),
    (12, STATISTICS),
    (13, List(&Struct(&[(1, NUMBER), (2, NUMBER), (3, NUMBER)]))),
    (14, LONG),
    (15, NUMBER),
    (16, Struct(&[(1, LONG), (2, List(&LONG)), (3, List(&LONG))])),
    (17, Struct(&[(1, BOX), (2, List(&NUMBER))])),
]);

const BOX: FieldShape = Struct(&[
    (1, Plain(DOUBLE)),
    (2, Plain(DOUBLE)),
    (3, Plain(DOUBLE)),
    (4, Plain(DOUBLE)),
    (5, Plain(DOUBLE)),
    (6, Plain(DOUBLE)),
    (7, Plain(DOUBLE)),
    (8, Plain(DOUBLE)),
]);

const STATISTICS: FieldShape =
    Struct(&[(1, TEXT), (2, TEXT), (3, LONG), (4, LONG), (5, TEXT), (6, TEXT), (7, Bool), (8, Bool)]);

const KEY_VALUE: FieldShape = Struct(&[(1, TEXT), (2, TEXT)]);

const CIPHER: FieldShape = Struct(&[(1, TEXT), (2, TEXT), (3, Bool)]);

/// The head of a page.
pub(super) const PAGE_HEAD: FieldShape = Struct(&[
    (1, NUMBER),
    (2, NUMBER),
    (3, NUMBER),
    (4, NUMBER),
    (5, Struct(&[(1, NUMBER), (2, NUMBER), (3, NUMBER), (4, NUMBER), (5, STATISTICS)])),
    (6, EMPTY),
    (7, Struct(&[(1, NUMBER), (2, NUMBER), (3, Bool)])),
    (
        8,
        Struct(&[
            (1, NUMBER),
            (2, NUMBER),
            (3, NUMBER),
            (4, NUMBER),
            (5, NUMBER),
            (6, NUMBER),
            (7, Bool),
            (8, STATISTICS),
        ]),
    ),
]);

impl FieldShape {
    /// Walks over a value of the type `kind`, if that is what it should be.
    pub(super) fn walk(&self, walk: &mut Walk<'_>, kind: u8) -> Option<()> {
        match self {
            Bool => matches!(kind, TRUE | FALSE).then_some(()),
            Plain(plain) => (kind == *plain).then(|| walk.skip_field(kind))?,
            List(element) => {
                let (kind, size) = (kind == LIST).then(|| walk.list_head())??;
                (0..size).try_for_each(|_| element.walk(walk, kind))
            }
            Struct(fields) => {
                let mut last = (kind == STRUCT).then_some(0)?;
                while let Some((number, kind)) = walk.field(&mut last)? {
                    match fields.iter().find(|(known, _)| *known == number) {
                        Some((_, shape)) => shape.walk(walk, kind)?,
                        None => walk.skip_field(kind)?,
                    }
                }
                Some(())
            }
        }
    }
}

/// Walks over a footer. The children of all elements of a schema are elements themselves: no more can be reserved for.
pub(super) fn walk_footer(bytes: &[u8]) -> Option<()> {
    FOOTER.walk(&mut Walk::new(bytes), STRUCT)?;
    let (mut walk, mut last) = (Walk::new(bytes), 0);
    while let Some((number, kind)) = walk.field(&mut last)? {
        if number != SCHEMA {
            walk.skip_field(kind)?;
            continue;
        }
        let (_, size) = walk.list_head()?;
        let mut children = 0_u64;
        for _ in 0..size {
            children = children.checked_add(children_of_element(&mut walk)?)?;
        }
        if children > size {
            return None;
        }
    }
    Some(())
}

fn children_of_element(walk: &mut Walk<'_>) -> Option<u64> {
    let (mut last, mut children) = (0, 0);
    while let Some((number, kind)) = walk.field(&mut last)? {
        match number {
            CHILDREN => children = u64::try_from(walk.zigzag()?).ok()?,
            _ => walk.skip_field(kind)?,
        }
    }
    Some(children)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A footer with a schema of two elements: the root with some children, and a column.
    fn footer(children: u8) -> Vec<u8> {
        let root = [0x48, 1, b'r', 0x15, children << 1, 0];
        let column = [0x15, 2, 0x38, 1, b'a', 0];
        [&[0x15, 2, 0x19, 0x2C][..], &root, &column, &[0x16, 0, 0x19, 0x0C, 0]].concat()
    }

    #[test]
    fn a_footer_has_fields_of_the_types_that_parquet_gives_them() {
        assert!(walk_footer(&footer(1)).is_some());
        let mut other = footer(1);
        other[0] = 0x16;
        assert!(walk_footer(&other).is_none(), "a version of 64 bits");
        assert!(walk_footer(&[0x15, 2, 0xDC, 0, 0]).is_some(), "a field that is not known");
    }

    #[test]
    fn a_schema_has_as_many_elements_as_children() {
        assert!(walk_footer(&footer(2)).is_some());
        assert!(walk_footer(&footer(3)).is_none());
    }
}
