//! What kernels call the measures, by number: the build script reads it in their headers.

include!(concat!(env!("OUT_DIR"), "/codes.rs"));
