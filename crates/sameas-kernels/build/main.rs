//! Builds the kernels: the list of them and the checks of their layouts always, which needs no compiler; the host build
//! and the CUDA build by feature.

// This is how a build script speaks to cargo.
#![allow(clippy::print_stdout)]

mod codes;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(feature = "host")]
mod host;
mod layouts;
mod names;
#[cfg(feature = "cuda")]
mod toolkit;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=kernels");
    names::write(&layouts::write());
    codes::write();
    #[cfg(feature = "host")]
    host::build();
    #[cfg(feature = "cuda")]
    cuda::build();
}
