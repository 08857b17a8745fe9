//! The files of `in_list`: an expression holds the content, its SQL the name.

use std::collections::BTreeMap;

use super::{Case, Expr, Literal, Op};

/// The name of the file with that content.
pub fn list_name(content: &str) -> String {
    let hash = content
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("list_{hash:016x}.csv")
}

impl Case {
    /// The files that its rules and derives name, with their contents.
    pub fn lists(&self) -> BTreeMap<String, &str> {
        let mut lists = BTreeMap::new();
        let derives = self.job.derives.iter().map(|derive| &derive.expr);
        for expr in derives.chain(self.job.conditions()) {
            expr.walk(&mut |part| {
                if let Expr::Call(Op::InList, arguments) = part
                    && let [_, _, Expr::Literal(Literal::Text(content))] = &arguments[..]
                {
                    lists.insert(list_name(content), content.as_str());
                }
            });
        }
        lists
    }
}
