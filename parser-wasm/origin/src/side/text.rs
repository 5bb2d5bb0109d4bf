//! The bytes of a file as lines, given to the parser that its first bytes choose.

use super::collect::SideFiles;
use crate::events::log::EventLog;
use crate::events::{Line, line};
use crate::map;
use crate::ranges::MapText;
use seekscope_formats::other::{may_have_other_events, read_other_events};

/// Bytes by which a file is recognised.
pub const HEAD: usize = 4096;
/// Bytes of a line; what is longer is cut. dumpe2fs lists the free blocks of a group in one.
const MAX_LINE: usize = 8 << 20;

enum Reader {
    /// Not chosen yet.
    Head,
    Map(Box<dyn MapText>),
    Events,
    None,
}

/// Reads one file after the other.
pub struct TextReader {
    path: String,
    reader: Reader,
    /// The part of the text that has no reader yet, or no end of line.
    rest: Vec<u8>,
    /// Whether the line in `rest` has been cut: its remainder is dropped.
    cut: bool,
    /// Whether any file was no binary trace.
    pub has_texts: bool,
}

impl Default for TextReader {
    fn default() -> TextReader {
        TextReader {
            path: String::new(),
            reader: Reader::None,
            rest: Vec::new(),
            cut: false,
            has_texts: false,
        }
    }
}

impl TextReader {
    /// Whether a file is one of ours.
    pub fn recognise(path: &str, head: &[u8]) -> bool {
        match choose(path, head) {
            Reader::None => false,
            Reader::Events => line::has_file_system_event(&String::from_utf8_lossy(head)),
            Reader::Map(_) | Reader::Head => true,
        }
    }

    /// Whether a file has events, and is no map.
    pub fn has_events(path: &str, head: &[u8]) -> bool {
        may_have_other_events(head) || matches!(choose(path, head), Reader::Events)
    }

    pub fn open(&mut self, path: &str) {
        path.clone_into(&mut self.path);
        self.reader = Reader::Head;
        self.rest.clear();
        self.cut = false;
    }

    pub fn feed(&mut self, bytes: &[u8], side: &mut SideFiles, log: &mut EventLog) {
        if matches!(self.reader, Reader::None) {
            return;
        }
        if matches!(self.reader, Reader::Head) {
            self.rest.extend_from_slice(bytes);
            if self.rest.len() >= HEAD {
                self.choose(side, log);
            }
            return;
        }
        let mut bytes = bytes;
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or_default();
            if self.rest.is_empty() && !self.cut {
                self.line(line, side, log);
            } else {
                self.keep(line, side);
                let line = std::mem::take(&mut self.rest);
                self.line(&line, side, log);
                self.rest = line;
                self.rest.clear();
                self.cut = false;
            }
        }
        self.keep(bytes, side);
    }

    pub fn close(&mut self, side: &mut SideFiles, log: &mut EventLog) {
        if matches!(self.reader, Reader::Head) {
            self.choose(side, log);
        }
        if !self.rest.is_empty() {
            let line = std::mem::take(&mut self.rest);
            self.line(&line, side, log);
        }
        if let Reader::Map(parser) = &mut self.reader {
            parser.end(side);
        }
        self.reader = Reader::None;
    }

    fn choose(&mut self, side: &mut SideFiles, log: &mut EventLog) {
        let bytes = std::mem::take(&mut self.rest);
        self.reader = choose(&self.path, &bytes[..bytes.len().min(HEAD)]);
        self.has_texts = true;
        if let Reader::Map(parser) = &self.reader {
            side.open(&self.path, parser.file_system());
        }
        self.feed(&bytes, side, log);
    }

    fn keep(&mut self, bytes: &[u8], side: &mut SideFiles) {
        let room = MAX_LINE - self.rest.len().min(MAX_LINE);
        let taken = &bytes[..bytes.len().min(room)];
        self.rest.extend_from_slice(taken);
        if taken.len() < bytes.len() && !self.cut {
            self.cut = true;
            side.left_out += 1;
        }
    }

    fn line(&mut self, line: &[u8], side: &mut SideFiles, log: &mut EventLog) {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_suffix('\r').unwrap_or(&text);
        match &mut self.reader {
            Reader::Map(parser) => parser.line(text, side),
            Reader::Events => {
                log.line(text, &mut side.tasks);
            }
            Reader::Head | Reader::None => {}
        }
    }
}

/// Takes the events of a complete binary trace.
pub fn read_samples(data: &[u8], side: &mut SideFiles, log: &mut EventLog) {
    read_other_events(data, &mut |event| {
        log.calls.machine = event.machine;
        let line = Line {
            // As ftrace prints a task whose name it does not know.
            comm: if event.comm.is_empty() {
                "<...>"
            } else {
                event.comm
            },
            pid: event.pid,
            time: event.time,
            name: event.name,
            fields: event.fields,
        };
        log.add_line(&line, &mut side.tasks);
    });
    log.calls.machine = None;
}

fn choose(path: &str, head: &[u8]) -> Reader {
    if head.contains(&0) {
        return Reader::None;
    }
    match map::parser(path, head) {
        Some(parser) => Reader::Map(parser),
        None if line::is_ftrace(&String::from_utf8_lossy(head)) => Reader::Events,
        None => Reader::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], piece: usize) -> (SideFiles, EventLog) {
        let (mut side, mut log) = (SideFiles::default(), EventLog::default());
        let mut reader = TextReader::default();
        reader.open("start/inodes.tsv");
        text.chunks(piece)
            .for_each(|bytes| reader.feed(bytes, &mut side, &mut log));
        reader.close(&mut side, &mut log);
        (side, log)
    }

    #[test]
    fn pieces_of_any_size_give_the_same_lines() {
        let row = |i: u64| format!("{i}\tregular file\t1\t8\t/m/{i}\r\n");
        let text: String = (0..900).map(row).collect();
        for piece in [1, 7, 4096, 1 << 20] {
            let (side, _) = read(text.as_bytes(), piece);
            assert_eq!(side.texts[0].inodes.len(), 900, "{piece}");
            assert_eq!(side.names.path(899), Some("/m/899"));
        }
    }

    #[test]
    fn lines_without_an_end_are_cut() {
        let mut text = b"1\tregular file\t1\t8\t/m/1\n2\tregular file\t1\t8\t/".to_vec();
        text.resize(MAX_LINE * 2, b'x');
        let (side, _) = read(&text, 1 << 20);
        assert_eq!((side.left_out, side.texts[0].inodes.len()), (1, 2));
    }

    #[test]
    fn an_unknown_file_is_left() {
        assert!(!TextReader::recognise("a.bin", &[0; 100]));
        assert!(!TextReader::recognise("notes.txt", b"hello\n"));
        let event =
            "# tracer: nop\n cat-7 [000] ..... 1.5: jbd2_start_commit: dev 8,1 transaction 2\n";
        assert!(TextReader::recognise("ftrace.txt", event.as_bytes()));
        let other = "# tracer: nop\n cat-7 [000] ..... 1.5: sched_switch: prev_comm=a\n";
        assert!(!TextReader::recognise("ftrace.txt", other.as_bytes()));
    }
}
