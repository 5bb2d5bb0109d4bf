//! What the numbers in rows that another worker read are in this store.

use serde::{Deserialize, Serialize};

/// Numbers by those that they had.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RowNumbers {
    pub devices: Vec<u32>,
    pub processes: Vec<u32>,
    /// Bytes of texts before those that are appended.
    pub texts: usize,
    /// Bytes of commands likewise.
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
