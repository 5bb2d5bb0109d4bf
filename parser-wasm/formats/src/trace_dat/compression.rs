//! Compressed chunks.
//!
//! | width | name |
//! |---:|---|
//! | 4 | compressed size |
//! | 4 | size |
//! | n | compressed data |

use crate::cursor::Cursor;
use crate::unpack_budget::UnpackBudget;
use flate2::bufread::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// Larger chunks are damage: trace-cmd writes ten pages per chunk, and the formats of all events
/// are 2 MB.
const MAX_CHUNK_BYTES: u64 = 32 << 20;

/// The compression of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PieceCompression {
    /// The file is not compressed.
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

/// Reads the next chunk; `None` if it is truncated or damaged, or if the file unpacks to too much.
pub fn unpack(
    cursor: &mut Cursor<'_>,
    method: PieceCompression,
    budget: &UnpackBudget,
) -> Option<Vec<u8>> {
    let (packed, size) = (cursor.u32()?, u64::from(cursor.u32()?));
    let bytes = cursor.take(packed as usize)?;
    if size > MAX_CHUNK_BYTES {
        return None;
    }
    let mut out = Vec::new();
    // Bytes that a chunk has beyond its size are left out.
    match method {
        PieceCompression::None => budget.unpack(bytes.take(size), size, &mut out),
        PieceCompression::Zstd => budget.unpack(
            StreamingDecoder::new_with_max_window_size(bytes, MAX_CHUNK_BYTES)
                .ok()?
                .take(size),
            size,
            &mut out,
        ),
        PieceCompression::Zlib => budget.unpack(ZlibDecoder::new(bytes).take(size), size, &mut out),
    };
    Some(out).filter(|out| out.len() as u64 == size)
}
