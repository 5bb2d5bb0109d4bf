//! Structures of ext4: `dumpe2fs`, and the extents of its journal by `debugfs`.

use crate::ranges::{Facts, MapFact, MapRange, MapText, SECTOR, Space};
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::store::ObjectKind;

pub fn is_dumpe2fs(head: &str) -> bool {
    head.contains("Filesystem volume name:") && head.contains("Filesystem magic number:")
}

/// Whether it is the output of `debugfs -R 'ex <8>'`. It does not name the inode: the file does.
pub fn is_journal_extents(path: &str, head: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut lines = head.lines().map(str::trim_start);
    name.contains("journal") && lines.any(|line| line.starts_with("Level Entries"))
}

fn range(space: Space, kind: ObjectKind, start: u64, sectors: u64) -> MapFact<'static> {
    MapFact::Range(MapRange {
        space,
        start,
        sectors,
        kind,
        inode: None,
        offset: None,
        path: None,
        weak: false,
    })
}

/// `65`, or `2-64`, and what follows: first block and count.
fn blocks(text: &str) -> Option<(u64, u64)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '-')
        .unwrap_or(text.len());
    let (first, last) = text[..end]
        .split_once('-')
        .unwrap_or((&text[..end], &text[..end]));
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    Some((first, last.checked_sub(first)?.checked_add(1)?))
}

/// Reads `dumpe2fs`.
#[derive(Debug, Default)]
pub struct Dumpe2fs {
    block: u64,
    groups: bool,
}

impl Dumpe2fs {
    fn add(&self, kind: ObjectKind, text: &str, facts: &mut dyn Facts) {
        let Some((first, count)) = blocks(text) else {
            return;
        };
        let sectors = self.block / SECTOR;
        if let (Some(start), Some(count)) = (first.checked_mul(sectors), count.checked_mul(sectors))
        {
            facts.add(range(Space::Partition, kind, start, count));
        }
    }

    fn header(&mut self, line: &str, facts: &mut dyn Facts) {
        let Some((name, value)) = line.split_once(':') else {
            return;
        };
        let value = value.trim();
        match (name, value.parse::<u64>()) {
            ("Last mounted on", _) if value.starts_with('/') => {
                facts.add(MapFact::MountPoint(value));
            }
            ("Default mount options", _)
                if value.split(' ').any(|option| option == "journal_data") =>
            {
                facts.add(MapFact::JournalsData);
            }
            ("Block size", Ok(bytes)) if (1024..=65536).contains(&bytes) => {
                self.block = bytes;
                facts.add(MapFact::BlockSize(bytes));
            }
            ("Journal device", _) => {
                if let Some(device) = superblock_device(value) {
                    facts.add(MapFact::JournalDevice(device));
                }
            }
            _ => {}
        }
    }
}

/// `0x0811`, a device as the superblock has it: the bits of the minor number are below and above
/// those of the major one.
fn superblock_device(text: &str) -> Option<DeviceNumber> {
    let device = u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()?;
    let (major, minor) = (device >> 8 & 0xfff, device & 0xff | device >> 12 & 0xf_ff00);
    (major > 0).then_some(DeviceNumber(major << 20 | minor))
}

/// The items of a group's lines. Each stands before its blocks.
const ITEMS: [(&str, ObjectKind); 7] = [
    ("superblock at ", ObjectKind::Superblock),
    ("Group descriptors at ", ObjectKind::GroupDescriptors),
    ("Group descriptor at ", ObjectKind::GroupDescriptors),
    ("Reserved GDT blocks at ", ObjectKind::ReservedGdt),
    ("Block bitmap at ", ObjectKind::BlockBitmap),
    ("Inode bitmap at ", ObjectKind::InodeBitmap),
    ("Inode table at ", ObjectKind::InodeTable),
];

impl MapText for Dumpe2fs {
    fn file_system(&self) -> Option<&'static str> {
        Some("ext4")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if line.starts_with("Group ") && line.contains("(Blocks ") {
            self.groups = true;
        } else if !self.groups {
            self.header(line, facts);
        } else if let Some(list) = line.trim_start().strip_prefix("Free blocks: ") {
            for span in list.split(", ") {
                self.add(ObjectKind::Free, span, facts);
            }
        } else {
            for (text, kind) in ITEMS {
                if let Some(place) = line.find(text) {
                    self.add(kind, &line[place + text.len()..], facts);
                }
            }
        }
    }
}

/// Reads the journal's extents, in blocks.
#[derive(Debug, Default)]
pub struct JournalExtents;

impl MapText for JournalExtents {
    fn file_system(&self) -> Option<&'static str> {
        Some("ext4")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if let Some((kind, start, count)) = journal_line(line) {
            facts.add(range(Space::Blocks, kind, start, count));
        }
    }
}

/// ` 0/ 0   1/  1     0 -  4095  65536 -  69631   4096`: a leaf. An index line has one block
/// instead of the second span: that of the extents below it.
fn journal_line(line: &str) -> Option<(ObjectKind, u64, u64)> {
    let (level, rest) = line.trim_start().split_once('/')?;
    let (depth, rest) = rest.trim_start().split_once(' ')?;
    level.trim().parse::<u8>().ok()?;
    depth.trim().parse::<u8>().ok()?;
    let (_, rest) = rest.split_once('/')?;
    let mut words = rest.split_whitespace().skip(1);
    let mut number = || words.find(|word| *word != "-")?.parse::<u64>().ok();
    number()?;
    number()?;
    let start = number()?;
    if level.trim() != depth.trim() {
        return Some((ObjectKind::ExtentBlock, start, 1));
    }
    let last = number()?;
    Some((
        ObjectKind::Journal,
        start,
        last.checked_sub(start)?.checked_add(1)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;

    fn ranges(facts: &[MapFact<'_>]) -> Vec<(ObjectKind, u64, u64)> {
        let range = |fact: &MapFact<'_>| match fact {
            MapFact::Range(range) => Some((range.kind, range.start, range.sectors)),
            _ => None,
        };
        facts.iter().filter_map(range).collect()
    }

    #[test]
    fn groups_have_their_structures() {
        let text = "Filesystem volume name:   <none>\nLast mounted on:          /srv/data\n\
            Block size:               4096\n\nGroup 0: (Blocks 0-32767) csum 0x57e5\n  \
            Primary superblock at 0, Group descriptors at 1-1\n  Reserved GDT blocks at 2-64\n  \
            Block bitmap at 65 (+65), csum 0x70\n  Inode bitmap at 69 (bg #0 + 69)\n  \
            Inode table at 73-584 (+73)\n  3 free blocks, 8126 free inodes\n  \
            Free blocks: 2137-2138, 32767\n  Free inodes: 67-8192\n";
        let facts = FactList::read(Dumpe2fs::default(), text);
        assert_eq!(
            facts[..2],
            [MapFact::MountPoint("/srv/data"), MapFact::BlockSize(4096)]
        );
        let expected = [
            (ObjectKind::Superblock, 0, 8),
            (ObjectKind::GroupDescriptors, 8, 8),
            (ObjectKind::ReservedGdt, 16, 504),
            (ObjectKind::BlockBitmap, 520, 8),
            (ObjectKind::InodeBitmap, 552, 8),
            (ObjectKind::InodeTable, 584, 4096),
            (ObjectKind::Free, 17096, 16),
            (ObjectKind::Free, 262136, 8),
        ];
        assert_eq!(ranges(&facts), expected);
    }

    #[test]
    fn data_may_be_journaled_by_default() {
        let read = |options: &str| {
            let text = format!("Default mount options:    user_xattr {options}\n");
            FactList::read(Dumpe2fs::default(), &text)
        };
        assert_eq!(read("acl journal_data"), [MapFact::JournalsData]);
        assert_eq!(read("journal_data_ordered"), []);
    }

    #[test]
    fn the_journal_may_be_another_device() {
        let device = |text: &str| {
            let line = format!("Journal device:           {text}\n");
            FactList::read(Dumpe2fs::default(), &line)
        };
        let found =
            |major: u32, minor: u32| [MapFact::JournalDevice(DeviceNumber(major << 20 | minor))];
        assert_eq!(device("0x0811"), found(8, 17));
        assert_eq!(device("0x10000105"), found(1, 0x1_0005));
        assert_eq!(device("0x0000"), []);
        assert_eq!(device("/dev/sdb1"), []);
    }

    #[test]
    fn the_journal_has_leaves_and_index_blocks() {
        let text = "Level Entries       Logical        Physical Length Flags\n \
            0/ 1   1/  1     0 - 32767  33794             32768\n \
            1/ 1   1/  2     0 -  4095  65536 -  69631   4096 \n";
        let facts = FactList::read(JournalExtents, text);
        let expected = [
            (ObjectKind::ExtentBlock, 33794, 1),
            (ObjectKind::Journal, 65536, 4096),
        ];
        assert_eq!(ranges(&facts), expected);
    }

    #[test]
    fn hostile_numbers_give_no_range() {
        let text = "Block size: 4096\nGroup 0: (Blocks 0-1)\n Block bitmap at 18446744073709551615\n \
            Inode table at 9-2\n Free blocks: x, -, 5-\n Inode bitmap at\n";
        assert_eq!(ranges(&FactList::read(Dumpe2fs::default(), text)), []);
        assert_eq!(journal_line(" 0/ 0 1/ 1 0 - 1 9 - 2 5"), None);
        assert_eq!(journal_line("//////"), None);
    }
}
