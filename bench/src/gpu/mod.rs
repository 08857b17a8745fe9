//! Measurements on a GPU: times are the device's own, taken by events around the work.

pub mod equi_join;
