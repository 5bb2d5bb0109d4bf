//! Sizes of logical blocks, from a run's settings.

use super::Setting;
use serde::{Deserialize, Serialize};

/// Bytes of a logical block that drivers of disks have.
const SIZES: std::ops::RangeInclusive<u32> = 512..=1 << 16;

/// The logical blocks of a disk, as notes describe them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockNote {
    /// Name of the disk; absent where the text has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    pub bytes: u32,
}

impl BlockNote {
    /// The block sizes of a run's disks: its settings `logical_block_size`.
    pub fn of_run(settings: &[Setting]) -> Vec<BlockNote> {
        let block_note = |setting: &Setting| {
            let bytes = setting
                .value
                .parse::<u32>()
                .ok()
                .filter(|n| SIZES.contains(n) && n.is_power_of_two())?;
            Some(BlockNote {
                device: setting.device.clone(),
                bytes,
            })
        };
        settings
            .iter()
            .filter(|setting| setting.key == "logical_block_size")
            .filter_map(block_note)
            .collect()
    }

    /// The size of a disk's blocks: by its name; for a namespace with several paths by that of the
    /// namespace; of an address of scsi that which all disks of scsi have; in a trace of one disk
    /// that of a text without a name.
    pub fn size(notes: &[BlockNote], device: &str, alone: bool) -> Option<u32> {
        let size_of = |name: Option<&str>| {
            notes
                .iter()
                .find(|note| note.device.as_deref() == name)
                .map(|note| note.bytes)
        };
        let named = size_of(Some(device)).or_else(|| size_of(Some(&without_path(device)?)));
        let mut disks = notes
            .iter()
            .filter(|note| note.device.as_deref().is_some_and(is_scsi))
            .map(|note| note.bytes);
        let addressed = || {
            let first = device.contains(':').then(|| disks.next())??;
            disks.all(|bytes| bytes == first).then_some(first)
        };
        named
            .or_else(addressed)
            .or_else(|| alone.then(|| size_of(None))?)
    }
}

/// The namespace of a path to it: `nvme0n2` for `nvme0c1n2`.
fn without_path(device: &str) -> Option<String> {
    let (controller, rest) = device.strip_prefix("nvme")?.split_once('c')?;
    let (path, namespace) = rest.split_once('n')?;
    let numbers = [controller, path, namespace]
        .iter()
        .all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    numbers.then(|| format!("nvme{controller}n{namespace}"))
}

/// Whether a name is one that scsi disks have: `sda`, `sr0`.
fn is_scsi(device: &str) -> bool {
    let letters = device
        .strip_prefix("sd")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_lowercase()));
    letters
        || device
            .strip_prefix("sr")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::super::{TracePaths, assign, read};
    use super::BlockNote;

    fn blocks(texts: &[(&str, &str)]) -> Vec<(Option<String>, u32)> {
        let notes = texts
            .iter()
            .map(|(file, text)| read(file, text.as_bytes()))
            .collect();
        let trace = TracePaths {
            label: "trace".to_owned(),
            paths: vec!["trace.dat".to_owned()],
        };
        assign(&[trace], notes)
            .runs
            .swap_remove(0)
            .blocks
            .into_iter()
            .map(|note| (note.device, note.bytes))
            .collect()
    }

    #[test]
    fn sizes_of_settings() {
        let named = |name: &str, bytes| (Some(name.to_owned()), bytes);
        for text in [
            "/sys/block/nvme0n1/queue/logical_block_size:4096\n",
            "/sys/block/nvme0n1/queue/hw_sector_size:4096\n",
            "nvme0n1/queue/hw_sector_size:4096\nnvme0n1/queue/logical_block_size:4096\n",
            "{\"devices\":[{\"name\":\"nvme0n1\",\"majmin\":\"259:0\",\"logical_block_size\":4096}]}",
            "NAME    ALIGNMENT MIN-IO OPT-IO PHY-SEC LOG-SEC ROTA\nnvme0n1         0   4096      \
                0    4096    4096    0\n",
        ] {
            assert_eq!(
                blocks(&[("notes.txt", text)]),
                [named("nvme0n1", 4096)],
                "{text}"
            );
        }
        // `grep -aH . -r` in the folder of a queue.
        assert_eq!(
            blocks(&[(
                "queue.txt",
                "./hw_sector_size:4096\n./logical_block_size:4096\n"
            )]),
            [(None, 4096)]
        );
        // These are no size of a disk, and the last are two notes that differ.
        for text in ["0", "513", "131072", "x", "-512"] {
            assert_eq!(
                blocks(&[(
                    "a.txt",
                    &format!("/sys/block/sda/queue/logical_block_size:{text}\n")
                )]),
                [],
                "{text}"
            );
        }
        let setting_line = |n: u32| format!("/sys/block/sda/queue/logical_block_size:{n}\n");
        assert_eq!(
            blocks(&[
                ("a.txt", &setting_line(512)),
                ("b.txt", &setting_line(4096))
            ]),
            []
        );
    }

    #[test]
    fn the_size_of_a_disk() {
        let notes = |sizes: &[(&str, u32)]| -> Vec<BlockNote> {
            let name = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
            sizes
                .iter()
                .map(|(device, bytes)| BlockNote {
                    device: name(device),
                    bytes: *bytes,
                })
                .collect()
        };
        let size = |sizes: &[(&str, u32)], device| BlockNote::size(&notes(sizes), device, false);
        assert_eq!(
            size(&[("nvme0n1", 4096), ("nvme1n1", 512)], "nvme0n1"),
            Some(4096)
        );
        assert_eq!(size(&[("nvme0n1", 4096)], "nvme0c2n1"), Some(4096));
        assert_eq!(size(&[("nvme0n1", 4096)], "nvme1n1"), None);
        assert_eq!(
            size(&[("sda", 4096), ("sdb", 4096), ("nvme0n1", 512)], "0:0:0:0"),
            Some(4096)
        );
        assert_eq!(size(&[("sda", 4096), ("sdb", 512)], "0:0:0:0"), None);
        assert_eq!(size(&[("nvme0n1", 4096)], "0:0:0:0"), None);
        assert_eq!(size(&[("", 4096)], "nvme0n1"), None);
        assert_eq!(
            BlockNote::size(&notes(&[("", 4096)]), "nvme0n1", true),
            Some(4096)
        );
    }
}
