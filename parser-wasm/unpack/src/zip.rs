//! zip, read from start to end by local headers instead of the directory at the end, so that a
//! truncated archive gives what it has.
//!
//! | offset | width | local header |
//! |---:|---:|---|
//! | 0 | 4 | `PK\x03\x04` |
//! | 6 | 2 | flags: bit 0 encrypted, bit 3 checksum and sizes follow the data |
//! | 8 | 2 | method: 0 stored, 8 deflate, 12 bzip2, 93 zstd, 95 xz |
//! | 14 | 4 | CRC-32 |
//! | 18 | 4 | compressed size; all ones: see the extra field |
//! | 22 | 4 | size; all ones: see the extra field |
//! | 26 | 2 | length of the name |
//! | 28 | 2 | length of the extra fields |
//! | 30 | | name, extra fields, data |
//!
//! An extra field is id (2), length (2), value. Id 1 has the 64-bit size and compressed size, each
//! only if all ones above. The data descriptor after the data: `PK\x07\x08` (optional), CRC-32 (4),
//! compressed size and size (4 or 8 each).

use crate::decoder::Compression;
use crate::kind::ContainerKind;
use crate::meter::Meter;
use crate::peek::Peek;
use std::io;

const LOCAL: &[u8] = b"PK\x03\x04";
/// The records that may follow the last file: directory, end, 64-bit end, archive extra data.
const AFTER: [&[u8]; 4] = [b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x08"];
const DESCRIPTOR: &[u8] = b"PK\x07\x08";

/// The header of a file; its bytes come next.
pub(crate) struct ZipEntry {
    pub(crate) name: String,
    /// The method; `None` if it is stored without compression.
    pub(crate) method: Option<Compression>,
    /// Compressed size; `None` if only the data descriptor has it.
    pub(crate) packed: Option<u64>,
    /// The checksum in the header; `None` if only the data descriptor has it.
    pub(crate) crc: Option<u32>,
}

/// Reads the local headers of one zip.
pub(crate) struct Zip<'m> {
    meter: &'m Meter,
    inside: String,
}

fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    bytes
        .get(offset..offset + 2)
        .map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from(u16_at(bytes, offset)) | u32::from(u16_at(bytes, offset + 2)) << 16
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from(u32_at(bytes, offset)) | u64::from(u32_at(bytes, offset + 4)) << 32
}

impl<'m> Zip<'m> {
    pub(crate) fn new(meter: &'m Meter, inside: &str) -> Zip<'m> {
        Zip {
            meter,
            inside: inside.to_owned(),
        }
    }

    /// The next file; `None` if there are no more.
    pub(crate) fn next(&self, input: &mut Peek<'_>) -> io::Result<Option<ZipEntry>> {
        loop {
            let before = self.meter.faults.get();
            let head = input.peek(30)?;
            if AFTER.iter().any(|signature| head.starts_with(signature)) {
                return Ok(None);
            }
            if !head.starts_with(LOCAL) || head.len() < 30 {
                let cut = head.len() < 30
                    && (LOCAL.starts_with(&head[..head.len().min(4)]) || head.starts_with(LOCAL));
                return Err(if cut {
                    self.cut(before)
                } else {
                    self.damaged("invalid bytes between the files", before)
                });
            }
            let (flags, method, crc) = (u16_at(head, 6), u16_at(head, 8), u32_at(head, 14));
            let sizes = (u32_at(head, 18), u32_at(head, 22));
            let (name, extra) = (usize::from(u16_at(head, 26)), usize::from(u16_at(head, 28)));
            input.skip(30)?;
            let mut bytes = vec![0; name + extra];
            if input.fill(&mut bytes)? < bytes.len() {
                return Err(self.cut(before));
            }
            let (name, extra) = bytes.split_at(name);
            let (packed, unpacked) = real_sizes(sizes, extra);
            let name = String::from_utf8_lossy(name).into_owned();
            let described = flags & 8 != 0;
            self.meter
                .entry((!described).then_some(packed.max(unpacked)))?;
            if name.ends_with('/') && packed == 0 && !described {
                continue;
            }
            let supported = match method {
                0 => Ok(None),
                8 => Ok(Some(Compression::Deflate)),
                12 => Ok(Some(Compression::Container(ContainerKind::Bzip2))),
                93 => Ok(Some(Compression::Container(ContainerKind::Zstd))),
                95 => Ok(Some(Compression::Container(ContainerKind::Xz))),
                other => Err(format!("has an unsupported compression (method {other})")),
            };
            let method = match supported {
                _ if flags & 1 != 0 => Err("is encrypted".to_owned()),
                Ok(None) if described && packed == 0 => Err("is stored without a size".to_owned()),
                other => other,
            };
            let packed = (!described || packed > 0).then_some(packed);
            match method {
                Ok(method) => {
                    return Ok(Some(ZipEntry {
                        name,
                        method,
                        packed,
                        crc: (!described).then_some(crc),
                    }));
                }
                Err(why) => {
                    self.meter.report(crate::ArchiveProblem::Unsupported {
                        path: crate::name::below(&self.inside, &name),
                        why,
                    });
                    let Some(packed) = packed else {
                        return Err(self.damaged("no size leads to the next file", before));
                    };
                    if input.skip(packed)? < packed {
                        return Err(self.cut(before));
                    }
                    if described {
                        descriptor(input)?;
                    }
                }
            }
        }
    }

    /// Ends an entry: compares its checksum with `crc`, that of the unpacked data.
    pub(crate) fn close(
        &self,
        input: &mut Peek<'_>,
        entry: &ZipEntry,
        crc: Option<u32>,
    ) -> io::Result<()> {
        let before = self.meter.faults.get();
        let promised = match entry.crc {
            Some(crc) => crc,
            None => descriptor(input)?,
        };
        if crc.is_some_and(|crc| crc != promised) {
            let path = crate::name::below(&self.inside, &entry.name);
            self.meter
                .damaged(ContainerKind::Zip, &path, Some("wrong checksum"), before);
        }
        Ok(())
    }

    pub(crate) fn cut(&self, before: u64) -> io::Error {
        self.meter
            .damaged(ContainerKind::Zip, &self.inside, None, before)
    }

    fn damaged(&self, words: &str, before: u64) -> io::Error {
        self.meter
            .damaged(ContainerKind::Zip, &self.inside, Some(words), before)
    }
}

/// Compressed and uncompressed size, from the extra field if they need 64 bits.
fn real_sizes((packed, unpacked): (u32, u32), mut extra: &[u8]) -> (u64, u64) {
    let mut sizes = (u64::from(packed), u64::from(unpacked));
    while extra.len() >= 4 {
        let (id, length) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let Some(field) = extra.get(4..4 + length) else {
            break;
        };
        if id == 1 {
            let mut offset = 0;
            if unpacked == u32::MAX {
                sizes.1 = u64_at(field, offset);
                offset += 8;
            }
            if packed == u32::MAX {
                sizes.0 = u64_at(field, offset);
            }
        }
        extra = &extra[4 + length..];
    }
    sizes
}

/// Reads the data descriptor; the bytes after it decide which of its forms it is.
fn descriptor(input: &mut Peek<'_>) -> io::Result<u32> {
    let bytes = input.peek(28)?;
    let from = if bytes.starts_with(DESCRIPTOR) { 4 } else { 0 };
    let crc = u32_at(bytes, from);
    let long = bytes.get(from + 20..from + 22) == Some(b"PK")
        && bytes.get(from + 12..from + 14) != Some(b"PK");
    input.skip(from as u64 + if long { 20 } else { 12 })?;
    Ok(crc)
}
