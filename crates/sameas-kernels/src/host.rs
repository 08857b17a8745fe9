//! The kernels on the host: each CUDA thread a fiber of the calling thread, in a random order drawn from a seed.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

crate::primitives::primitives!(
    PRIMITIVES,
    "The primitives over memory of the host.",
    sameas_host_sort_pairs_u32,
    sameas_host_sort_pairs_u64,
    sameas_host_exclusive_sum_u32,
    sameas_host_exclusive_sum_u64,
    sameas_host_exclusive_sum_u32_to_u64,
    sameas_host_select_flagged_u32
);

unsafe extern "C" {
    fn sameas_host_launch(
        kernel: *const c_char,
        grid: c_uint,
        block: c_uint,
        shared: c_uint,
        seed: u64,
        args: *const c_void,
        error: *mut c_char,
        capacity: usize,
    ) -> c_int;
    fn sameas_host_kernel(index: usize, args_bytes: *mut usize) -> *const c_char;
}

/// Runs a kernel to its end: `grid` blocks of `block` threads with `shared` bytes of dynamic shared memory. The error
/// says what the kernel did that a GPU would not have forgiven.
///
/// # Safety
/// `args` points to the struct of arguments of this kernel, and its addresses to memory of the host that the kernel
/// may read and write as it does.
pub unsafe fn launch(
    kernel: &str,
    grid: u32,
    block: u32,
    shared: u32,
    seed: u64,
    args: *const c_void,
) -> Result<(), String> {
    let name = c_string(kernel);
    let mut error = [0_u8; 1024];
    // SAFETY: the name ends with a zero, the error has the capacity said, and the arguments are as the caller promises.
    let status = unsafe {
        sameas_host_launch(name.as_ptr(), grid, block, shared, seed, args, error.as_mut_ptr().cast(), error.len())
    };
    if status == 0 {
        return Ok(());
    }
    let reason = CStr::from_bytes_until_nul(&error).unwrap_or_default();
    Err(reason.to_string_lossy().into_owned())
}

/// All kernels that are linked, in order: their names and the bytes of their arguments.
pub fn kernels() -> Vec<(String, usize)> {
    let kernel = |index| {
        let mut bytes = 0;
        // SAFETY: any number may be given; the answer is null or a constant string.
        let name = unsafe { sameas_host_kernel(index, &raw mut bytes).as_ref().map(|name| CStr::from_ptr(name)) }?;
        Some((name.to_string_lossy().into_owned(), bytes))
    };
    let mut names: Vec<(String, usize)> = (0..).map_while(kernel).collect();
    names.sort_unstable();
    names
}

/// No kernel has a zero in its name, so one that does is not found.
fn c_string(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}
