//! The kind of a file, by its first bytes.

use crate::counters;
use crate::format::text::pattern::Pattern;
use crate::format::{
    FormatProblem, LineGroup, MAX_HELD_BYTES, blktrace, held_format, is_text, text,
};
use serde::de::IgnoredAny;

/// The kind of a file's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// blktrace records (per-CPU file, dump or stream).
    Blktrace,
    /// A text trace, complete in one file.
    Text {
        /// Most lines are events: not a text that quotes a few.
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
    /// Only the closing summary of blkparse.
    Summary,
    /// Text without a readable line, with its first line; it may be a note.
    Prose(LineGroup),
    /// No bytes.
    Empty,
    /// Something else.
    Other {
        /// Follows "it looks like": `a JPEG image`.
        looks_like: &'static str,
        /// Text that may be a note.
        text: bool,
    },
}

const SIGNATURES: &[(usize, &[u8], &str)] = &[
    (0, b"\x1f\x8b", "a gzip file"),
    (0, b"BZh", "a bzip2 file"),
    (0, b"\xfd7zXZ\0", "an xz file"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd file"),
    (0, b"PK\x03\x04", "a zip archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-zip archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"\x1f\x9d", "a file of compress (.Z)"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"\x89PNG", "a PNG image"),
    (0, b"GIF8", "a GIF image"),
    (0, b"%PDF", "a PDF document"),
    (0, b"\x7fELF", "a program (ELF)"),
    (0, b"SQLite format 3", "an SQLite database"),
    (0, b"\xd4\xc3\xb2\xa1", "a network capture (pcap)"),
    (0, b"\xa1\xb2\xc3\xd4", "a network capture (pcap)"),
    (0, b"\x0a\x0d\x0d\x0a", "a network capture (pcapng)"),
    (
        0,
        b"\x96\xd5",
        "a data file of sar (print it with sadf -j FILE -- -u -d)",
    ),
    (0, b"\xff\xfe", "UTF-16 text"),
    (0, b"\xfe\xff", "UTF-16 text"),
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
    for &(at, signature, looks_like) in SIGNATURES {
        if head
            .get(at..)
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
            looks_like: "zero bytes only",
            text: false,
        };
    }
    let start = &head[..head.len().min(4096)];
    if head.len() < 48 && !is_text(start) {
        return FileKind::Other {
            looks_like: "a truncated file (shorter than one record)",
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
                looks_like: "empty text",
                text: true,
            },
        };
    }
    FileKind::Other {
        looks_like: "unknown binary data",
        text: false,
    }
}

/// Text of a known kind that is not a trace.
fn text_kind(head: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    let trimmed = text.trim_start();
    if trimmed.starts_with("# tracer:") || text.contains(": block_") {
        Some("text of ftrace, trace-cmd or perf")
    } else if trimmed.starts_with('{') && text.contains("\"fio version\"") {
        Some("a JSON report of fio without a job that ran, or cut")
    } else if is_json(trimmed) {
        Some("JSON")
    } else if trimmed.starts_with("<svg") || (trimmed.starts_with("<?xml") && text.contains("<svg"))
    {
        Some("an SVG image")
    } else if trimmed.starts_with("==================== All Devices") {
        Some("the tables of btt")
    } else if trimmed.starts_with("<!") || trimmed.starts_with("<html") {
        Some("a web page")
    } else {
        None
    }
}

/// Whether a text, of which this may be the beginning, is JSON. A bracket alone shows nothing: shell
/// prompts, kernel logs and job files begin with one, too.
pub fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    if !text.starts_with(['{', '[']) {
        return false;
    }
    for value in serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>() {
        match value {
            Ok(_) => {}
            // Broken further on: a key shows what it was meant to be.
            Err(error) => return error.is_eof() || starts_with_key(text),
        }
    }
    true
}

/// `{"key":`, also as the first element of an array.
fn starts_with_key(text: &str) -> bool {
    let element = text.strip_prefix('[').map_or(text, str::trim_start);
    let key = element
        .strip_prefix('{')
        .and_then(|inside| inside.trim_start().strip_prefix('"'));
    key.and_then(|key| key.split_once('"'))
        .is_some_and(|(_, behind)| behind.trim_start().starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn json_is_told_by_its_content_not_by_its_first_letter() {
        for text in [
            "{}",
            "[1, 2]",
            "[{\"a\": 1}, {\"b\"",
            "{\"a\": 1}\n{\"a\": 2}\n",
            "{ \"a\" : nan }",
            " [\n{\n  \"a\": 0.1.2}]",
        ] {
            assert!(is_json(text), "{text}");
        }
        for text in [
            "[root@host ~]# btt -i x",
            "[    0.000000] Linux version 6.1",
            "[    0.000000]\n[    0.000001] b",
            "[global]\nioengine=libaio\n",
            "[13:49:59.9] host block_rq_issue: { cpu_id = 0 }",
            "{ printf(\"%d\", 1); }",
            "[1] https://example.org",
            "plain",
        ] {
            assert!(!is_json(text), "{text}");
        }
    }
}
