//! What a file that is no trace looks like: its name and what to do with such a file.

use super::words::READABLE;

/// What a file that is no trace looks like, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookalike {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
    Zip,
    Tar,
    SevenZip,
    Rar,
    Compress,
    Jpeg,
    Png,
    Gif,
    Svg,
    Pdf,
    Elf,
    Sqlite,
    Pcap,
    Pcapng,
    Sar,
    Utf16,
    WebPage,
    TraceText,
    FioJson,
    Json,
    BttTables,
    EmptyText,
    Zeros,
    ShortFile,
    Binary,
    Unknown,
}

impl Lookalike {
    /// Follows "it looks like".
    pub fn name(self) -> &'static str {
        self.name_and_remedy().0
    }

    /// How to get something that can be opened.
    pub fn remedy(self) -> &'static str {
        self.name_and_remedy().1
    }

    fn name_and_remedy(self) -> (&'static str, &'static str) {
        match self {
            Lookalike::Gzip => ("a gzip file", READABLE),
            Lookalike::Bzip2 => ("a bzip2 file", READABLE),
            Lookalike::Xz => ("an xz file", READABLE),
            Lookalike::Zstd => ("a zstd file", READABLE),
            Lookalike::Zip => ("a zip archive", READABLE),
            Lookalike::Tar => ("a tar archive", READABLE),
            Lookalike::SevenZip => ("a 7-zip archive", UNPACK),
            Lookalike::Rar => ("a RAR archive", UNPACK),
            Lookalike::Compress => ("a file of compress (.Z)", UNPACK),
            Lookalike::Jpeg => ("a JPEG image", DRAWN),
            Lookalike::Png => ("a PNG image", DRAWN),
            Lookalike::Gif => ("a GIF image", DRAWN),
            Lookalike::Svg => ("an SVG image", DRAWN),
            Lookalike::Pdf => ("a PDF document", DRAWN),
            Lookalike::Elf => ("a program (ELF)", READABLE),
            Lookalike::Sqlite => ("an SQLite database", READABLE),
            Lookalike::Pcap => ("a network capture (pcap)", READABLE),
            Lookalike::Pcapng => ("a network capture (pcapng)", READABLE),
            Lookalike::Sar => (
                "a data file of sar (print it with sadf -j FILE -- -u -d)",
                READABLE,
            ),
            Lookalike::Utf16 => (
                "UTF-16 text",
                "Convert it and open the result: iconv -f UTF-16 -t UTF-8 FILE > NEW",
            ),
            Lookalike::WebPage => (
                "a web page",
                "Usually a login or error page was saved instead of the file. Log in and download \
 the file again.",
            ),
            Lookalike::TraceText => ("text of ftrace, trace-cmd or perf", READABLE),
            Lookalike::FioJson => (
                "a JSON report of fio without a job that ran, or cut",
                READABLE,
            ),
            Lookalike::Json => ("JSON", READABLE),
            Lookalike::BttTables => ("the tables of btt", READABLE),
            Lookalike::EmptyText => ("empty text", READABLE),
            Lookalike::Zeros => (
                "zero bytes only",
                "The file kept its name and lost its content, as when a machine crashes before the \
 data are written. Copy it again from the original.",
            ),
            Lookalike::ShortFile => ("a truncated file (shorter than one record)", READABLE),
            Lookalike::Binary => ("unknown binary data", READABLE),
            Lookalike::Unknown => ("unknown data", READABLE),
        }
    }
}

const UNPACK: &str = "Unpack it with the tool that created it, and open the files or their folder.";
const DRAWN: &str = "Charts cannot be converted back into a trace or into numbers. Open the trace \
    (per-CPU files of blktrace, a dump of `blkparse -d`, blkparse's text), or the output or the \
    table that was drawn, as text.";
