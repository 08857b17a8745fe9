//! Builds the kernels: the list of their names always, the host build and the CUDA build by feature.

#[cfg(feature = "host")]
mod host;
mod names;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=kernels");
    names::write();
    #[cfg(feature = "host")]
    host::build();
}
