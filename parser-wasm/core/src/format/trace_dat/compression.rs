//! Compressed chunks.
//!
//! | width | name |
//! |---:|---|
//! | 4 | compressed size |
//! | 4 | size |
//! | n | compressed data |

use crate::format::cursor::Cursor;
use flate2::bufread::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// Larger chunks are damage: trace-cmd writes ten pages per chunk, and the formats of all events are 2 MB.
const MOST: u64 = 32 << 20;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PieceCompression {
    /// Not at all.
    #[default]
    None,
    /// Zstandard.
    Zstd,
    /// zlib.
    Zlib,
}

impl PieceCompression {
    /// The method of this name; absent when it is not known.
    pub fn named(name: &[u8]) -> Option<PieceCompression> {
        match name {
            b"none" => Some(PieceCompression::None),
            b"zstd" => Some(PieceCompression::Zstd),
            b"zlib" => Some(PieceCompression::Zlib),
            _ => None,
        }
    }
}

/// Reads the next chunk; `None` if it is truncated or damaged.
pub fn unpack(cursor: &mut Cursor<'_>, method: PieceCompression) -> Option<Vec<u8>> {
    let (packed, size) = (cursor.u32()?, u64::from(cursor.u32()?));
    let bytes = cursor.take(packed as usize)?;
    if size > MOST {
        return None;
    }
    let mut out = Vec::new();
    let read = match method {
        PieceCompression::None => bytes.take(size).read_to_end(&mut out),
        PieceCompression::Zstd => StreamingDecoder::new_with_max_window_size(bytes, MOST).ok()?.take(size).read_to_end(&mut out),
        PieceCompression::Zlib => ZlibDecoder::new(bytes).take(size).read_to_end(&mut out),
    };
    read.ok().filter(|n| *n as u64 == size).map(|_| out)
}
