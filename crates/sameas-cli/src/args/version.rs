//! What `sameas --version` says.

use std::sync::LazyLock;

/// The version, the commit where the build script has found it, and what was built in.
pub static LONG: LazyLock<String> = LazyLock::new(|| long(option_env!("SAMEAS_BUILT_FROM"), cfg!(feature = "cuda")));

fn long(commit: Option<&str>, has_cuda: bool) -> String {
    let commit = commit.map_or(String::new(), |commit| format!("\ncommit    {commit}"));
    let devices = if has_cuda { "CPU, CUDA" } else { "CPU" };
    format!("{}{commit}\ndevices   {devices}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_named_where_it_is_known() {
        assert!(long(Some("37eac8b"), true).ends_with("\ncommit    37eac8b\ndevices   CPU, CUDA"));
        assert_eq!(long(None, false), concat!(env!("CARGO_PKG_VERSION"), "\ndevices   CPU"));
    }
}
