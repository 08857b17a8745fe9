//! More memory than a device has.

use std::fmt;

use serde::{Deserialize, Serialize};

/// More memory was needed at once than a device has free: the cause of errors with
/// [`ErrorCode::DoesNotFitDevice`](crate::error::ErrorCode::DoesNotFitDevice).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DoesNotFit {
    /// Bytes that were needed; 0 where a driver does not say.
    pub needed: u64,
    /// Bytes that were free in one piece.
    pub free: u64,
    /// All bytes that may be used of the device.
    pub memory: u64,
}

impl DoesNotFit {
    /// That this many bytes were needed.
    #[doc(hidden)]
    pub fn new(needed: u64, free: u64, memory: u64) -> Self {
        Self { needed, free, memory }
    }
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |bytes: u64| match bytes {
            0..=0xFF_FFFF => format!("{} KiB", bytes.div_ceil(1 << 10)),
            _ => format!("{} MiB", bytes.div_ceil(1 << 20)),
        };
        let (needed, memory, free) = (size(self.needed), size(self.memory), size(self.free));
        write!(f, "{needed} of device memory are needed at once, and of {memory} only {free} are free in one piece")
    }
}

impl std::error::Error for DoesNotFit {}
