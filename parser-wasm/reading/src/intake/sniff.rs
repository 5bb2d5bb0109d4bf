//! The kind of a file, by its first bytes.

use seekscope_counters as counters;
use seekscope_error::Lookalike;
use seekscope_formats::text::blkparse::pattern::Pattern;
use seekscope_formats::{
    FormatProblem, LineGroup, MAX_HELD_BYTES, blktrace, held_format, is_text, text,
};
use seekscope_trace::json::is_json;

/// The kind of a file by its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// blktrace records (per-CPU file, dump or stream).
    Blktrace,
    /// A text trace, complete in one file.
    Text {
        /// Whether most lines are events: a text that quotes a few is not a trace.
        mostly: bool,
    },
    /// A trace.dat, perf.data or trace of Perfetto, complete in one file.
    Binary,
    /// The same, of this format, and larger than it can be.
    TooLarge(&'static str),
    /// A fio log that is no trace, and why.
    FioLog(FormatProblem),
    /// Counters of this tool, and what is wrong with them, as far as a short file shows it.
    Counters(String, Option<String>),
    /// The closing summary of blkparse without the events before it.
    Summary,
    /// Text without a readable line, with its first line; it may be a note.
    Prose(LineGroup),
    /// A file without bytes.
    Empty,
    /// A file that is not a trace.
    Other {
        looks_like: Lookalike,
        /// Whether it is text, and so may be a note.
        text: bool,
    },
}

const SIGNATURES: &[(usize, &[u8], Lookalike)] = &[
    (0, b"\x1f\x8b", Lookalike::Gzip),
    (0, b"BZh", Lookalike::Bzip2),
    (0, b"\xfd7zXZ\0", Lookalike::Xz),
    (0, b"\x28\xb5\x2f\xfd", Lookalike::Zstd),
    (0, b"PK\x03\x04", Lookalike::Zip),
    (257, b"ustar", Lookalike::Tar),
    (0, b"7z\xbc\xaf\x27\x1c", Lookalike::SevenZip),
    (0, b"Rar!\x1a\x07", Lookalike::Rar),
    (0, b"\x1f\x9d", Lookalike::Compress),
    (0, b"\xff\xd8\xff", Lookalike::Jpeg),
    (0, b"\x89PNG", Lookalike::Png),
    (0, b"GIF8", Lookalike::Gif),
    (0, b"%PDF", Lookalike::Pdf),
    (0, b"\x7fELF", Lookalike::Elf),
    (0, b"SQLite format 3", Lookalike::Sqlite),
    (0, b"\xd4\xc3\xb2\xa1", Lookalike::Pcap),
    (0, b"\xa1\xb2\xc3\xd4", Lookalike::Pcap),
    (0, b"\x0a\x0d\x0d\x0a", Lookalike::Pcapng),
    (0, b"\x96\xd5", Lookalike::Sar),
    (0, b"\xff\xfe", Lookalike::Utf16),
    (0, b"\xfe\xff", Lookalike::Utf16),
];

/// The kind of a file by its first bytes; `size` is the size of the complete file, `pattern` the
/// format string for its lines.
pub fn sniff(head: &[u8], size: u64, pattern: Option<&Pattern>) -> FileKind {
    if size == 0 || head.is_empty() {
        return FileKind::Empty;
    }
    if blktrace::magic(head).is_some() {
        return FileKind::Blktrace;
    }
    if let Some(format) = held_format(head) {
        return if size > MAX_HELD_BYTES {
            FileKind::TooLarge(format)
        } else {
            FileKind::Binary
        };
    }
    for &(offset, signature, looks_like) in SIGNATURES {
        if head
            .get(offset..)
            .is_some_and(|rest| rest.starts_with(signature))
        {
            return FileKind::Other {
                looks_like,
                text: false,
            };
        }
    }
    if head.len() >= 48 && head.iter().all(|&b| b == 0) {
        return FileKind::Other {
            looks_like: Lookalike::Zeros,
            text: false,
        };
    }
    let start = &head[..head.len().min(4096)];
    if head.len() < 48 && !is_text(start) {
        return FileKind::Other {
            looks_like: Lookalike::ShortFile,
            text: false,
        };
    }
    if is_text(start) {
        let look = text::look(head, head.len() as u64 >= size, pattern.cloned());
        if look.events > 0 {
            return FileKind::Text {
                mostly: look.events >= look.others,
            };
        }
        if look.summary {
            return FileKind::Summary;
        }
        if let Some(tool) = counters::tool(head) {
            return FileKind::Counters(
                tool,
                if head.len() as u64 >= size {
                    counters::fault(head)
                } else {
                    None
                },
            );
        }
        return match (text_kind(head), look.not_understood) {
            (Some(looks_like), _) => FileKind::Other {
                looks_like,
                text: true,
            },
            (None, Some(first)) => FileKind::Prose(first),
            (None, None) => FileKind::Other {
                looks_like: Lookalike::EmptyText,
                text: true,
            },
        };
    }
    FileKind::Other {
        looks_like: Lookalike::Binary,
        text: false,
    }
}

/// Text of a known kind that is not a trace.
fn text_kind(head: &[u8]) -> Option<Lookalike> {
    let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    let trimmed = text.trim_start();
    if trimmed.starts_with("# tracer:") || text.contains(": block_") {
        Some(Lookalike::TraceText)
    } else if trimmed.starts_with('{') && text.contains("\"fio version\"") {
        Some(Lookalike::FioJson)
    } else if is_json(trimmed) {
        Some(Lookalike::Json)
    } else if trimmed.starts_with("<svg") || (trimmed.starts_with("<?xml") && text.contains("<svg"))
    {
        Some(Lookalike::Svg)
    } else if trimmed.starts_with("==================== All Devices") {
        Some(Lookalike::BttTables)
    } else if trimmed.starts_with("<!") || trimmed.starts_with("<html") {
        Some(Lookalike::WebPage)
    } else {
        None
    }
}
