//! `devices`: what there is, or why there is nothing; never a failure.

use crate::support::Folder;

#[test]
fn devices_or_why_there_are_none() {
    let folder = Folder::new();
    let said = folder.ok(&["devices"]).out;
    let json = folder.ok(&["devices", "--format", "json"]).out;
    let listed: serde_json::Value = serde_json::from_str(&json).unwrap();
    let devices = listed["devices"].as_array().unwrap();
    if devices.is_empty() {
        assert!(said.starts_with("Usable   none: "), "{said}");
        let why = listed["reason"]["why"].as_str().unwrap();
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(why == "no_cuda_in_build", words.contains("no CUDA support"), "{why}\n{said}");
        assert_eq!(why == "no_driver", words.contains("no NVIDIA driver"), "{why}\n{said}");
    }
    for device in devices {
        let name = device["name"].as_str().unwrap();
        assert!(said.contains(name) && device["memory"].as_u64().unwrap() > 0, "{said}");
    }
}
