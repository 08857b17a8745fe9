//! The kernels of sameas: CUDA C++ sources, what Rust must know to launch them, and their builds.
//!
//! With feature `cuda` nvcc compiles them into one embedded binary and the device-wide primitives into a static
//! library. With feature `host` the same sources are compiled for the host, each CUDA thread a fiber, so that they can
//! be tested where there is no GPU. With neither only the layouts of arguments and the names remain, and no C++ compiler
//! is needed.
//!
//! The binary is compressed and has code for compute capability 7.5 to 12.0, and PTX. CUB sorts, sums and selects. On
//! the host, threads and blocks run in random order, and a barrier that not all threads reach is an error; CUB is
//! replaced by plain functions.

#[cfg(feature = "cuda")]
pub mod cuda;
pub mod kernel;
mod pointer;
mod primitives;

#[cfg(feature = "host")]
pub mod host;
pub mod layout;

#[cfg(feature = "cuda")]
pub use cuda::FATBIN;
pub use kernel::Kernel;
pub use pointer::{DevicePtr, Untyped};
pub use primitives::{ExclusiveSum, Primitives, SortPairs};
