//! Problems of archives. What came before is always kept.

use crate::kind::ContainerKind;
use seekscope_trace::store::quality::{InputPlace, Warning};
use std::fmt;

/// The limit that stopped unpacking.
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
    /// The unpacked size, if the data name it.
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
    /// Some data are invalid or truncated.
    Damaged {
        file: String,
        /// Path of the damaged container; the file itself, or one inside it.
        inside: String,
        what: ContainerKind,
        /// The decoder's message; `None` if the data are truncated.
        words: Option<String>,
        /// Bytes of the file that were read before.
        byte: u64,
        size: u64,
    },
    /// A limit stopped unpacking.
    Limit {
        file: String,
        limit: Limit,
        /// Bytes of the file that were read before.
        byte: u64,
        size: u64,
    },
    /// Undamaged data that need too much memory.
    TooLarge {
        file: String,
        /// Path of the container; the file itself, or one inside it.
        inside: String,
        what: ContainerKind,
        needs: TooLarge,
    },
    /// An entry that is nested too deeply.
    TooDeep { path: String, depth: usize },
    /// An entry that cannot be unpacked.
    Unsupported {
        path: String,
        /// The reason, as the end of a sentence: `is encrypted`.
        why: String,
    },
    /// An archive without files.
    Empty { file: String },
}

/// The parts of a problem's description.
struct ArchiveExplanation {
    /// The stable code, for scripts.
    code: &'static str,
    place: InputPlace,
    /// What is still read despite the problem.
    kept: Option<&'static str>,
    /// The sentence that says what is wrong.
    text: String,
    /// The usual cause and how to fix it.
    remedy: &'static str,
}

impl ArchiveProblem {
    /// The table of problems: one arm per problem says all of it.
    fn explain(&self) -> ArchiveExplanation {
        match self {
            ArchiveProblem::Damaged {
                file,
                inside,
                what,
                words,
                byte,
                size,
            } => {
                let data = data_of(*what, file, inside);
                ArchiveExplanation {
                    code: "damaged-archive",
                    place: byte_place(file, *byte, *size),
                    kept: Some(
                        "the bytes before the damage and all other readable files of the archive",
                    ),
                    text: match words {
                        None => format!("{data} are truncated."),
                        Some(words) => format!("{data} are damaged: {words}."),
                    },
                    remedy: "Usually the download or copy is incomplete. Compare its size with \
                        the original, and fetch it again.",
                }
            }
            ArchiveProblem::Limit {
                file,
                limit,
                byte,
                size,
            } => ArchiveExplanation {
                code: ARCHIVE_LIMIT,
                place: byte_place(file, *byte, *size),
                kept: Some("the files before the limit"),
                text: limit.text(),
                remedy: LIFT,
            },
            ArchiveProblem::TooLarge {
                file,
                inside,
                what,
                needs,
            } => ArchiveExplanation {
                code: UNSUPPORTED_ARCHIVE,
                place: file_place(file),
                kept: Some(OTHER_FILES),
                text: format!(
                    "{} were compressed with {needs}.",
                    data_of(*what, file, inside)
                ),
                remedy: match what {
                    ContainerKind::Zstd => {
                        "Compress it again with a smaller window: zstd -d --long=31 --stdout FILE \
                            | zstd -o NEW.zst"
                    }
                    _ => {
                        "Compress it again with a smaller dictionary: xz --decompress --stdout \
                            FILE | xz -6 > NEW.xz"
                    }
                },
            },
            ArchiveProblem::TooDeep { path, depth } => ArchiveExplanation {
                code: ARCHIVE_LIMIT,
                place: file_place(path),
                kept: Some(OTHER_FILES),
                text: format!("Nested more than {depth} levels deep, the limit."),
                remedy: LIFT,
            },
            ArchiveProblem::Unsupported { path, why } => ArchiveExplanation {
                code: UNSUPPORTED_ARCHIVE,
                place: file_place(path),
                kept: Some(OTHER_FILES),
                text: format!("This file {why}."),
                remedy: "Unpack it with the tool that created it, and open the files or their \
                    folder.",
            },
            ArchiveProblem::Empty { file } => ArchiveExplanation {
                code: "empty-archive",
                place: file_place(file),
                kept: None,
                text: "The archive is empty.".to_owned(),
                remedy: "Check the original: the archive was created before there were files to \
                    pack.",
            },
        }
    }
}

const ARCHIVE_LIMIT: &str = "archive-limit";
const UNSUPPORTED_ARCHIVE: &str = "unsupported-archive";
const OTHER_FILES: &str = "all other files in the archive";
const LIFT: &str = "Unpack it yourself and open the files or their folder, or use --no-limits on \
    the command line.";

impl Limit {
    /// The end of the sentence: what is beyond the limit.
    fn text(self) -> String {
        match self {
            Limit::Bytes(bytes) => {
                let gib = bytes >> 30;
                format!("The file unpacks to more than {gib} GiB, the limit.")
            }
            Limit::Ratio(ratio) => format!(
                "The file unpacks to more than {ratio} times its size, the limit against \
                    decompression bombs."
            ),
            Limit::Entries(count) => {
                format!("The archive has more than {count} files, the limit.")
            }
            Limit::Streams(count) => format!(
                "The file has very many tiny compressed streams ({count} so far), which take long \
                    to begin: more than its size allows."
            ),
            Limit::Header { size, limit } => format!(
                "A header declares a file of {size} bytes; the limit is {} GiB.",
                limit >> 30
            ),
        }
    }
}

/// The data in words: `The gzip data of run.zip/a.gz`.
fn data_of(what: ContainerKind, file: &str, inside: &str) -> String {
    if file == inside {
        format!("The {} data", what.word())
    } else {
        format!("The {} data of {inside}", what.word())
    }
}

fn file_place(file: &str) -> InputPlace {
    InputPlace {
        file: file.to_owned(),
        ..InputPlace::default()
    }
}

fn byte_place(file: &str, byte: u64, size: u64) -> InputPlace {
    InputPlace {
        byte: Some(byte),
        size: Some(size),
        ..file_place(file)
    }
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.explain().text)
    }
}

impl From<&ArchiveProblem> for Warning {
    fn from(problem: &ArchiveProblem) -> Warning {
        let explanation = problem.explain();
        Warning {
            code: explanation.code.to_owned(),
            message: explanation.text,
            at: Some(explanation.place),
            kept: explanation.kept.map(str::to_owned),
            remedy: Some(explanation.remedy.to_owned()),
        }
    }
}
