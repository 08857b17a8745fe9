//! The user's own coefficients: a JSON file in the folder for settings.

use std::fs;
use std::path::{Path, PathBuf};

use super::model::Costs;
use crate::error::{Error, Result};

/// What to do about a file that cannot be used.
const HELP: &str = "calibrate this machine again, or remove the file";

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

    /// The user's coefficients if there are any that can be used, else the shipped ones; and what is wrong with the
    /// user's, if anything is.
    pub fn of_user() -> (Self, Option<String>) {
        Self::of_file(Self::user_file().as_deref())
    }

    fn of_file(path: Option<&Path>) -> (Self, Option<String>) {
        match path.filter(|path| path.exists()).map(Self::read) {
            Some(Ok(costs)) => (costs, None),
            Some(Err(error)) => (Self::shipped(), Some(format!("costs that come with sameas are used: {error}"))),
            None => (Self::shipped(), None),
        }
    }

    /// Where the user's coefficients are kept: `sameas/costs.json` in the folder for settings, if the user has one.
    pub fn user_file() -> Option<PathBuf> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")));
        folder.map(|folder| folder.join("sameas").join("costs.json"))
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
        assert_eq!(Costs::of_file(Some(&path)), (costs.clone(), None));
        costs.write(&path).unwrap();
        assert_eq!(Costs::read(&path).unwrap(), costs);
        let mut negative = costs.clone();
        negative.kinds.values_mut().for_each(|c| c.pair = -1.0);
        let others = [
            (Costs { format: 99, ..costs.clone() }, "it has format 99"),
            (Costs { device: "abacus".into(), ..costs.clone() }, "measured on `abacus`"),
            (negative, "below zero"),
        ];
        for (other, why) in others {
            other.write(&path).unwrap();
            let (used, warning) = Costs::of_file(Some(&path));
            assert_eq!(used, costs);
            assert!(
                warning.as_ref().is_some_and(|text| text.contains(why) && text.contains("calibrate")),
                "{warning:?}"
            );
        }
        fs::write(&path, "{ no").unwrap();
        assert!(Costs::of_file(Some(&path)).1.is_some());
    }
}
