//! What is in the folder after success and after failure.

use super::*;
use crate::error::ErrorKind;

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

#[test]
fn files_appear_at_commit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b");
    let mut folder = OutputFolder::create(&path, false).unwrap();
    for name in ["pairs.csv", "run.json"] {
        let mut file = folder.file(name).unwrap();
        file.write_all(name.as_bytes()).unwrap();
        assert_eq!(file.path(), path.join(name));
    }
    assert_eq!(names(&path), [".pairs.csv.partial", ".run.json.partial"]);
    folder.commit().unwrap();
    assert_eq!(names(&path), ["pairs.csv", "run.json"]);
    assert_eq!(fs::read_to_string(path.join("pairs.csv")).unwrap(), "pairs.csv");
}

#[test]
fn failure_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = OutputFolder::create(&dir.path().join("a/b"), false).unwrap();
    folder.file("pairs.csv").unwrap().write_all(b"half").unwrap();
    drop(folder);
    assert_eq!(names(dir.path()), [] as [&str; 0]);
}

#[test]
fn another_thread_removes_what_is_unfinished_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = OutputFolder::create(&dir.path().join("a/b"), false).unwrap();
    let remove = folder.remover();
    folder.file("pairs.csv").unwrap().write_all(b"half").unwrap();
    assert!(std::thread::spawn(remove).join().unwrap());
    assert_eq!(names(dir.path()), [] as [&str; 0]);
    drop(folder);
    let mut folder = OutputFolder::create(&dir.path().join("a/b"), false).unwrap();
    let remove = folder.remover();
    folder.file("pairs.csv").unwrap().write_all(b"whole").unwrap();
    folder.commit().unwrap();
    assert!(!remove());
    assert_eq!(names(&dir.path().join("a/b")), ["pairs.csv"]);
}

#[test]
fn failure_keeps_earlier_results() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("pairs.csv"), "old").unwrap();
    let mut folder = OutputFolder::create(dir.path(), true).unwrap();
    folder.file("pairs.csv").unwrap().write_all(b"half").unwrap();
    drop(folder);
    assert_eq!(names(dir.path()), ["pairs.csv"]);
    assert_eq!(fs::read_to_string(dir.path().join("pairs.csv")).unwrap(), "old");
}

#[test]
fn overwriting_touches_only_results() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["pairs.csv", "clusters.jsonl", "run.json", ".pairs.csv.partial", "notes.txt", "pairs.txt"] {
        fs::write(dir.path().join(name), "old").unwrap();
    }
    let refused = OutputFolder::create(dir.path(), false).err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::Usage);
    assert!(refused.message().ends_with("is not empty"));
    let mut folder = OutputFolder::create(dir.path(), true).unwrap();
    folder.file("pairs.parquet").unwrap();
    folder.commit().unwrap();
    assert_eq!(names(dir.path()), ["notes.txt", "pairs.parquet", "pairs.txt"]);
}

#[test]
fn a_file_is_not_a_folder() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = OutputFolder::create(file.path(), true).err().unwrap();
    assert!(error.message().ends_with("is a file"));
    assert!(OutputFolder::create(&file.path().join("below"), true).is_err());
}
