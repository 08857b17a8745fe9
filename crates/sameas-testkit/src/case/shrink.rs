//! Smaller cases that a failing case may be replaced by.
//!
//! Every step removes something (rows, rules, parts of expressions, characters, values), so shrinking ends. Every
//! smaller case is still well typed: an expression is only ever replaced by a part of itself of the same type.

use super::{Case, Cell, Expr, Op, Side, Table, types};

type Cases<'a> = Box<dyn Iterator<Item = Case> + 'a>;

impl Case {
    /// Cases that are a little smaller than this one, the largest cuts first.
    pub fn shrink(&self) -> impl Iterator<Item = Case> + '_ {
        let steps: [Cases<'_>; 8] = [
            Box::new(self.without_tables()),
            Box::new(self.without_rows()),
            Box::new(self.without_rules()),
            Box::new(self.with_smaller_scores()),
            Box::new(self.with_smaller_conditions()),
            Box::new(self.with_smaller_derives()),
            Box::new(self.without_columns()),
            Box::new(self.with_smaller_cells()),
        ];
        steps.into_iter().flatten()
    }

    /// Of three tables or more, so that it stays a link; a derive of one table would be one of another.
    fn without_tables(&self) -> impl Iterator<Item = Case> + '_ {
        let is_possible = self.tables.len() > 2 && self.job.derives.iter().all(|derive| derive.table.is_none());
        (0..self.tables.len()).filter(move |_| is_possible).map(|at| {
            self.edited(|case| {
                case.tables.remove(at);
            })
        })
    }

    fn without_rows(&self) -> impl Iterator<Item = Case> + '_ {
        let tables = self.tables.iter().enumerate();
        tables.flat_map(move |(at, table)| {
            chunks(table.rows.len()).map(move |(start, end)| {
                self.edited(|case| {
                    case.tables[at].rows.drain(start..end);
                })
            })
        })
    }

    fn without_rules(&self) -> impl Iterator<Item = Case> + '_ {
        let job = &self.job;
        // Without rules, only scores give pairs.
        let is_possible = job.rules.len() > 1 || job.scoring.is_some();
        let rules = (0..job.rules.len()).filter(move |_| is_possible).map(|at| {
            self.edited(|case| {
                case.job.rules.remove(at);
            })
        });
        let nevers = (0..job.nevers.len()).map(|at| {
            self.edited(|case| {
                case.job.nevers.remove(at);
            })
        });
        let derives = (0..job.derives.len()).map(|at| {
            self.edited(|case| {
                case.job.derives.remove(at);
            })
        });
        // Without a derive its name may mean a column of another type, and a rule may no longer be well typed.
        let derives = derives.filter(|case| case.has_its_columns() && case.same_types_as(self));
        rules.chain(nevers).chain(derives)
    }

    /// Whether every column that rules mention has the type it has in `other`.
    fn same_types_as(&self, other: &Case) -> bool {
        self.job.conditions().flat_map(Expr::columns).all(|(side, name)| {
            let column = Expr::Column(side, name.to_owned());
            self.rule_type(&column) == other.rule_type(&column)
        })
    }

    fn with_smaller_conditions(&self) -> impl Iterator<Item = Case> + '_ {
        let cases = self.job.conditions().enumerate().flat_map(move |(at, condition)| {
            let smaller = smaller(condition, &|expr| self.rule_type(expr)).into_iter().filter(mentions_a_column);
            smaller.map(move |when| {
                self.edited(|case| {
                    if let Some(condition) = case.job.conditions_mut().nth(at) {
                        *condition = when;
                    }
                })
            })
        });
        cases.filter(Case::has_its_equalities)
    }

    fn with_smaller_derives(&self) -> impl Iterator<Item = Case> + '_ {
        self.job.derives.iter().enumerate().flat_map(move |(at, derive)| {
            let table = derive.table.unwrap_or(0);
            let column = move |_: Side, name: &str| self.column_type(table, name, Some(&derive.name));
            let smaller = smaller(&derive.expr, &|expr| types::type_of(expr, &column));
            let smaller = smaller.into_iter().filter(mentions_a_column);
            smaller.map(move |expr| self.edited(|case| case.job.derives[at].expr = expr))
        })
    }

    fn without_columns(&self) -> impl Iterator<Item = Case> + '_ {
        let tables = self.tables.iter().enumerate();
        let cases = tables.flat_map(move |(at, table)| {
            (0..table.columns.len()).map(move |column| self.edited(|case| remove_column(&mut case.tables[at], column)))
        });
        cases.filter(Case::has_its_columns)
    }

    fn with_smaller_cells(&self) -> impl Iterator<Item = Case> + '_ {
        let tables = self.tables.iter().enumerate();
        tables.flat_map(move |(at, table)| {
            table.rows.iter().enumerate().flat_map(move |(row, cells)| {
                cells.cells.iter().enumerate().flat_map(move |(column, cell)| {
                    smaller_cells(cell.as_ref())
                        .into_iter()
                        .map(move |cell| self.edited(|case| case.tables[at].rows[row].cells[column] = cell))
                })
            })
        })
    }

    pub(super) fn edited(&self, edit: impl FnOnce(&mut Case)) -> Case {
        let mut case = self.clone();
        edit(&mut case);
        case
    }
}

fn mentions_a_column(expr: &Expr) -> bool {
    !expr.columns().is_empty()
}

fn remove_column(table: &mut Table, column: usize) {
    table.columns.remove(column);
    for row in &mut table.rows {
        row.cells.remove(column);
    }
}

/// Ranges to cut out of `len` things: all, halves, quarters, ... down to single ones.
fn chunks(len: usize) -> impl Iterator<Item = (usize, usize)> {
    let sizes = std::iter::successors(Some(len), |size| (*size > 1).then(|| size.div_ceil(2)));
    sizes
        .filter(|size| *size > 0)
        .flat_map(move |size| (0..len).step_by(size).map(move |start| (start, len.min(start + size))))
}

/// Expressions of the same type, made of parts of this one.
fn smaller(expr: &Expr, type_of: &dyn Fn(&Expr) -> types::Type) -> Vec<Expr> {
    let Expr::Call(op, arguments) = expr else { return Vec::new() };
    let own = type_of(expr);
    let mut found: Vec<Expr> = arguments.iter().filter(|part| type_of(part) == own).cloned().collect();
    if matches!(op, Op::And | Op::Or) && arguments.len() > 2 {
        found.extend((0..arguments.len()).map(|at| Expr::Call(*op, without(arguments, at))));
    }
    // The two keys of `neighbours` must stay the same, so they are left alone.
    if *op == Op::Neighbours {
        return found;
    }
    for (at, argument) in arguments.iter().enumerate() {
        for part in smaller(argument, type_of) {
            let mut arguments = arguments.clone();
            arguments[at] = part;
            found.push(Expr::Call(*op, arguments));
        }
    }
    found
}

fn without(arguments: &[Expr], at: usize) -> Vec<Expr> {
    let mut rest = arguments.to_vec();
    rest.remove(at);
    rest
}

/// Null, and shorter values of the same kind.
fn smaller_cells(cell: Option<&Cell>) -> Vec<Option<Cell>> {
    let mut found = Vec::new();
    let Some(cell) = cell else { return found };
    found.push(None);
    match cell {
        Cell::Text(text) => {
            let chars: Vec<char> = text.chars().collect();
            found.extend(shorter(&chars).map(|chars| Some(Cell::Text(chars.into_iter().collect()))));
        }
        Cell::TextList(list) => found.extend(shorter(list).map(Cell::TextList).map(Some)),
        Cell::NumberList(list) => found.extend(shorter(list).map(Cell::NumberList).map(Some)),
        Cell::Integers(list) => found.extend(shorter(list).map(Cell::Integers).map(Some)),
        Cell::Int(_) | Cell::Float(_) | Cell::Unsigned(_) | Cell::Decimal(_) => {}
    }
    found
}

/// The list without a piece of itself.
fn shorter<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> + '_ {
    chunks(list.len()).map(|(start, end)| [&list[..start], &list[end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cut_everything_first_and_single_things_last() {
        let cuts: Vec<_> = chunks(3).collect();
        assert_eq!(cuts, [(0, 3), (0, 2), (2, 3), (0, 1), (1, 2), (2, 3)]);
        assert_eq!(chunks(0).count(), 0);
    }

    #[test]
    fn parts_keep_the_type() {
        let both = Expr::Call(Op::And, vec![Expr::l("p"), Expr::unary(Op::Not, Expr::r("p")), Expr::l("q")]);
        let parts = smaller(&both, &|_| types::Type::Bool);
        assert!(parts.contains(&Expr::l("q")));
        assert!(parts.contains(&Expr::binary(Op::And, Expr::l("p"), Expr::l("q"))));
        assert!(parts.contains(&Expr::Call(Op::And, vec![Expr::l("p"), Expr::r("p"), Expr::l("q")])));
    }
}
