//! How long a logical block is, by block events of the same requests: commands count in blocks,
//! block events in sectors and bytes.
//!
//! nvme_setup_cmd precedes block_rq_issue, which precedes scsi_dispatch_cmd_start, by a few events.
//! A pair must agree in both place and length, and a device in nearly all pairs.

use std::collections::VecDeque;

/// Commands and issues that wait for their partner.
const NEAR: usize = 16;
/// Limit for the devices.
const DEVICES: usize = 64;
/// Sizes from 512 bytes to 64 KiB.
const SIZES: usize = 8;
const SMALLEST: u64 = 512;

#[derive(Clone, Debug)]
struct DeviceBlocks {
    name: Vec<u8>,
    /// Number of pairs for each size.
    pairs: [u64; SIZES],
}

/// Pairs commands with block events.
#[derive(Clone, Debug, Default)]
pub struct BlockSizes {
    devices: Vec<DeviceBlocks>,
    /// Recent commands: device, first block, blocks.
    commands: VecDeque<(usize, u64, u64)>,
    /// Recent block events: first sector, bytes.
    issues: VecDeque<(u64, u64)>,
}

impl BlockSizes {
    /// Takes a command that starts.
    pub fn command(&mut self, device: &[u8], first: u64, blocks: u64) {
        // Block 0 is at sector 0 for any size.
        if first == 0 || blocks == 0 {
            return;
        }
        let found = self.devices.iter().position(|entry| entry.name == device);
        let index = match found {
            Some(index) => index,
            None if self.devices.len() == DEVICES => return,
            None => {
                self.devices.push(DeviceBlocks {
                    name: device.to_vec(),
                    pairs: [0; SIZES],
                });
                self.devices.len() - 1
            }
        };
        let partner = self
            .issues
            .iter()
            .enumerate()
            .find_map(|(i, issue)| Some((i, size(*issue, first, blocks)?)));
        match partner {
            Some((i, size)) => {
                self.issues.remove(i);
                self.devices[index].pairs[size] += 1;
            }
            None => push(&mut self.commands, (index, first, blocks)),
        }
    }

    /// Takes a block event of a request that is issued.
    pub fn issue(&mut self, sector: u64, bytes: u64) {
        if self.devices.is_empty() || bytes == 0 {
            return;
        }
        let commands = self.commands.iter().enumerate();
        let partner = commands
            .filter_map(|(i, (device, first, blocks))| {
                Some((i, *device, size((sector, bytes), *first, *blocks)?))
            })
            .next();
        match partner {
            Some((i, device, size)) => {
                self.commands.remove(i);
                self.devices[device].pairs[size] += 1;
            }
            None => push(&mut self.issues, (sector, bytes)),
        }
    }

    /// Names of devices, and the bytes of their blocks.
    pub fn found(&self) -> Vec<(String, u32)> {
        let size_of_device = |device: &DeviceBlocks| {
            let (size, most) = device.pairs.iter().enumerate().max_by_key(|(_, n)| **n)?;
            let others = device.pairs.iter().sum::<u64>() - most;
            let name = String::from_utf8_lossy(&device.name).into_owned();
            (*most > 8 * others).then_some((name, (SMALLEST << size) as u32))
        };
        self.devices.iter().filter_map(size_of_device).collect()
    }
}

fn push<T>(waiting: &mut VecDeque<T>, item: T) {
    if waiting.len() == NEAR {
        waiting.pop_front();
    }
    waiting.push_back(item);
}

/// The size of a block of which both are the same place and length: its power above the smallest.
fn size((sector, bytes): (u64, u64), first: u64, blocks: u64) -> Option<usize> {
    (0..SIZES).find(|size| {
        let size = SMALLEST << size;
        blocks.checked_mul(size) == Some(bytes)
            && first.checked_mul(size / SMALLEST) == Some(sector)
    })
}

#[cfg(test)]
mod tests {
    use super::BlockSizes;

    #[test]
    fn sizes_by_pairs() {
        let mut sizes = BlockSizes::default();
        // Before any command there is nothing to pair.
        sizes.issue(80, 4096);
        sizes.command(b"nvme0n1", 10, 1);
        assert_eq!(sizes.found(), []);
        // Pairs form in either order, and only if place and length agree.
        sizes.issue(80, 8192);
        sizes.issue(88, 4096);
        assert_eq!(sizes.found(), []);
        sizes.issue(80, 4096);
        sizes.command(b"nvme1n1", 80, 16);
        assert_eq!(
            sizes.found(),
            [("nvme0n1".to_owned(), 4096), ("nvme1n1".to_owned(), 512)]
        );
        // Sector 0 fits any size.
        sizes.command(b"nvme2n1", 0, 8);
        sizes.issue(0, 4096);
        assert_eq!(sizes.found().len(), 2);
        // A disk whose pairs contradict each other has none.
        sizes.command(b"nvme0n1", 10, 2);
        sizes.issue(10, 1024);
        assert_eq!(sizes.found(), [("nvme1n1".to_owned(), 512)]);
    }

    #[test]
    fn bounded() {
        let mut sizes = BlockSizes::default();
        for n in 1..1000u64 {
            sizes.command(format!("nvme{n}n1").as_bytes(), n, u64::MAX);
            sizes.issue(u64::MAX, n);
        }
        assert_eq!(
            (
                sizes.devices.len(),
                sizes.commands.len(),
                sizes.issues.len()
            ),
            (64, 16, 16)
        );
    }
}
