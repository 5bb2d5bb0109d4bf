//! Extents of files: `filefrag -v` and `xfs_io -c fiemap`.

use crate::ranges::{Facts, MapFact, MapRange, MapText, SECTOR, Space};
use seekscope_trace::store::ObjectKind;

/// Whether a text begins as one of `filefrag -v`.
pub fn is_filefrag(head: &str) -> bool {
    head.starts_with("Filesystem type is:") || head.starts_with("File size of ")
}

/// Whether a text begins as one of `xfs_io -c fiemap`: a path, then extents in brackets.
pub fn is_xfs_io(head: &str) -> bool {
    let mut lines = head.lines();
    let path = lines
        .next()
        .is_some_and(|line| line.starts_with('/') && line.ends_with(':'));
    path && lines.any(|line| xfs_io_extent(line).is_some())
}

/// Reads the extents of files, of both programs.
#[derive(Debug, Default)]
pub struct Fiemap {
    path: String,
    /// Bytes of a unit of the lines that follow.
    unit: u64,
    /// Whether addresses are logical ones of btrfs.
    logical: bool,
    directory: bool,
}

impl Fiemap {
    pub fn new(path: &str) -> Fiemap {
        let name = path.rsplit('/').next().unwrap_or_default();
        Fiemap {
            directory: name.contains("-dirs"),
            unit: SECTOR,
            ..Fiemap::default()
        }
    }

    fn add(&self, [offset, start, sectors]: [u64; 3], unwritten: bool, facts: &mut dyn Facts) {
        let range = MapRange {
            space: if self.logical {
                Space::Logical
            } else {
                Space::Partition
            },
            start,
            sectors,
            kind: if self.directory {
                ObjectKind::Directory
            } else {
                ObjectKind::File
            },
            inode: None,
            offset: offset.checked_mul(SECTOR),
            path: Some(&self.path),
            weak: false,
        };
        facts.add(if unwritten {
            MapFact::Unwritten(range)
        } else {
            MapFact::Range(range)
        });
    }

    /// The first sector of a compressed extent.
    fn packed(&self, line: &str) -> Option<u64> {
        let start = first_of_span(line.split(':').nth(2)?)?;
        let encoded = self.logical && line.rsplit(':').next()?.contains("encoded");
        let bytes = start.checked_mul(self.unit).filter(|_| encoded)?;
        Some(bytes / SECTOR)
    }

    /// A line of numbers of filefrag in sectors; absent where it names no place.
    fn extent(&self, line: &str) -> Option<[u64; 3]> {
        let mut columns = line.split(':');
        columns.next()?.trim().parse::<u32>().ok()?;
        let offset = first_of_span(columns.next()?)?;
        let start = first_of_span(columns.next()?)?;
        let length: u64 = columns.next()?.trim().parse().ok()?;
        let flags = line.rsplit(':').next()?;
        let placeless = ["unknown", "delalloc", "inline", "encoded"];
        if placeless.iter().any(|word| flags.contains(word)) {
            return None;
        }
        let sectors = |units: u64| units.checked_mul(self.unit).map(|bytes| bytes / SECTOR);
        Some([sectors(offset)?, sectors(start)?, sectors(length)?])
    }
}

impl MapText for Fiemap {
    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if let Some(kind) = line.strip_prefix("Filesystem type is:") {
            self.logical = kind.trim() == "9123683e";
        } else if let Some(rest) = line.strip_prefix("File size of ") {
            // The path may hold " is ", too: the last one is ours.
            self.path.clear();
            if let Some((path, size)) = rest.rsplit_once(" is ") {
                self.path.push_str(path);
                let bytes = size
                    .split(" of ")
                    .nth(1)
                    .and_then(|text| text.split(' ').next());
                self.unit = bytes.and_then(|text| text.parse().ok()).unwrap_or(SECTOR);
            }
        } else if line.starts_with('/') && line.ends_with(':') {
            self.path.clear();
            self.path.push_str(line.trim_end_matches(':'));
        } else if self.path.is_empty() {
            // Nothing is known of whom these extents are.
        } else if let Some(start) = self.packed(line) {
            let path = &self.path;
            facts.add(MapFact::Packed { start, path });
        } else if let Some(extent) = self.extent(line).or_else(|| xfs_io_extent(line)) {
            // xfs_io has the flag as a number, in the last column.
            let unwritten = line.contains("unwritten") || xfs_io_unwritten(line);
            self.add(extent, unwritten, facts);
        }
    }
}

/// The first number of `12..   15`.
fn first_of_span(text: &str) -> Option<u64> {
    text.split_once("..")?.0.trim().parse().ok()
}

/// Whether the last column of `0: [0..7]: 96..103 8 0x800` has the flag of FIEMAP.
fn xfs_io_unwritten(line: &str) -> bool {
    const UNWRITTEN: u64 = 0x800;
    let flags = line
        .rsplit(' ')
        .next()
        .and_then(|word| word.strip_prefix("0x"));
    let flags = flags.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    flags.is_some_and(|flags| flags & UNWRITTEN != 0)
}

/// `0: [0..7]: 96..103`, with more columns behind it: offset, start and length in sectors.
fn xfs_io_extent(line: &str) -> Option<[u64; 3]> {
    let (number, rest) = line.trim_start().split_once(": [")?;
    number.parse::<u32>().ok()?;
    let (file, disk) = rest.split_once("]:")?;
    let (from, to) = file.split_once("..")?;
    let (from, to) = (
        from.trim().parse::<u64>().ok()?,
        to.trim().parse::<u64>().ok()?,
    );
    let start = first_of_span(disk.trim_start())?;
    Some([from, start, to.checked_sub(from)?.checked_add(1)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;

    fn ranges(name: &str, text: &str) -> Vec<(String, u64, u64, Option<u64>)> {
        let facts = FactList::read(Fiemap::new(name), text);
        let range = |fact: &MapFact<'_>| match fact {
            MapFact::Range(range) => Some((
                range.path.unwrap_or_default().to_owned(),
                range.start,
                range.sectors,
                range.offset,
            )),
            _ => None,
        };
        facts.iter().filter_map(range).collect()
    }

    #[test]
    fn extents_are_read_in_their_unit() {
        let text = "Filesystem type is: ef53\n\
            File size of /m/a is b is 12288 (3 blocks of 4096 bytes)\n \
            ext:     logical_offset:        physical_offset: length:   expected: flags:\n   \
            0:        0..       1:        100..       101:      2:             \n   \
            1:        2..       2:        200..       200:      1:        102: last,eof\n\
            /m/a is b: 2 extents found\n";
        let path = "/m/a is b".to_owned();
        let expected = [
            (path.clone(), 800, 16, Some(0)),
            (path, 1600, 8, Some(8192)),
        ];
        assert_eq!(ranges("fiemap.txt", text), expected);
    }

    #[test]
    fn extents_without_a_place_are_left_out() {
        let text = "File size of /m/a is 1 (1 block of 512 bytes)\n   \
            0:        0..       7:          0..         7:      8:             last,unknown_loc,delalloc,eof\n   \
            0:        0..       7:          0..         7:      8:             last,not_aligned,inline,eof\n   \
            x: 1..2: 3..4: 5\n   0: 1..2: 18446744073709551615..4: 5: \n";
        assert_eq!(ranges("fiemap.txt", text), []);
        assert_eq!(ranges("f", "   0: 0..0: 0..0: 1: last\n"), []);
    }

    #[test]
    fn compressed_extents_of_btrfs_are_told() {
        let line = "   0:        0..      31:      26968..     26999:     32: encoded\n";
        let text = |kind| {
            format!(
                "Filesystem type is: {kind}\nFile size of /m/a is 1 (1 block of 512 bytes)\n{line}"
            )
        };
        let (start, path) = (26968, "/m/a");
        assert_eq!(
            FactList::read(Fiemap::new("fiemap.txt"), &text("9123683e")),
            [MapFact::Packed { start, path }]
        );
        assert_eq!(FactList::read(Fiemap::new("fiemap.txt"), &text("ef53")), []);
    }

    #[test]
    fn xfs_io_prints_sectors_and_holes() {
        let text = "/m/f:\n\t0: [0..7]: 96..103\n\t1: [8..15]: hole\n\t2: [16..23]: 200..207\n";
        let path = "/m/f".to_owned();
        let expected = [(path.clone(), 96, 8, Some(0)), (path, 200, 8, Some(8192))];
        assert_eq!(ranges("fiemap.txt", text), expected);
        assert!(is_xfs_io(text));
        assert!(xfs_io_unwritten(" 0: [0..7]: 96..103 8 0x801"));
        assert!(!xfs_io_unwritten(" 0: [0..7]: 96..103 8 0x1"));
    }
}
