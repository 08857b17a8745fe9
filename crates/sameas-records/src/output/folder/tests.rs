//! What is in the folder after success and after failure.

use super::*;
use crate::error::ErrorKind;

const FILES: [&str; 3] = ["pairs.csv", "clusters.csv", "run.json"];

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

/// Writes files whose content is `text`, with a record that names them.
fn write(folder: &mut OutputFolder, tables: &[&str], text: &str) {
    let written = tables.iter().map(|name| {
        let mut file = folder.file(name).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.finish().unwrap()
    });
    let record = serde_json::json!({"version": text, "nominal_pairs": 1, "files": written.collect::<Vec<_>>()});
    write!(folder.file("run.json").unwrap(), "{record}").unwrap();
}

fn run(path: &Path, tables: &[&str], text: &str) {
    let mut folder = OutputFolder::create(path, true).unwrap();
    write(&mut folder, tables, text);
    folder.commit().unwrap();
}

fn results(path: &Path) -> Vec<String> {
    FILES[..2].iter().map(|name| fs::read_to_string(current(&path.join(name))).unwrap_or_default()).collect()
}

#[test]
fn results_appear_at_commit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b");
    let mut folder = OutputFolder::create(&path, false).unwrap();
    write(&mut folder, &FILES[..2], "new");
    assert_eq!(names(&path), [] as [&str; 0]);
    assert_eq!(names(path.parent().unwrap()).len(), 2);
    folder.commit().unwrap();
    assert_eq!(names(&path), ["clusters.csv", "pairs.csv", "run.json"]);
    assert_eq!((results(&path), names(path.parent().unwrap())), (vec!["new".into(); 2], vec!["b".into()]));
}

#[test]
fn files_are_recorded_with_size_and_hash() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = OutputFolder::create(dir.path(), false).unwrap();
    let mut file = folder.file("pairs.csv").unwrap();
    file.write_all(b"ab").unwrap();
    file.write_all(b"c").unwrap();
    assert_eq!(file.path(), dir.path().join("pairs.csv"));
    // The published value of XXH3-128 for "abc".
    assert_eq!(file.finish().unwrap(), FileRecord::new("pairs.csv", 3, 0x06b0_5ab6_733a_6185_78af_5f94_892f_3950));
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
    let partial = folder.partial_results();
    folder.file("pairs.csv").unwrap().write_all(b"half").unwrap();
    assert!(std::thread::spawn(move || partial.remove()).join().unwrap());
    assert_eq!(names(dir.path()), [] as [&str; 0]);
    drop(folder);
    let mut folder = OutputFolder::create(&dir.path().join("a/b"), false).unwrap();
    let partial = folder.partial_results();
    folder.file("pairs.csv").unwrap().write_all(b"whole").unwrap();
    folder.commit().unwrap();
    assert!(!partial.remove());
    assert_eq!(names(&dir.path().join("a/b")), ["pairs.csv"]);
}

#[test]
fn failure_keeps_earlier_results() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &FILES[..2], "old");
    let mut folder = OutputFolder::create(dir.path(), true).unwrap();
    folder.file("pairs.csv").unwrap().write_all(b"half").unwrap();
    drop(folder);
    assert_eq!((results(dir.path()), names(dir.path()).len()), (vec!["old".into(); 2], 3));
}

#[test]
fn a_program_that_ends_at_once_leaves_nothing_and_commits_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    let mut folder = OutputFolder::create(&path, false).unwrap();
    write(&mut folder, &FILES[..2], "half");
    folder.partial_results().remove();
    assert_eq!(names(dir.path()), [] as [&str; 0]);
    assert_eq!(folder.file("pairs.csv").err().unwrap().code(), ErrorCode::Cancelled);
    assert_eq!(folder.commit().unwrap_err().code(), ErrorCode::Cancelled);
}

#[test]
fn overwriting_replaces_results_of_another_format_and_keeps_other_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    run(&path, &["pairs.parquet", "clusters.parquet"], "old");
    for foreign in [false, true] {
        if foreign {
            fs::write(path.join("notes.txt"), "mine").unwrap();
        }
        run(&path, &FILES[..2], "new");
        let expected = ["clusters.csv", "notes.txt", "pairs.csv", "run.json"];
        let expected: Vec<_> = expected.into_iter().filter(|name| foreign || *name != "notes.txt").collect();
        assert_eq!(
            (results(&path), names(&path)),
            (vec!["new".into(); 2], expected.into_iter().map(String::from).collect())
        );
        run(&path, &["pairs.parquet", "clusters.parquet"], "old");
        assert_eq!(names(&path).len(), 3 + usize::from(foreign));
    }
    assert_eq!(fs::read_to_string(path.join("notes.txt")).unwrap(), "mine");
    assert_eq!(names(dir.path()), ["out"]);
}

#[test]
fn what_a_run_did_not_write_is_not_replaced() {
    let refused = |prepare: &dyn Fn(&Path)| {
        let dir = tempfile::tempdir().unwrap();
        prepare(dir.path());
        let before = names(dir.path());
        let error = OutputFolder::create(dir.path(), true).err().unwrap();
        assert_eq!((error.code(), names(dir.path())), (ErrorCode::OutputNotOurs, before));
        error.message().rsplit('/').next().unwrap().to_owned()
    };
    let alone = refused(&|path| fs::write(path.join("pairs.csv"), "mine").unwrap());
    assert_eq!(alone, "pairs.csv` would be replaced, and it was not written by sameas");
    let foreign = refused(&|path| fs::write(path.join("run.json"), "{\"version\": \"2\"}").unwrap());
    assert_eq!(foreign, "run.json` would be replaced, and it was not written by sameas");
    let changed = refused(&|path| {
        run(path, &FILES[..2], "old");
        fs::write(path.join("pairs.csv"), "edited").unwrap();
    });
    assert_eq!(changed, "pairs.csv` would be replaced, and it has been changed since a run wrote it");
    let added = refused(&|path| {
        run(path, &FILES[..2], "old");
        fs::write(path.join("pairs.jsonl"), "mine").unwrap();
    });
    assert!(added.starts_with("pairs.jsonl` would be replaced, and it does not belong"), "{added}");
}

#[test]
fn a_folder_with_something_in_it_is_refused_without_overwrite() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    let refused = OutputFolder::create(dir.path(), false).err().unwrap();
    assert_eq!((refused.kind(), refused.code()), (ErrorKind::Usage, ErrorCode::OutputNotEmpty));
    assert!(refused.message().ends_with("is not empty"));
}

#[test]
fn an_input_is_never_an_output() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &FILES[..2], "id\n1\n");
    let folder = OutputFolder::create(dir.path(), true).unwrap();
    let protect = |name: &str| folder.protect_inputs(&[Input::files([dir.path().join(name)])]);
    assert!(protect("notes.csv").is_ok());
    let error = protect("./pairs.csv").unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutputIsInput);
    assert!(error.message().ends_with("pairs.csv` is an input of the run, and would be replaced by a result"));
    assert!(protect("*.csv").is_err());
}

#[test]
fn one_run_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    let mut first = OutputFolder::create(&path, false).unwrap();
    write(&mut first, &FILES[..2], "first");
    let refused = OutputFolder::create(&path, true).err().unwrap();
    assert!(path.exists(), "who is refused removes nothing");
    assert_eq!(refused.code(), ErrorCode::OutputBusy);
    assert!(refused.message().starts_with("another run is writing into the output folder"));
    first.commit().unwrap();
    run(&path, &FILES[..2], "second");
    assert_eq!((results(&path), names(dir.path())), (vec!["second".into(); 2], vec!["out".into()]));
}

/// A killed run leaves its stage, in the folder or next to it, with any part of its files.
#[test]
fn what_a_killed_run_left_is_removed_and_earlier_results_stay() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    run(&path, &FILES[..2], "old");
    for beside in [true, false] {
        let stage = if beside {
            dir.path().join(".out.sameas-0123456789abcdef")
        } else {
            path.join(".sameas-0123456789abcdef")
        };
        fs::create_dir(&stage).unwrap();
        fs::write(stage.join("pairs.csv"), "half").unwrap();
        drop(OutputFolder::create(&path, true).unwrap());
        assert!(!stage.exists());
        assert_eq!((results(&path), names(&path).len()), (vec!["old".into(); 2], 3));
    }
    // An empty folder is one, whatever a killed run has left in it.
    let empty = dir.path().join("empty");
    fs::create_dir_all(empty.join(".sameas-0123456789abcdef")).unwrap();
    fs::create_dir_all(empty.join(".sameas-checkpoint")).unwrap();
    drop(OutputFolder::create(&empty, false).unwrap());
    assert_eq!(names(&empty), [".sameas-checkpoint"]);
}

/// Where files have to be moved one by one, a kill after any of the moves loses nothing: readers see the new results, and
/// the next run moves the rest.
#[test]
fn interrupted_moves_are_finished() {
    for moved in 0..=3 {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        run(&path, &FILES[..2], "old");
        fs::write(path.join("notes.txt"), "mine").unwrap();
        let mut folder = OutputFolder::create(&path, true).unwrap();
        write(&mut folder, &FILES[..2], "new");
        let stage = folder.partial.lock().stage.take().unwrap();
        assert!(!stage.is_beside);
        drop(folder);
        let complete = path.join(contents::COMPLETE);
        fs::rename(&stage.path, &complete).unwrap();
        for name in &FILES[..moved] {
            fs::rename(complete.join(name), path.join(name)).unwrap();
        }
        drop(stage);
        assert_eq!(results(&path), ["new", "new"], "{moved}");
        drop(OutputFolder::create(&path, true).unwrap());
        assert_eq!((results(&path), names(&path).len()), (vec!["new".into(); 2], 4), "{moved}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_not_followed_and_rights_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let (path, target) = (dir.path().join("out"), dir.path().join("target"));
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    fs::write(&target, "mine").unwrap();
    symlink(&target, path.join("pairs.csv")).unwrap();
    let error = OutputFolder::create(&path, true).err().unwrap();
    assert_eq!(error.code(), ErrorCode::OutputNotOurs);
    fs::remove_file(path.join("pairs.csv")).unwrap();
    let status = std::process::Command::new("mkfifo").arg(path.join("run.json")).status().unwrap();
    assert!(status.success());
    assert_eq!(OutputFolder::create(&path, true).err().unwrap().code(), ErrorCode::OutputNotOurs);
    fs::remove_file(path.join("run.json")).unwrap();
    run(&path, &FILES[..2], "new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    // A link to the folder leads to it.
    let link = dir.path().join("link");
    symlink(&path, &link).unwrap();
    run(&link, &FILES[..2], "newer");
    assert!(link.is_symlink());
    assert_eq!(results(&path), ["newer", "newer"]);
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
}

#[test]
fn a_file_is_not_a_folder() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = OutputFolder::create(file.path(), true).err().unwrap();
    assert!(error.message().ends_with("is a file"));
    assert!(OutputFolder::create(&file.path().join("below"), true).is_err());
}

#[test]
fn a_folder_that_was_moved_away_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    let mut folder = OutputFolder::create(&path, false).unwrap();
    write(&mut folder, &FILES[..2], "new");
    fs::rename(&path, dir.path().join("elsewhere")).unwrap();
    assert!(folder.commit().unwrap_err().message().ends_with("was moved or removed during the run"));
    assert_eq!(names(dir.path()), ["elsewhere"]);
}

/// Runs that begin and end at once, in a folder that comes and goes: each has it alone, or is refused.
#[test]
fn many_runs_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/out");
    let run = |name: usize| {
        let folder = OutputFolder::create(&path, true);
        let mut folder = match folder {
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::OutputBusy, "{error}");
                return 0;
            }
            Ok(folder) => folder,
        };
        if name.is_multiple_of(3) {
            return 0;
        }
        write(&mut folder, &FILES[..2], &format!("{name}"));
        folder.commit().unwrap();
        1
    };
    let done: usize = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|at| scope.spawn(move || (0..40).map(|i| run(at * 40 + i)).sum::<usize>())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert!(done > 0);
    let left = results(&path);
    assert!(left[0] == left[1] && !left[0].is_empty(), "{left:?}");
    assert_eq!((names(&path).len(), names(dir.path())), (3, vec!["a".into()]));
}
