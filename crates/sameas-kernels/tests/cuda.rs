//! What the CUDA build embeds. Runs where there is no GPU and no driver.
#![cfg(feature = "cuda")]

use sameas_kernels::{FATBIN, cuda::PRIMITIVES};

#[test]
fn the_kernels_are_embedded_as_a_driver_expects_them() {
    // The mark of a fat binary.
    assert_eq!(FATBIN[..4], 0xba55_ed50_u32.to_le_bytes());
}

#[test]
fn a_program_with_the_primitives_starts_without_a_driver() {
    // The address is taken, so the primitives and the runtime are linked into this program, which has started.
    assert_ne!(PRIMITIVES.sort_pairs_u32 as usize, 0);
    #[cfg(target_os = "linux")]
    {
        let maps = std::fs::read_to_string("/proc/self/maps").expect("the maps of this process");
        assert!(!maps.contains("libcuda"), "a CUDA library was loaded at the start");
    }
}
