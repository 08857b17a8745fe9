//! The program `sameas`: what it does is in the library of this crate, which the Python package runs, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "cuda")]
    keep_connections_few();
    ExitCode::from(sameas_cli::main(std::env::args_os().collect()))
}

/// The driver opens eight queues to a GPU, and a job needs one: with one a context starts and ends in two thirds of the time.
/// The driver reads it from the environment when it starts; whoever has set it knows better.
#[cfg(feature = "cuda")]
fn keep_connections_few() {
    const NAME: &str = "CUDA_DEVICE_MAX_CONNECTIONS";
    if std::env::var_os(NAME).is_none() {
        // SAFETY: the program has no other thread yet, which could read the environment meanwhile.
        unsafe { std::env::set_var(NAME, "1") };
    }
}
