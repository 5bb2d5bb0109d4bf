//! Numbers for devices of which a format has only names.

use super::Record;
use crate::event::DeviceNumber;

/// A major number that no driver has.
const NAMED: u32 = 0xffe;
const MINORS: u32 = 1 << 20;

/// Whether a device's number is made up, because the format has only its name.
pub fn is_named(device: DeviceNumber) -> bool {
    device.major() == NAMED
}

/// The names that were seen, with their numbers.
#[derive(Clone, Debug, Default)]
pub struct NamedDevices {
    names: Vec<(Vec<u8>, DeviceNumber)>,
    last: usize,
}

impl NamedDevices {
    /// The made-up number of the device with this name: always the same, unless names collide.
    pub fn number(&mut self, name: &[u8]) -> DeviceNumber {
        if self.names.get(self.last).is_none_or(|known| known.0 != name) {
            self.last = self.names.iter().position(|known| known.0 == name).unwrap_or_else(|| {
                let mut minor = hash(name) % MINORS;
                while self.names.iter().any(|known| known.1.minor() == minor) && self.names.len() < MINORS as usize {
                    minor = (minor + 1) % MINORS;
                }
                self.names.push((name.to_vec(), DeviceNumber(NAMED << 20 | minor)));
                self.names.len() - 1
            });
        }
        self.names[self.last].1
    }

    /// Emits the names.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        for (name, device) in std::mem::take(&mut self.names) {
            sink(Record::Device { device, name: &name });
        }
    }
}

/// FNV-1a.
fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
