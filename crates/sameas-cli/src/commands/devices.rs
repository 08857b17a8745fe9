//! `sameas devices`: the GPUs of this machine, or why there is none.

use sameas::Error;
use sameas::device::DeviceList;

use crate::args::{Devices, DevicesFormat};
use crate::outcome::{CommandResult, Outcome};
use crate::report;
use crate::terminal::{Stream, give, say};

/// Runs `sameas devices`. That there is none is an answer, not a failure.
pub fn run(args: &Devices) -> CommandResult {
    let listing = DeviceList::find();
    match args.format {
        DevicesFormat::Text => say(Stream::Out, &report::devices(&listing)),
        DevicesFormat::Json => {
            let json = serde_json::to_string_pretty(&listing);
            give(&(json.map_err(|error| Error::internal(format!("the devices as JSON: {error}")))? + "\n"))
        }
    }?;
    Ok(Outcome::Done)
}
