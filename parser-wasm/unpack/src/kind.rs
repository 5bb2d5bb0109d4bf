//! The container format, by its first bytes.
//!
//! | offset | bytes | format |
//! |---:|---|---|
//! | 0 | `1f 8b 08` | gzip |
//! | 0 | `BZh`, `1`-`9`, then `31 41 59 26 53 59` (block) or `17 72 45 38 50 90` (end) | bzip2 |
//! | 0 | `fd 37 7a 58 5a 00` | xz |
//! | 0 | `28 b5 2f fd`, or `50`-`5f` `2a 4d 18` (frame without data) | zstd |
//! | 0 | `PK\x03\x04`, or `PK\x05\x06` (no files) | zip |
//! | 148 | a checksum that matches | tar |
//! | 0 | headers of a mail, or `From ` and a time | mail, mailbox |

use seekscope_trace::mail;

/// Bytes that `sniff` needs: a tar header.
pub const PROBE_BYTES: usize = 512;

/// The format of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerKind {
    /// Compressed with deflate, one member or several.
    Gzip,
    /// One stream or several in a row.
    Bzip2,
    /// One stream or several in a row.
    Xz,
    /// One frame or several in a row.
    Zstd,
    /// POSIX, GNU or old tar.
    Tar,
    /// Any zip that is not encrypted.
    Zip,
    /// A mail or a mailbox: itself a file, and its attachments that are no texts.
    Mail,
}

impl ContainerKind {
    /// The name of the format in messages.
    pub fn word(self) -> &'static str {
        match self {
            ContainerKind::Gzip => "gzip",
            ContainerKind::Bzip2 => "bzip2",
            ContainerKind::Xz => "xz",
            ContainerKind::Zstd => "zstd",
            ContainerKind::Tar => "tar",
            ContainerKind::Zip => "zip",
            ContainerKind::Mail => "mail",
        }
    }

    /// Whether the bytes after a complete member begin another one.
    pub(crate) fn continues(self, head: &[u8]) -> bool {
        sniff(head) == Some(self)
    }
}

/// The container that begins with `head`, the first `PROBE_BYTES` of a file, or all of it.
pub fn sniff(head: &[u8]) -> Option<ContainerKind> {
    match head {
        [0x1f, 0x8b, 8, ..] => Some(ContainerKind::Gzip),
        // A block, or the end of an empty stream.
        [
            b'B',
            b'Z',
            b'h',
            b'1'..=b'9',
            0x31,
            0x41,
            0x59,
            0x26,
            0x53,
            0x59,
            ..,
        ]
        | [
            b'B',
            b'Z',
            b'h',
            b'1'..=b'9',
            0x17,
            0x72,
            0x45,
            0x38,
            0x50,
            0x90,
            ..,
        ] => Some(ContainerKind::Bzip2),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(ContainerKind::Xz),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Some(ContainerKind::Zstd)
        }
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(ContainerKind::Zip),
        _ if crate::tar::is_header(head) => Some(ContainerKind::Tar),
        _ => mail::begins(head, head.len() < PROBE_BYTES).then_some(ContainerKind::Mail),
    }
}
