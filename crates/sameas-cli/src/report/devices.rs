//! The GPUs of a machine, or why there is none.

use sameas::device::DeviceList;
use sameas::device::{DeviceInfo, NoGpu};

use super::no_gpu::no_gpu;
use crate::text::facts;

/// The devices, or why none is usable.
pub fn devices(listing: &DeviceList) -> String {
    let mut rows: Vec<(&str, String)> = listing.devices.iter().map(|found| ("GPU", described(found))).collect();
    if let Some(reason) = listing.unusable() {
        rows.push(("Usable", format!("none: {}", no_gpu(&reason))));
        rows.extend(help(&reason).map(|help| ("Help", help.to_owned())));
    }
    rows.extend(listing.driver.iter().map(|driver| ("Driver", driver.clone())));
    facts(&rows)
}

/// What the user can do to have a GPU used.
fn help(reason: &NoGpu) -> Option<&'static str> {
    let build = "build the program with `--features cuda`; the CPU gives the same answers";
    (*reason == NoGpu::NoCudaInBuild).then_some(build)
}

fn described(found: &DeviceInfo) -> String {
    let (major, minor) = found.compute;
    let gib = found.memory as f64 / f64::from(1 << 30);
    let unusable = found.unusable.as_ref().map_or(String::new(), |why| format!("; not usable: {}", no_gpu(why)));
    format!("{}, compute capability {major}.{minor}, {gib:.1} GiB{unusable}", found.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(unusable: Option<NoGpu>) -> DeviceInfo {
        DeviceInfo { name: "NVIDIA H200".into(), compute: (9, 0), memory: 150_000_000_000, unusable }
    }

    #[test]
    fn devices_are_described() {
        let listing = DeviceList { devices: vec![found(None)], reason: None, driver: Some("CUDA 13.0".into()) };
        assert_eq!(devices(&listing), "GPU      NVIDIA H200, compute capability 9.0, 139.7 GiB\nDriver   CUDA 13.0\n");
    }

    #[test]
    fn what_keeps_a_device_from_use_is_said() {
        let too_old = NoGpu::ComputeTooOld { compute: (9, 0), oldest: (10, 0) };
        let old = devices(&DeviceList { devices: vec![found(Some(too_old))], reason: None, driver: None });
        // Long lines are wrapped.
        let words = old.split_whitespace().collect::<Vec<_>>().join(" ");
        let why = "compute capability 9.0 is older than 10.0";
        assert!(words.ends_with(&format!("not usable: {why} Usable none: {why}")), "{old}");
        let none = devices(&DeviceList { devices: vec![], reason: Some(NoGpu::NoDevice), driver: None });
        assert_eq!(none, "Usable   none: the NVIDIA driver has no device\n");
        let build = devices(&DeviceList { devices: vec![], reason: Some(NoGpu::NoCudaInBuild), driver: None });
        assert!(build.contains("Help     build the program with"), "{build}");
    }
}
