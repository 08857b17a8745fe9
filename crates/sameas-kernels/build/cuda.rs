//! The CUDA build: one binary with the kernels for every architecture, and the library of the device-wide primitives.

use crate::toolkit::{self, Toolkit};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Architectures with machine code of their own. Code for one runs on later minor versions of the same major one, so
/// these serve Turing, Ampere and Ada, Hopper, and both kinds of Blackwell.
const ARCHITECTURES: [&str; 5] = ["75", "80", "90", "100", "120"];
/// Intermediate code that the driver compiles for all others: the oldest serves every architecture that has no code of
/// its own, the newest those to come, with the instructions that the oldest does not know.
const INTERMEDIATE: [&str; 2] = ["75", "120"];
/// Names the architectures of a quicker build, as `90` or `80,90`, without intermediate code.
const CHOICE: &str = "SAMEAS_CUDA_ARCHS";

/// Compiles and embeds, or makes the build fail with a reason and advice.
pub fn build() {
    println!("cargo::rerun-if-env-changed={CHOICE}");
    if !toolkit::is_wanted() {
        fs::write(out("kernels.fatbin"), []).expect("the build folder is writable");
        return;
    }
    let built = toolkit::find().and_then(|toolkit| {
        fatbin(&toolkit)?;
        primitives(&toolkit)
    });
    for line in built.err().into_iter().flatten() {
        println!("cargo::error={line}");
    }
}

fn fatbin(toolkit: &Toolkit) -> Result<(), Vec<String>> {
    // No contraction: a product and a sum are rounded one after the other, as on the CPU.
    let mut nvcc = nvcc(toolkit);
    nvcc.arg("-I")
        .arg(out(""))
        .args(["--fmad=false", "-fatbin", "-o"])
        .arg(out("kernels.fatbin"))
        .arg("kernels/all.cu");
    run(nvcc)
}

fn primitives(toolkit: &Toolkit) -> Result<(), Vec<String>> {
    let mut nvcc = nvcc(toolkit);
    nvcc.args(["-I", "kernels/host_headers", "-Xcompiler=-fPIC", "-lib", "-o"]);
    nvcc.arg(out("libsameas_cuda.a")).arg("kernels/primitives.cu");
    let recipe = recipe(&nvcc, toolkit);
    if fs::read_to_string(out("primitives.recipe")).ok().as_ref() != Some(&recipe) {
        // nvcc adds to a library that is there.
        let _ = fs::remove_file(out("libsameas_cuda.a"));
        run(nvcc)?;
        fs::write(out("primitives.recipe"), recipe).expect("the build folder is writable");
    }
    println!("cargo::rustc-link-search=native={}", env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rustc-link-search=native={}", toolkit.libraries.display());
    // The static runtime opens the driver's library when it is first called, so the program starts without one.
    for library in ["static=sameas_cuda", "static=cudart_static", "dl", "rt", "pthread", "stdc++"] {
        println!("cargo::rustc-link-lib={library}");
    }
    Ok(())
}

/// All that the library follows from. CUB takes longer than all kernels together and is not compiled again when one is edited.
fn recipe(command: &Command, toolkit: &Toolkit) -> String {
    let sources = ["kernels/primitives.cu", "kernels/primitives.h", "kernels/host_headers/iostream"];
    let text = sources.map(|path| fs::read_to_string(path).expect("a readable source")).concat();
    format!("{command:?}\n{:?}\n{text}", toolkit.release)
}

fn nvcc(toolkit: &Toolkit) -> Command {
    let mut nvcc = Command::new(&toolkit.nvcc);
    nvcc.args(["-std=c++17", "-O3", "--compress-mode=size", "--threads", "0"]).args(architectures());
    nvcc
}

fn architectures() -> Vec<String> {
    let code = |of: &str| format!("-gencode=arch=compute_{of},code=sm_{of}");
    if let Ok(chosen) = env::var(CHOICE) {
        return chosen.split([',', ' ']).filter(|name| !name.is_empty()).map(code).collect();
    }
    let intermediate = |of: &str| format!("-gencode=arch=compute_{of},code=compute_{of}");
    ARCHITECTURES.map(code).into_iter().chain(INTERMEDIATE.map(intermediate)).collect()
}

fn out(name: &str) -> PathBuf {
    Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name)
}

fn run(mut command: Command) -> Result<(), Vec<String>> {
    let output = command.output().map_err(|error| vec![format!("nvcc does not start: {error}")])?;
    // nvcc reports on both streams.
    let report = [output.stdout, output.stderr].concat();
    let lines = String::from_utf8_lossy(&report).lines().map(str::to_owned).collect::<Vec<_>>();
    if output.status.success() {
        lines.iter().for_each(|line| println!("cargo::warning={line}"));
        return Ok(());
    }
    Err([vec![format!("nvcc failed: {command:?}")], lines].concat())
}
