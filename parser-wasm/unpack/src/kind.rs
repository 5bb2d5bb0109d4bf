//! Which container bytes begin, by content.

/// What `sniff` wants to see of a start.
pub const PROBE_BYTES: usize = 512;

/// A container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerKind {
    /// Compressed with deflate, one member or several.
    Gzip,
    /// One stream or several.
    Bzip2,
    /// One stream or several.
    Xz,
    /// One frame or several.
    Zstd,
    /// POSIX, GNU or old tar.
    Tar,
    /// Any zip that is not encrypted.
    Zip,
}

impl ContainerKind {
    /// As it is called in messages.
    pub fn word(self) -> &'static str {
        match self {
            ContainerKind::Gzip => "gzip",
            ContainerKind::Bzip2 => "bzip2",
            ContainerKind::Xz => "xz",
            ContainerKind::Zstd => "zstd",
            ContainerKind::Tar => "tar",
            ContainerKind::Zip => "zip",
        }
    }

    /// Whether bytes after a whole member begin another one.
    pub(crate) fn continues(self, head: &[u8]) -> bool {
        sniff(head) == Some(self)
    }
}

/// The container that begins with `head`, the first `PROBE_BYTES` or what there is.
pub fn sniff(head: &[u8]) -> Option<ContainerKind> {
    match head {
        [0x1f, 0x8b, 8, ..] => Some(ContainerKind::Gzip),
        // A block, or the end of a stream without any.
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
        | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => Some(ContainerKind::Bzip2),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(ContainerKind::Xz),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(ContainerKind::Zstd),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(ContainerKind::Zip),
        _ => crate::tar::is_header(head).then_some(ContainerKind::Tar),
    }
}
