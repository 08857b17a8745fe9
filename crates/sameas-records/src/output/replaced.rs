//! What is read is not replaced by what is written: the one test of that, for files and for folders.

use std::path::PathBuf;

use crate::records::Input;

/// The first file of these inputs that is one of the targets, whatever path leads to it.
pub(super) fn replaced_input(targets: &[PathBuf], inputs: &[Input]) -> Option<PathBuf> {
    let targets: Vec<PathBuf> = targets.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let is_target = |path: &PathBuf| path.canonicalize().is_ok_and(|path| targets.contains(&path));
    inputs.iter().flat_map(Input::paths).find(is_target)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_known_by_any_path_and_one_that_is_missing_is_no_target() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("below")).unwrap();
        fs::write(path("a.csv"), "id\n").unwrap();
        let around = path("below/../a.csv");
        let inputs = [Input::files([path("b.csv")]), Input::files([&around])];
        assert_eq!(replaced_input(&[path("a.csv")], &inputs), Some(around));
        assert_eq!(replaced_input(&[path("b.csv"), path("c.csv")], &inputs), None);
        assert_eq!(replaced_input(&[path("a.csv")], &[Input::files(["-"])]), None);
    }
}
