//! Finds nvcc and the static CUDA runtime that belongs to it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest toolkit that knows all the architectures.
const OLDEST: (u32, u32) = (13, 0);

/// What to do where there is no toolkit.
const ADVICE: [&str; 3] = [
    "Run `scripts/cuda-toolchain` in the repository, which fetches nvcc into `.cuda/` (python3 is all it needs),",
    "or install the CUDA toolkit 13.0 or later and put nvcc into PATH, or name it in SAMEAS_NVCC or CUDA_HOME,",
    "or build without the feature `cuda`: everything but the GPU works without it.",
];

/// A CUDA toolkit.
pub struct Toolkit {
    pub nvcc: PathBuf,
    /// Its version.
    pub release: (u32, u32),
    /// The folder of `libcudart_static.a`.
    pub libraries: PathBuf,
}

/// Whether kernels are to be compiled. Lints link nothing, and with `SAMEAS_NVCC=none` they need no toolkit.
pub fn is_wanted() -> bool {
    named().is_none_or(|nvcc| nvcc != Path::new("none"))
}

/// The first toolkit found, or lines that say what is missing and what to do.
pub fn find() -> Result<Toolkit, Vec<String>> {
    let nvcc = named().map_or_else(first_found, Ok)?;
    let release = checked_release(&nvcc)?;
    let libraries = libraries(&nvcc).ok_or_else(|| {
        advice(format!("`libcudart_static.a` was not found next to {}: the toolkit is not complete.", nvcc.display()))
    })?;
    Ok(Toolkit { nvcc, release, libraries })
}

/// The one the user names is taken without a search.
fn named() -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed=SAMEAS_NVCC");
    env::var_os("SAMEAS_NVCC").map(PathBuf::from)
}

fn first_found() -> Result<PathBuf, Vec<String>> {
    for name in ["CUDA_HOME", "CUDA_PATH", "PATH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(|home| Path::new(&home).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = homes.chain(env::split_paths(&path)).chain(["/usr/local/cuda/bin".into(), own()]);
    let name = format!("nvcc{}", env::consts::EXE_SUFFIX);
    let mut candidates = folders.map(|folder| folder.join(&name));
    candidates
        .find(|nvcc| nvcc.is_file())
        .ok_or_else(|| advice("The feature `cuda` compiles CUDA kernels, and no nvcc was found.".to_owned()))
}

/// Where `scripts/cuda-toolchain` puts nvcc.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cuda/13.0/nvidia/cu13/bin")
}

/// What nvcc itself says: `release 13.0, ...`.
fn checked_release(nvcc: &Path) -> Result<(u32, u32), Vec<String>> {
    let output = Command::new(nvcc).arg("--version").output();
    let output = output.map_err(|error| advice(format!("{} does not start: {error}.", nvcc.display())))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match release(&text) {
        Some(found) if found >= OLDEST => Ok(found),
        Some((major, minor)) => Err(advice(format!("{} is of CUDA {major}.{minor}: too old.", nvcc.display()))),
        None => Err(advice(format!("{} does not report its version.", nvcc.display()))),
    }
}

fn release(text: &str) -> Option<(u32, u32)> {
    let (_, rest) = text.split_once("release ")?;
    let (major, minor) = rest.split(',').next()?.split_once('.')?;
    Some((major.trim().parse().ok()?, minor.trim().parse().ok()?))
}

/// Next to nvcc, or next to what it is a link to: toolkits, wheels and distributions each have their own folder.
fn libraries(nvcc: &Path) -> Option<PathBuf> {
    let places = [Some(nvcc.to_owned()), nvcc.canonicalize().ok()];
    let homes = places.iter().flatten().filter_map(|nvcc| nvcc.parent()?.parent());
    let folders = ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib/x86_64-linux-gnu"];
    let mut all = homes.flat_map(|home| folders.map(|folder| home.join(folder)));
    all.find(|folder| folder.join("libcudart_static.a").is_file())
}

fn advice(problem: String) -> Vec<String> {
    std::iter::once(problem).chain(ADVICE.map(str::to_owned)).collect()
}
