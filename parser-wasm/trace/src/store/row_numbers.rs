//! Translates the numbers in rows that another worker read to those of this store.

use serde::{Deserialize, Serialize};

/// The new number of each old one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RowNumbers {
    pub devices: Vec<u32>,
    pub processes: Vec<u32>,
    /// Bytes of texts before those that are appended.
    pub texts: usize,
    /// Number of bytes that the store had before, for places in commands.
    pub commands: usize,
}

impl RowNumbers {
    #[inline]
    pub fn device(&self, device: u32) -> u32 {
        self.devices.get(device as usize).copied().unwrap_or(device)
    }

    /// A completion that is alone has no process.
    #[inline]
    pub fn process(&self, process: u32) -> u32 {
        self.processes
            .get(process as usize)
            .copied()
            .unwrap_or(process)
    }
}
