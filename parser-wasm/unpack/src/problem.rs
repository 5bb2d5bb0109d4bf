//! Problems of archives. What came before is always kept.

use seekscope_core::store::quality::{InputPlace, Warning};
use std::fmt;

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Bytes(u64),
    /// Unpacked bytes per byte of the file.
    Ratio(u64),
    Entries(u64),
    /// Compressed streams that are too small for what it costs to begin them.
    Streams(u64),
    /// An entry's header declares more bytes than all may have.
    Header {
        size: u64,
        limit: u64,
    },
}

/// Data were compressed with a larger window or dictionary than is kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Its bytes, if the data say so.
    pub bytes: Option<u64>,
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit >> 20;
        match self.bytes {
            Some(bytes) => write!(
                f,
                "a window of {} MiB; the limit is {limit} MiB",
                bytes.div_ceil(1 << 20)
            ),
            None => write!(f, "a larger dictionary than the limit of {limit} MiB"),
        }
    }
}

impl std::error::Error for TooLarge {}

/// A problem of an archive or a compressed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveProblem {
    /// Invalid or truncated data.
    Damaged {
        file: String,
        /// Path of the damaged container; the file itself, or one inside it.
        inside: String,
        what: &'static str,
        /// The decoder's message; `None` if the data are truncated.
        words: Option<String>,
        /// Bytes read of the file.
        byte: u64,
        size: u64,
    },
    /// A limit stopped unpacking.
    Limit {
        file: String,
        limit: Limit,
        /// Bytes read of the file.
        byte: u64,
        size: u64,
    },
    /// Undamaged data that need too much memory.
    TooLarge {
        file: String,
        /// Path of the container; the file itself, or one inside it.
        inside: String,
        what: &'static str,
        needs: TooLarge,
    },
    /// An entry that is nested too deeply.
    TooDeep { path: String, depth: usize },
    /// An entry that cannot be unpacked.
    Unsupported {
        path: String,
        /// `is encrypted`
        why: String,
    },
    /// An archive without files.
    Empty { file: String },
}

const LIFT: &str = "Unpack it yourself and open the files or their folder, or use --no-limits on \
    the command line.";

impl ArchiveProblem {
    fn code(&self) -> &'static str {
        match self {
            ArchiveProblem::Damaged { .. } => "damaged-archive",
            ArchiveProblem::Limit { .. } | ArchiveProblem::TooDeep { .. } => "archive-limit",
            ArchiveProblem::TooLarge { .. } | ArchiveProblem::Unsupported { .. } => {
                "unsupported-archive"
            }
            ArchiveProblem::Empty { .. } => "empty-archive",
        }
    }

    fn place(&self) -> InputPlace {
        match self {
            ArchiveProblem::Damaged {
                file, byte, size, ..
            }
            | ArchiveProblem::Limit {
                file, byte, size, ..
            } => InputPlace {
                file: file.clone(),
                byte: Some(*byte),
                size: Some(*size),
                ..InputPlace::default()
            },
            ArchiveProblem::TooDeep { path: file, .. }
            | ArchiveProblem::TooLarge { file, .. }
            | ArchiveProblem::Unsupported { path: file, .. }
            | ArchiveProblem::Empty { file } => InputPlace {
                file: file.clone(),
                ..InputPlace::default()
            },
        }
    }

    fn remedy(&self) -> &'static str {
        match self {
            ArchiveProblem::Damaged { .. } => {
                "Usually the download or copy is incomplete. Compare its size with the original, \
                    and fetch it again."
            }
            ArchiveProblem::Limit { .. } | ArchiveProblem::TooDeep { .. } => LIFT,
            ArchiveProblem::TooLarge { what: "zstd", .. } => {
                "Compress it again with a smaller window: zstd -d --long=31 --stdout FILE | zstd \
                    -o NEW.zst"
            }
            ArchiveProblem::TooLarge { .. } => {
                "Compress it again with a smaller dictionary: xz --decompress --stdout FILE | xz \
                    -6 > NEW.xz"
            }
            ArchiveProblem::Unsupported { .. } => {
                "Unpack it with the tool that created it, and open the files or their folder."
            }
            ArchiveProblem::Empty { .. } => {
                "Check the original: the archive was created before there were files to pack."
            }
        }
    }

    fn kept(&self) -> Option<&'static str> {
        match self {
            ArchiveProblem::Damaged { .. } => {
                Some("the bytes before the damage and all other readable files of the archive")
            }
            ArchiveProblem::Limit { .. } => Some("the files before the limit"),
            ArchiveProblem::TooDeep { .. }
            | ArchiveProblem::TooLarge { .. }
            | ArchiveProblem::Unsupported { .. } => Some("all other files in the archive"),
            ArchiveProblem::Empty { .. } => None,
        }
    }
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let which = |file: &str, inside: &str| {
            if file == inside {
                String::new()
            } else {
                format!(" of {inside}")
            }
        };
        match self {
            ArchiveProblem::Damaged {
                file,
                inside,
                what,
                words,
                ..
            } => {
                let which = which(file, inside);
                match words {
                    None => write!(f, "The {what} data{which} are truncated."),
                    Some(words) => write!(f, "The {what} data{which} are damaged: {words}."),
                }
            }
            ArchiveProblem::Limit { limit, .. } => match limit {
                Limit::Bytes(n) => write!(
                    f,
                    "The file unpacks to more than {} GiB, the limit.",
                    n >> 30
                ),
                Limit::Ratio(n) => {
                    write!(
                        f,
                        "The file unpacks to more than {n} times its size, the limit against \
                            decompression bombs."
                    )
                }
                Limit::Entries(n) => write!(f, "The archive has more than {n} files, the limit."),
                Limit::Streams(n) => write!(
                    f,
                    "The file has very many tiny compressed streams ({n} so far), which take long \
                        to begin: more than its size allows."
                ),
                Limit::Header { size, limit } => {
                    write!(
                        f,
                        "A header declares a file of {size} bytes; the limit is {} GiB.",
                        limit >> 30
                    )
                }
            },
            ArchiveProblem::TooLarge {
                file,
                inside,
                what,
                needs,
            } => {
                write!(
                    f,
                    "The {what} data{} were compressed with {needs}.",
                    which(file, inside)
                )
            }
            ArchiveProblem::TooDeep { depth, .. } => {
                write!(f, "Nested more than {depth} levels deep, the limit.")
            }
            ArchiveProblem::Unsupported { why, .. } => write!(f, "This file {why}."),
            ArchiveProblem::Empty { .. } => write!(f, "The archive is empty."),
        }
    }
}

impl From<&ArchiveProblem> for Warning {
    fn from(problem: &ArchiveProblem) -> Warning {
        Warning {
            code: problem.code().to_owned(),
            message: problem.to_string(),
            at: Some(problem.place()),
            kept: problem.kept().map(str::to_owned),
            remedy: Some(problem.remedy().to_owned()),
        }
    }
}
