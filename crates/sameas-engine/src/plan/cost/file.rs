//! Coefficients in a file of JSON.

use std::fs;
use std::path::Path;

use super::model::Costs;
use crate::error::{Error, Result};

/// What to do about a file that cannot be used.
const HELP: &str = "calibrate again, or remove the file";

impl Costs {
    /// Reads coefficients and checks that they hold for this program and this class of device.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|e| Error::io("cannot read the costs", path, e))?;
        let refuse = |why: String| Error::data(format!("{}: {why}", path.display())).with_help(HELP);
        let costs: Self = serde_json::from_str(&text).map_err(|e| refuse(e.to_string()))?;
        costs.check().map_err(refuse)?;
        Ok(costs)
    }

    /// Writes them, and makes the folder if necessary.
    pub fn write(&self, path: &Path) -> Result<()> {
        let failed = |e: std::io::Error| Error::io("cannot write the costs to", path, e);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let text = serde_json::to_string_pretty(self).map_err(|e| Error::internal(e.to_string()))?;
        fs::write(path, text + "\n").map_err(failed)
    }

    fn check(&self) -> std::result::Result<(), String> {
        if self.format != Self::FORMAT {
            return Err(format!("it has format {}, this program reads format {}", self.format, Self::FORMAT));
        }
        if self.device != Self::device_class() {
            return Err(format!("it was measured on `{}`, this machine is `{}`", self.device, Self::device_class()));
        }
        let mut numbers = self.kinds.values().flat_map(|c| [c.pair, c.filtered, c.measured, c.work]);
        if numbers.any(|number| !number.is_finite() || number < 0.0) {
            return Err("a cost is below zero".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/costs.json");
        let costs = Costs::shipped();
        assert!(Costs::read(&path).is_err());
        costs.write(&path).unwrap();
        assert_eq!(Costs::read(&path).unwrap(), costs);
        let mut negative = costs.clone();
        negative.kinds.values_mut().for_each(|c| c.pair = -1.0);
        let others = [
            (Costs { format: 99, ..costs.clone() }, "it has format 99"),
            (Costs { device: "abacus".into(), ..costs }, "measured on `abacus`"),
            (negative, "below zero"),
        ];
        for (other, why) in others {
            other.write(&path).unwrap();
            let error = Costs::read(&path).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("calibrate again"), "{error}");
        }
        fs::write(&path, "{ no").unwrap();
        assert!(Costs::read(&path).is_err());
    }
}
