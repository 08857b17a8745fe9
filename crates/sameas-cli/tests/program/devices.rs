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
        let reason = listed["reason"].as_str().unwrap();
        assert!(said.starts_with("Usable   none: "), "{said}");
        assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(reason), "{reason}\n{said}");
    }
    for device in devices {
        let name = device["name"].as_str().unwrap();
        assert!(said.contains(name) && device["memory"].as_u64().unwrap() > 0, "{said}");
    }
}
