//! The user's folder for settings, and the costs that `sameas calibrate` keeps there.

use std::path::{Path, PathBuf};

use sameas::Costs;

/// Where the user's costs are kept: `sameas/costs.json` in the folder for settings, if the user has one.
pub fn costs_file() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")));
    folder.map(|folder| folder.join("sameas").join("costs.json"))
}

/// The user's costs if there are any that can be used, else those that come with the program; and what is wrong with the
/// user's, if anything is.
pub fn costs() -> (Costs, Option<String>) {
    costs_in(costs_file().as_deref())
}

fn costs_in(path: Option<&Path>) -> (Costs, Option<String>) {
    match path.filter(|path| path.exists()).map(Costs::read) {
        Some(Ok(costs)) => (costs, None),
        Some(Err(error)) => {
            let again = "make it again with `sameas calibrate`, or remove it";
            let warning = format!("costs that come with sameas are used: {}\n  help: {again}", error.message());
            (Costs::shipped(), Some(warning))
        }
        None => (Costs::shipped(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_that_cannot_be_used_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("costs.json");
        assert_eq!(costs_in(Some(&path)), (Costs::shipped(), None));
        std::fs::write(&path, "{ no").unwrap();
        let (used, warning) = costs_in(Some(&path));
        assert_eq!(used, Costs::shipped());
        assert!(warning.is_some_and(|text| text.contains("sameas calibrate")));
    }
}
