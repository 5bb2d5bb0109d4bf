//! Numbers for devices of which a format has only names.

use super::Record;
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::event::DeviceNumber;

const MINORS: u32 = 1 << 20;

/// The names that were seen, with their numbers.
#[derive(Clone, Debug, Default)]
pub struct NamedDevices {
    numbers: FxHashMap<Vec<u8>, DeviceNumber>,
    minors: FxHashSet<u32>,
    /// The names in the order in which they were seen.
    names: Vec<Vec<u8>>,
}

impl NamedDevices {
    /// The made-up number of the device with this name: always the same, unless names collide.
    pub fn number(&mut self, name: &[u8]) -> DeviceNumber {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let mut minor = hash(name) % MINORS;
        while self.minors.len() < MINORS as usize && !self.minors.insert(minor) {
            minor = (minor + 1) % MINORS;
        }
        let number = DeviceNumber::made_up(minor);
        self.numbers.insert(name.to_vec(), number);
        self.names.push(name.to_vec());
        number
    }

    /// Emits a record for each name.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        for name in std::mem::take(&mut self.names) {
            let device = self.number(&name);
            sink(Record::Device {
                device,
                name: &name,
            });
        }
    }
}

/// The hash FNV-1a, which is the same in every build.
fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0x811c_9dc5, |sum, byte| {
        (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}
