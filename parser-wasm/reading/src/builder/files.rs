//! The files of a trace while they are read: each has a decoder, and the device that its records
//! are of.

use seekscope_error::Problem;
use seekscope_formats::text::blkparse::pattern::Pattern;
use seekscope_formats::{Decoder, Report};
use seekscope_trace::event::DeviceNumber;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default)]
pub struct TraceFile {
    /// Name as given; for messages, and to find the device's name.
    pub name: String,
    /// Size in bytes; 0 if it is not known.
    pub size: u64,
    /// Format string of `blkparse -f`, if the reader gave one.
    pub pattern: Option<String>,
}

/// The device of records: `None` before the first, `Some(None)` if there are several.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct OnlyDevice(Option<Option<DeviceNumber>>);

/// The devices that a file names.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct FileDevices {
    pub events: OnlyDevice,
    /// That of its notify records: for devices without events.
    pub notices: OnlyDevice,
}

#[derive(Clone, Debug)]
pub(super) struct OpenFile {
    /// The CPU that the name of the file names.
    pub cpu: Option<u32>,
    pub part: TraceFile,
    pub decoder: Decoder,
    pub devices: FileDevices,
}

/// The next piece of a file.
pub(super) enum FilePiece<'a> {
    Bytes(&'a [u8]),
    /// Nothing for the time being; the last byte was the end of a record, and these are the next
    /// ones.
    Pause(&'a [u8]),
    End,
}

#[derive(Clone, Debug, Default)]
pub(super) struct OpenFiles {
    list: Vec<OpenFile>,
    /// Why the format string of `blkparse -f` cannot be used.
    pub bad_pattern: Option<Problem>,
}

impl OnlyDevice {
    /// Follows whether all records are of one device.
    pub fn note(&mut self, number: DeviceNumber) {
        match self.0 {
            _ if number == DeviceNumber::NONE => {}
            None => self.0 = Some(Some(number)),
            Some(Some(first)) if first != number => self.0 = Some(None),
            Some(_) => {}
        }
    }

    /// Adds the records of a later section.
    fn join(&mut self, later: OnlyDevice) {
        match later.0 {
            None => {}
            Some(Some(number)) => self.note(number),
            Some(None) => self.0 = Some(None),
        }
    }
}

impl FileDevices {
    /// The only device of its events; without events, that of its notify records.
    pub fn only(self) -> Option<DeviceNumber> {
        self.events.0.or(self.notices.0).flatten()
    }

    /// Adds those of a later section.
    pub fn join(&mut self, later: FileDevices) {
        self.events.join(later.events);
        self.notices.join(later.notices);
    }
}

impl OpenFiles {
    pub fn new(parts: Vec<TraceFile>) -> OpenFiles {
        let mut files = OpenFiles::default();
        parts.into_iter().for_each(|part| files.add(part));
        files
    }

    pub fn add(&mut self, part: TraceFile) {
        let decoder = match part.pattern.as_deref().map(Pattern::new) {
            None => Decoder::new(),
            Some(Ok(pattern)) => Decoder::with_pattern(pattern),
            Some(Err(reason)) => {
                self.bad_pattern = Some(Problem::BadPattern {
                    file: part.name.clone(),
                    reason,
                });
                Decoder::new()
            }
        };
        self.list.push(OpenFile {
            cpu: cpu_of(&part.name),
            part,
            decoder,
            devices: FileDevices::default(),
        });
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, file: usize) -> Option<&OpenFile> {
        self.list.get(file)
    }

    pub fn get_mut(&mut self, file: usize) -> Option<&mut OpenFile> {
        self.list.get_mut(file)
    }

    pub fn iter(&self) -> impl Iterator<Item = &OpenFile> {
        self.list.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut OpenFile> {
        self.list.iter_mut()
    }

    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        self.list.iter().map(|file| file.decoder.report())
    }

    /// Whether a file has the commands of a driver.
    pub fn have_commands(&self) -> bool {
        self.reports().any(|report| report.drivers.requests)
    }

    /// Bytes that were read, and those of all files.
    pub fn progress(&self) -> (u64, u64) {
        self.iter().fold((0, 0), |(taken, size): (u64, u64), file| {
            (
                taken.saturating_add(file.decoder.taken()),
                size.saturating_add(file.part.size),
            )
        })
    }
}

/// `1` for `sda.blktrace.1`: blktrace names files after their CPU.
fn cpu_of(name: &str) -> Option<u32> {
    let (base, cpu) = name.rsplit_once(".blktrace.")?;
    (!base.is_empty()).then(|| cpu.parse().ok()).flatten()
}
