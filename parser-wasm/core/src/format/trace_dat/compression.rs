//! Compressed pieces: sizes before and after, and the bytes.

use crate::format::cursor::Cursor;
use flate2::bufread::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// A piece that unpacks to more is absurd: trace-cmd writes ten pages a piece, and the formats of all events are 2 MB.
const MOST: u64 = 32 << 20;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Not at all.
    #[default]
    None,
    /// Zstandard.
    Zstd,
    /// zlib.
    Zlib,
}

impl Method {
    /// The method of this name; absent when it is not known.
    pub fn named(name: &[u8]) -> Option<Method> {
        match name {
            b"none" => Some(Method::None),
            b"zstd" => Some(Method::Zstd),
            b"zlib" => Some(Method::Zlib),
            _ => None,
        }
    }
}

/// Reads the next piece; absent when it is cut or damaged.
pub fn unpack(cursor: &mut Cursor<'_>, method: Method) -> Option<Vec<u8>> {
    let (packed, size) = (cursor.u32()?, u64::from(cursor.u32()?));
    let bytes = cursor.take(packed as usize)?;
    if size > MOST {
        return None;
    }
    let mut out = Vec::new();
    let read = match method {
        Method::None => bytes.take(size).read_to_end(&mut out),
        Method::Zstd => StreamingDecoder::new_with_max_window_size(bytes, MOST).ok()?.take(size).read_to_end(&mut out),
        Method::Zlib => ZlibDecoder::new(bytes).take(size).read_to_end(&mut out),
    };
    read.ok().filter(|n| *n as u64 == size).map(|_| out)
}
