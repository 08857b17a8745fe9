//! `sameas devices`: the GPUs of this machine, or why there is none.

use sameas::Error;
use sameas::device::{FoundDevice, Listing, list};

use crate::args::{Devices, DevicesFormat};
use crate::outcome::{Ended, Outcome};
use crate::terminal::{Stream, say};
use crate::text::facts;

/// Runs `sameas devices`. That there is none is an answer, not a failure.
pub fn run(args: &Devices) -> Ended {
    let listing = list();
    let text = match args.format {
        DevicesFormat::Text => shown(&listing),
        DevicesFormat::Json => {
            let json = serde_json::to_string_pretty(&listing);
            json.map_err(|error| Error::internal(format!("the devices as JSON: {error}")))? + "\n"
        }
    };
    say(Stream::Out, &text)?;
    Ok(Outcome::Done)
}

fn shown(listing: &Listing) -> String {
    let mut rows: Vec<(&str, String)> = listing.devices.iter().map(|found| ("GPU", described(found))).collect();
    if let Some(reason) = listing.unusable() {
        rows.push(("Usable", format!("none: {reason}")));
        rows.extend(help().map(|help| ("Help", help.to_owned())));
    }
    rows.extend(listing.driver.iter().map(|driver| ("Driver", driver.clone())));
    facts(&rows)
}

/// What a user of this build can do to have a GPU used.
fn help() -> Option<&'static str> {
    let build = "build the program with `--features cuda`; the CPU gives the same answers";
    (!cfg!(feature = "cuda")).then_some(build)
}

fn described(found: &FoundDevice) -> String {
    let (major, minor) = found.compute;
    let gib = found.memory as f64 / f64::from(1 << 30);
    let unusable = found.unusable.as_ref().map_or(String::new(), |why| format!("; not usable: {why}"));
    format!("{}, compute capability {major}.{minor}, {gib:.1} GiB{unusable}", found.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(unusable: Option<&str>) -> FoundDevice {
        let unusable = unusable.map(str::to_owned);
        FoundDevice { name: "NVIDIA H200".into(), compute: (9, 0), memory: 150_000_000_000, unusable }
    }

    #[test]
    fn devices_are_described() {
        let listing = Listing { devices: vec![found(None)], reason: None, driver: Some("CUDA 13.0".into()) };
        assert_eq!(shown(&listing), "GPU      NVIDIA H200, compute capability 9.0, 139.7 GiB\nDriver   CUDA 13.0\n");
    }

    #[test]
    fn what_keeps_a_device_from_use_is_said() {
        let old = Listing { devices: vec![found(Some("too old"))], reason: None, driver: None };
        assert!(
            shown(&old).contains("not usable: too old") && shown(&old).contains("none: too old"),
            "{}",
            shown(&old)
        );
        let none = Listing { devices: vec![], reason: Some("no driver library".into()), driver: None };
        assert!(shown(&none).starts_with("Usable   none: no driver library\n"), "{}", shown(&none));
    }
}
