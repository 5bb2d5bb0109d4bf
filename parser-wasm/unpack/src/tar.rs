//! tar: POSIX (ustar, pax), GNU (long names, base-256 sizes) and old archives.
//!
//! A header block of 512 bytes, then the file, padded to 512 bytes. Numbers are octal text. A block
//! of zeros ends the archive.
//!
//! | offset | width | name |
//! |---:|---:|---|
//! | 0 | 100 | name |
//! | 124 | 12 | size; base 256 if the first bit is set (GNU) |
//! | 148 | 8 | checksum: the sum of all header bytes, with this field as blanks |
//! | 156 | 1 | type: `0`, NUL, `7` file; `1`-`6` link, device, directory; `S` sparse file; `x`, `g` pax records; `L`, `K` long name, long link |
//! | 257 | 6 | `ustar\0` in POSIX archives |
//! | 345 | 155 | prefix of the name, in POSIX archives |

use crate::kind::ContainerKind;
use crate::meter::Meter;
use crate::peek::Peek;
use std::io;

const BLOCK: usize = 512;
/// Bytes read of a long name or of pax records; longer ones are damage.
const MAX_METADATA_BYTES: u64 = 1 << 20;

/// A regular file; its bytes come next.
pub(crate) struct TarEntry {
    pub(crate) name: String,
    pub(crate) size: u64,
}

/// Whether this block is a header: its checksum matches.
pub(crate) fn is_header(block: &[u8]) -> bool {
    let (Some(block), Some(sum)) = (
        block.get(..BLOCK),
        number(block.get(148..156).unwrap_or_default()),
    ) else {
        return false;
    };
    let added: u64 = block
        .iter()
        .enumerate()
        .map(|(i, &byte)| u64::from(if (148..156).contains(&i) { b' ' } else { byte }))
        .sum();
    added == sum && block.first() != Some(&0)
}

/// Octal digits, or base 256 if the first bit is set.
fn number(field: &[u8]) -> Option<u64> {
    if let [first, rest @ ..] = field
        && first & 0x80 != 0
    {
        return rest.iter().try_fold(u64::from(first & 0x7f), |n, &byte| {
            n.checked_mul(256)?.checked_add(u64::from(byte))
        });
    }
    let digits: Vec<u8> = field
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b' ' | 0))
        .collect();
    if digits.is_empty() || digits.len() > 21 {
        return None;
    }
    digits.iter().try_fold(0u64, |n, digit| match digit {
        b'0'..=b'7' => n.checked_mul(8)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    })
}

fn text(field: &[u8]) -> String {
    let end = field
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

fn name(block: &[u8; BLOCK]) -> String {
    let (short, prefix) = (text(&block[..100]), text(&block[345..500]));
    if &block[257..263] == b"ustar\0" && !prefix.is_empty() {
        format!("{prefix}/{short}")
    } else {
        short
    }
}

/// Fields of extended headers for the next entry.
#[derive(Default)]
struct Extended {
    name: Option<String>,
    size: Option<u64>,
    sparse: bool,
}

impl Extended {
    /// Reads the records of a pax header: `27 path=some/long/name
    /// `, any number of them.
    fn pax(&mut self, mut records: &[u8]) {
        while let Some(space) = records.iter().position(|&byte| byte == b' ') {
            let length = std::str::from_utf8(&records[..space])
                .ok()
                .and_then(|digits| digits.parse::<usize>().ok());
            let Some(record) = length
                .filter(|&n| n > space + 1)
                .and_then(|n| records.get(space + 1..n - 1))
            else {
                return;
            };
            let text = String::from_utf8_lossy(record);
            match text.split_once('=') {
                Some(("path" | "GNU.sparse.name", path)) => self.name = Some(path.to_owned()),
                Some(("size", size)) => self.size = size.parse().ok(),
                Some((key, _)) if key.starts_with("GNU.sparse.") => self.sparse = true,
                _ => {}
            }
            records = length.and_then(|n| records.get(n..)).unwrap_or_default();
        }
    }
}

/// Reads the headers of one tar.
pub(crate) struct Tar<'m> {
    meter: &'m Meter,
    inside: String,
}

impl<'m> Tar<'m> {
    pub(crate) fn new(meter: &'m Meter, inside: &str) -> Tar<'m> {
        Tar {
            meter,
            inside: inside.to_owned(),
        }
    }

    /// The next regular file; `None` at the block of zeros that ends the archive.
    pub(crate) fn next(&self, input: &mut Peek<'_>) -> io::Result<Option<TarEntry>> {
        let mut extended = Extended::default();
        let mut resyncing = false;
        loop {
            let before = self.meter.faults.get();
            let mut block = [0; BLOCK];
            let there = input.fill(&mut block)?;
            if there == BLOCK && block == [0; BLOCK] {
                return Ok(None);
            }
            if there < BLOCK {
                return Err(self.cut(before));
            }
            if !is_header(&block) {
                if !resyncing {
                    self.meter.damaged(
                        ContainerKind::Tar,
                        &self.inside,
                        Some("wrong header checksum"),
                        before,
                    );
                }
                resyncing = true;
                continue;
            }
            resyncing = false;
            let size = number(&block[124..136]).unwrap_or(0);
            match block[156] {
                kind @ (b'L' | b'K' | b'x' | b'g') => {
                    let mut bytes = vec![0; size.min(MAX_METADATA_BYTES) as usize];
                    let there = input.fill(&mut bytes)?;
                    let rest = padded(size) - bytes.len() as u64;
                    if there < bytes.len() || input.skip(rest)? < rest {
                        return Err(self.cut(before));
                    }
                    match kind {
                        b'L' => extended.name = Some(text(&bytes)),
                        b'x' => extended.pax(&bytes),
                        _ => {}
                    }
                }
                kind => {
                    let size = extended.size.unwrap_or(size);
                    let name = extended.name.take().unwrap_or_else(|| name(&block));
                    let sparse = std::mem::take(&mut extended).sparse;
                    self.meter.entry(Some(size))?;
                    let regular =
                        matches!(kind, b'0' | 0 | b'7') && !name.ends_with('/') && !sparse;
                    if regular {
                        return Ok(Some(TarEntry { name, size }));
                    }
                    if kind == b'S' || sparse {
                        let why = "is stored as a sparse file".to_owned();
                        self.meter.report(crate::ArchiveProblem::Unsupported {
                            path: crate::name::below(&self.inside, &name),
                            why,
                        });
                    }
                    // Links, directories and devices have no bytes, whatever their size says.
                    let bytes = if matches!(kind, b'1'..=b'6') {
                        0
                    } else {
                        padded(size)
                    };
                    if input.skip(bytes)? < bytes {
                        return Err(self.cut(before));
                    }
                }
            }
        }
    }

    /// Ends an entry with `left` unread bytes: skips to the next header.
    pub(crate) fn close(
        &self,
        input: &mut Peek<'_>,
        entry: &TarEntry,
        left: u64,
    ) -> io::Result<()> {
        let before = self.meter.faults.get();
        let rest = left + (padded(entry.size) - entry.size);
        match input.skip(rest)? < left {
            true => Err(self.cut(before)),
            false => Ok(()),
        }
    }

    fn cut(&self, before: u64) -> io::Error {
        self.meter
            .damaged(ContainerKind::Tar, &self.inside, None, before)
    }
}

/// Rounds up to complete blocks.
fn padded(size: u64) -> u64 {
    size.saturating_add(BLOCK as u64 - 1) / BLOCK as u64 * BLOCK as u64
}
