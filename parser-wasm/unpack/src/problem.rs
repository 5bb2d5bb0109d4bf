//! What can be wrong with an archive. What came before is kept each time.

use seekscope_core::store::quality::{InputPlace, Warning};
use std::fmt;

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Unpacked bytes.
    Bytes(u64),
    /// Unpacked bytes for each byte of the file.
    Ratio(u64),
    /// Entries.
    Entries(u64),
    /// One entry's header promises more bytes than all may have.
    Header {
        /// Promised.
        size: u64,
        /// Allowed.
        limit: u64,
    },
}

/// Something wrong with an archive or a compressed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveProblem {
    /// Bytes that do not fit the format, or an end before the end.
    Damaged {
        /// The file.
        file: String,
        /// Path of the damaged container; that of the file itself, if it is the one.
        inside: String,
        /// Its format.
        what: &'static str,
        /// What the decoder said; absent when it missed the rest.
        words: Option<String>,
        /// How far the file was read.
        byte: u64,
        /// Its size.
        size: u64,
    },
    /// Unpacking was ended.
    Limit {
        /// The file.
        file: String,
        /// Which.
        limit: Limit,
        /// How far the file was read.
        byte: u64,
        /// Its size.
        size: u64,
    },
    /// An entry that was not unpacked: containers within too many others.
    TooDeep {
        /// Its path.
        path: String,
        /// Allowed.
        depth: usize,
    },
    /// An entry that cannot be unpacked.
    Unsupported {
        /// Its path.
        path: String,
        /// Why: `is encrypted`.
        why: String,
    },
    /// No files in it.
    Empty {
        /// The file.
        file: String,
    },
}

const LIFT: &str = "Unpack it yourself and open the files or their folder, or use --no-limits on the command line.";

impl ArchiveProblem {
    fn code(&self) -> &'static str {
        match self {
            ArchiveProblem::Damaged { .. } => "damaged-archive",
            ArchiveProblem::Limit { .. } | ArchiveProblem::TooDeep { .. } => "archive-limit",
            ArchiveProblem::Unsupported { .. } => "unsupported-archive",
            ArchiveProblem::Empty { .. } => "empty-archive",
        }
    }

    fn place(&self) -> InputPlace {
        match self {
            ArchiveProblem::Damaged { file, byte, size, .. } | ArchiveProblem::Limit { file, byte, size, .. } => {
                InputPlace { file: file.clone(), byte: Some(*byte), size: Some(*size), ..InputPlace::default() }
            }
            ArchiveProblem::TooDeep { path: file, .. }
            | ArchiveProblem::Unsupported { path: file, .. }
            | ArchiveProblem::Empty { file } => InputPlace { file: file.clone(), ..InputPlace::default() },
        }
    }

    fn remedy(&self) -> &'static str {
        match self {
            ArchiveProblem::Damaged { .. } => {
                "Usually the download or copy is incomplete. Compare its size with the original, and fetch it again."
            }
            ArchiveProblem::Limit { .. } | ArchiveProblem::TooDeep { .. } => LIFT,
            ArchiveProblem::Unsupported { .. } => "Unpack it with the tool that created it, and open the files or their folder.",
            ArchiveProblem::Empty { .. } => "Check the original: the archive was created before there were files to pack.",
        }
    }

    fn kept(&self) -> Option<&'static str> {
        match self {
            ArchiveProblem::Damaged { .. } => Some("the bytes before the damage and all other readable files of the archive"),
            ArchiveProblem::Limit { .. } => Some("the files before the limit"),
            ArchiveProblem::TooDeep { .. } | ArchiveProblem::Unsupported { .. } => Some("all other files in the archive"),
            ArchiveProblem::Empty { .. } => None,
        }
    }
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveProblem::Damaged { file, inside, what, words, .. } => {
                let which = if file == inside { String::new() } else { format!(" of {inside}") };
                match words {
                    None => write!(f, "The {what} data{which} are truncated."),
                    Some(words) => write!(f, "The {what} data{which} are damaged: {words}."),
                }
            }
            ArchiveProblem::Limit { limit, .. } => match limit {
                Limit::Bytes(n) => write!(f, "The file unpacks to more than {} GiB, the limit.", n >> 30),
                Limit::Ratio(n) => {
                    write!(f, "The file unpacks to more than {n} times its size, the limit against decompression bombs.")
                }
                Limit::Entries(n) => write!(f, "The archive has more than {n} files, the limit."),
                Limit::Header { size, limit } => {
                    write!(f, "A header declares a file of {size} bytes; the limit is {} GiB.", limit >> 30)
                }
            },
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
