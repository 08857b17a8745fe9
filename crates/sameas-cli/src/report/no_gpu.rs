//! Why no GPU is used, as a sentence.

use sameas::device::{DeviceKind, NoGpu};

/// Where something is done, and why it is not a GPU: `the CPU: the NVIDIA driver has no device`.
pub fn place(device: DeviceKind, reason: Option<&NoGpu>) -> String {
    match (device, reason) {
        (DeviceKind::Cpu, None) => "the CPU, as asked".to_owned(),
        (DeviceKind::Cpu, Some(reason)) => format!("the CPU: {}", no_gpu(reason)),
        (DeviceKind::Cuda, _) => "the GPU".to_owned(),
        (DeviceKind::Emulated, _) => "an emulated GPU".to_owned(),
    }
}

/// Why a GPU, or any GPU of this machine, is not used.
pub fn no_gpu(reason: &NoGpu) -> String {
    match reason {
        NoGpu::NoCudaInBuild => "this build of sameas has no CUDA support".into(),
        NoGpu::NoDriver => "no NVIDIA driver was found on this machine (libcuda)".into(),
        NoGpu::DriverDoesNotStart { error } => format!("the NVIDIA driver does not start: {error}"),
        NoGpu::DriverTooOld { speaks, needed, oldest_driver } => {
            let speaks = speaks.map_or("an unknown version".into(), cuda);
            let needed = cuda(*needed);
            format!(
                "the NVIDIA driver is too old: it speaks {speaks}; {needed}, driver {oldest_driver} or newer, is needed"
            )
        }
        NoGpu::NoDevice => "the NVIDIA driver has no device".into(),
        NoGpu::ComputeTooOld { compute, oldest } => {
            format!("compute capability {}.{} is older than {}.{}", compute.0, compute.1, oldest.0, oldest.1)
        }
        NoGpu::JobTooSmall => "the job is too small to be worth the start of a GPU".into(),
        NoGpu::CannotOpen { error } => error.clone(),
    }
}

/// A version of CUDA.
fn cuda((major, minor): (u32, u32)) -> String {
    format!("CUDA {major}.{minor}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_words() {
        let old = |speaks| no_gpu(&NoGpu::DriverTooOld { speaks, needed: (13, 0), oldest_driver: 580 });
        let needed = "CUDA 13.0, driver 580 or newer, is needed";
        assert_eq!(old(Some((12, 4))), format!("the NVIDIA driver is too old: it speaks CUDA 12.4; {needed}"));
        assert_eq!(old(None), format!("the NVIDIA driver is too old: it speaks an unknown version; {needed}"));
        let compute = NoGpu::ComputeTooOld { compute: (7, 0), oldest: (7, 5) };
        assert_eq!(no_gpu(&compute), "compute capability 7.0 is older than 7.5");
    }
}
