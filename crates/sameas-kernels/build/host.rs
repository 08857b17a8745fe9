//! The host build: the shim and the kernels as plain C++.

/// Compiles the kernels for the host, and the kernels that test the shim into a library of their own, of which a
/// program links nothing unless it calls it.
pub fn build() {
    println!("cargo::rerun-if-changed=host");
    let sources = ["machine.cpp", "warp.cpp", "shim.cpp", "context.cpp", "primitives.cpp"];
    // First the libraries that use, then those that are used: the order the linker wants.
    compiler().file("host/trials.cpp").compile("sameas_host_trials");
    compiler().file("kernels/all.cu").files(sources.map(|name| format!("host/{name}"))).compile("sameas_host");
}

fn compiler() -> cc::Build {
    let mut build = cc::Build::new();
    build.include(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // `.cu` is no name that a C++ compiler knows. Doubles are rounded after each operation, as on the device, and
    // kernels read words as vectors, as on the device.
    build.cpp(true).std("c++17").opt_level(2).define("SAMEAS_HOST", None).flag("-xc++");
    build.flag("-ffp-contract=off").flag("-fno-strict-aliasing").flag("-Wno-unknown-pragmas");
    // A measure that a switch over measures does not name would be computed as another.
    build.flag("-Werror=switch");
    build
}
