//! What is installed beside the program: its version, completions for shells, and manual pages.

use crate::support::{Folder, has};

/// The names of all commands, from the help.
fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.ok(&["--help"]).out;
    let list = help.split_once("Commands:\n").unwrap().1.split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_version_in_a_word_and_with_what_was_built_in() {
    let folder = Folder::new();
    let version = format!("sameas {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(folder.ok(&["-V"]).out, version);
    let long = folder.ok(&["--version"]).out;
    assert!(long.starts_with(&version), "{long}");
    has(&long, &["\ndevices   CPU"]);
}

#[test]
fn every_shell_completes_every_command() {
    let folder = Folder::new();
    let commands = commands(&folder);
    assert!(commands.len() >= 16, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = folder.ok(&["completions", shell]).out;
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
        }
        has(&script, &["device-memory"]);
    }
    let said = folder.run(&["completions", "dos"]);
    assert_eq!(said.code, Some(2));
    has(&said.err, &["invalid value 'dos'", "bash"]);
}

#[cfg(unix)]
#[test]
fn bash_accepts_its_completions() {
    let folder = Folder::new();
    folder.write("completions", folder.ok(&["completions", "bash"]).out);
    let Ok(checked) = std::process::Command::new("bash").arg("-n").arg(folder.path("completions")).output() else {
        eprintln!("skipped: there is no bash");
        return;
    };
    assert!(checked.status.success(), "{checked:?}");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let page = folder.ok(&["man"]).out;
    has(&page, &[".TH sameas 1", "sameas\\-dedupe(1)", "Exit codes"]);
    for command in commands(&folder) {
        let page = folder.ok(&["man", &command]).out;
        has(
            &page,
            &[&format!(".TH sameas-{command} 1"), &format!("sameas {}", command.replace('-', "\\-")), "Examples:"],
        );
    }
    has(&folder.fails(&["man", "dedup"]), &["there is no command `dedup`", "the commands are dedupe, link"]);
}
