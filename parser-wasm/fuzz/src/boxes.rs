//! Containers: whatever the bytes, unpacking stays within its limits, and names of files never lead
//! out of the container.

use seekscope_core::store::Warning;
use seekscope_unpack::{FileSink, Limits, unpack};
use std::io;

const LIMITS: Limits = Limits {
    bytes: 8 << 20,
    ratio: 1000,
    ratio_from: 1 << 20,
    depth: 4,
    entries: 100,
};
/// Maximum size of a piece that is passed on; a limit may be exceeded by so much.
const PIECE: u64 = 256 << 10;

/// Counts what is unpacked, and checks the order of calls.
#[derive(Default)]
struct Counted {
    files: u64,
    bytes: u64,
    open: bool,
}

impl FileSink for Counted {
    fn begin(&mut self, path: &str) -> io::Result<()> {
        assert!(!self.open, "a file begins within another");
        assert!(
            path.starts_with("box") && !path.split('/').any(|part| matches!(part, "" | "." | "..")),
            "{path}"
        );
        self.open = true;
        self.files += 1;
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8], _taken: u64) -> io::Result<()> {
        assert!(self.open && !bytes.is_empty() && bytes.len() as u64 <= PIECE);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        assert!(self.open, "a file ends that did not begin");
        self.open = false;
        Ok(())
    }
}

/// The target: any container.
pub(crate) fn plain(data: &[u8]) {
    let mut counted = Counted::default();
    let problems =
        unpack("box", data.len() as u64, data, &mut counted, LIMITS).expect("memory can be read");
    assert!(counted.files <= LIMITS.entries + 1 && counted.bytes <= LIMITS.bytes + PIECE);
    for warning in problems.iter().map(Warning::from) {
        assert!(
            !warning.code.is_empty() && warning.message.len() > 10 && warning.remedy.is_some(),
            "{warning:?}"
        );
        assert!(warning.at.is_some(), "{warning:?}");
    }
}

/// The target: tar, also with corrected checksums of headers, so that the code after their check is
/// reached.
pub(crate) fn tar(data: &[u8]) {
    plain(data);
    let mut corrected = data.to_vec();
    for block in corrected
        .chunks_exact_mut(512)
        .filter(|block| block[257..].starts_with(b"ustar"))
    {
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().map(|&b| u32::from(b)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    if corrected != data {
        plain(&corrected);
    }
}

/// The target: xz, also with corrected checksums of the first headers.
pub(crate) fn xz(data: &[u8]) {
    plain(data);
    let mut corrected = data.to_vec();
    put_crc(&mut corrected, 6, 8);
    if let Some(&size) = corrected.get(12) {
        put_crc(&mut corrected, 12, 12 + (usize::from(size) + 1) * 4 - 4);
    }
    if corrected != data {
        plain(&corrected);
    }
}

/// Writes the CRC-32 of `from..to` after these bytes.
fn put_crc(bytes: &mut [u8], from: usize, to: usize) {
    let Some(field) = bytes.get(from..to) else {
        return;
    };
    let crc = !field.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| {
            if c & 1 == 1 {
                c >> 1 ^ 0xedb8_8320
            } else {
                c >> 1
            }
        })
    });
    if let Some(place) = bytes.get_mut(to..to + 4) {
        place.copy_from_slice(&crc.to_le_bytes());
    }
}
