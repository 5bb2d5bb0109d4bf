//! The lines of a text, and which of them are a stack.
//!
//! In text of ftrace, the stack of an event follows as an event of its own, perhaps behind events
//! of other CPUs. In that of `perf script` it follows at once and ends with an empty line.

use crate::event::{self, BlockEvent};
use crate::frame;
use crate::join::Recorded;
use crate::symbols;
use rustc_hash::FxHashMap;

/// Bytes of a line; what is longer is cut.
const MAX_LINE: usize = 4096;
/// CPUs whose last event is remembered.
const MAX_CPUS: usize = 8192;
const STACK: &str = ": <stack trace>";
/// As trace-cmd report names the same event; the first frame may follow in its line.
const KERNEL_STACK: &str = ": kernel_stack: ";
const USER_STACK: &str = ": <user stack trace>";

/// Whether a text has stacks of events of the block layer. Cheap: it is asked of all files.
pub fn has_stacks(head: &[u8]) -> bool {
    if head.contains(&0) || memchr::memmem::find(head, b"block_").is_none() {
        return false;
    }
    let stacks: [&[u8]; 2] = [b": <stack trace>\n", KERNEL_STACK.as_bytes()];
    if stacks
        .iter()
        .any(|stack| memchr::memmem::find(head, stack).is_some())
    {
        return true;
    }
    let text = String::from_utf8_lossy(head);
    let mut was_event = false;
    for line in text.lines() {
        if was_event && frame::of_perf(line).is_some() {
            return true;
        }
        was_event = matches!(event::parse(line), Some((_, Some(_))));
    }
    false
}

/// What the next lines belong to.
#[derive(Clone, Copy, Debug, Default)]
enum Lines {
    /// Not in a stack that is wanted.
    #[default]
    Other,
    /// Frames of ftrace.
    Ftrace(BlockEvent),
    /// Frames of `perf script`, if they follow at once.
    Perf(BlockEvent),
}

/// Reads one text after the other.
#[derive(Default)]
pub struct StackTextReader {
    lines: Lines,
    /// The last event of each CPU, whose stack may follow.
    last: FxHashMap<u32, BlockEvent>,
    /// Functions of the stack, from the innermost one.
    functions: Vec<u32>,
    /// The begin of a line.
    rest: Vec<u8>,
    /// Whether this file is kallsyms; not known before its first line.
    is_symbols: Option<bool>,
}

impl StackTextReader {
    pub fn open(&mut self) {
        self.last.clear();
        self.is_symbols = None;
    }

    pub fn feed(&mut self, bytes: &[u8], recorded: &mut Recorded) {
        let mut bytes = bytes;
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end);
            bytes = &rest[1..];
            if self.rest.is_empty() {
                self.line(&line[..line.len().min(MAX_LINE)], recorded);
            } else {
                self.keep(line);
                let line = std::mem::take(&mut self.rest);
                self.line(&line, recorded);
                self.rest = line;
                self.rest.clear();
            }
        }
        self.keep(bytes);
    }

    pub fn close(&mut self, recorded: &mut Recorded) {
        let line = std::mem::take(&mut self.rest);
        if !line.is_empty() {
            self.line(&line, recorded);
        }
        self.end(recorded);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MAX_LINE.saturating_sub(self.rest.len());
        self.rest.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn line(&mut self, line: &[u8], recorded: &mut Recorded) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if *self
            .is_symbols
            .get_or_insert_with(|| symbols::parse(text).is_some())
        {
            recorded.symbols.line(text);
            return;
        }
        let function = match self.lines {
            Lines::Ftrace(_) => frame::of_ftrace(text).map(|frame| recorded.tree.function(frame)),
            Lines::Perf(_) => frame::of_perf(text)
                .map(|(address, frame)| recorded.tree.function_at(address, frame)),
            Lines::Other => None,
        };
        match function {
            Some(function) => self.functions.extend(function),
            None => {
                self.end(recorded);
                self.begin(text, recorded);
            }
        }
    }

    /// Begins what a line is that is no frame.
    fn begin(&mut self, text: &str, recorded: &mut Recorded) {
        let Some((cpu, event)) = event::parse(text) else {
            return;
        };
        if text.ends_with(USER_STACK) {
            return;
        }
        let first = text.split_once(KERNEL_STACK).map(|(_, first)| first);
        if text.ends_with(STACK) || first.is_some() {
            if let Some(event) = self.last.remove(&cpu) {
                self.lines = Lines::Ftrace(event);
                let first = first.and_then(frame::of_ftrace);
                self.functions
                    .extend(first.and_then(|frame| recorded.tree.function(frame)));
            }
            return;
        }
        match event {
            Some(event) if self.last.len() < MAX_CPUS => {
                self.last.insert(cpu, event);
                self.lines = Lines::Perf(event);
            }
            _ => {
                self.last.remove(&cpu);
            }
        }
    }

    fn end(&mut self, recorded: &mut Recorded) {
        let (Lines::Ftrace(event) | Lines::Perf(event)) = std::mem::take(&mut self.lines) else {
            return;
        };
        if !self.functions.is_empty() {
            recorded.add(event, &self.functions);
            self.functions.clear();
        }
    }
}
