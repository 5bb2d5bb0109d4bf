//! perf.data of `perf record`, as a file or from a pipe, compressed (`-z`) or not. The records of
//! all CPUs are mixed, so samples are sorted by time.

mod attributes;
mod file;
mod records;
mod stacks;

use super::buffered::BufferedFormat;
use super::tep::{OtherEvent, Samples};
use super::unpack_budget::UnpackBudget;
use super::{FormatProblem, Record, Report};
use file::PerfFile;
use records::PerfRecords;
use rustc_hash::FxHashMap;
use ruzstd::decoding::StreamingDecoder;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::sorting::SortShort;

pub use file::is_one;
pub use stacks::{may_have_stacks, read_stacks};

const FORMAT: &str = "perf.data";
const MAX_WINDOW: u64 = 256 << 20;
/// An empty last block, which ends a zstd frame: perf never ends the frame that it writes.
const FRAME_END: [u8; 3] = [1, 0, 0];

/// The format: the descriptions of its samples are at its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerfData;

impl BufferedFormat for PerfData {
    const NAME: &'static str = FORMAT;

    fn read(data: &[u8], report: &mut Report, sink: &mut impl FnMut(Record<'_>)) -> Capabilities {
        let Some(mut contents) = file::read(data) else {
            report.problem = Some(FormatProblem::NoEventFormats);
            return Capabilities::default();
        };
        let PerfContents {
            mut found,
            unpacked,
            cut,
            bad,
        } = read_records(data, &mut contents);
        report.truncated = cut.map(|(byte, there, needed)| (byte as u64, there, needed));
        if contents.cut > 0 && cut.is_none() {
            report.truncated = Some((data.len() as u64, 0, contents.cut));
        }
        report.skipped = bad.map(|(byte, bytes)| (byte as u64, bytes));
        if let Some(bytes) = found.cut.map(|cut| cut.1).or(found.bad.map(|bad| bad.1)) {
            // Inside compressed records, whose offsets mean nothing in the file.
            report
                .skipped
                .get_or_insert((contents.records.start as u64, bytes));
        }
        report.lost = std::mem::take(&mut found.lost).max(&found.lost_samples);
        report.problem = problem(&contents, &found);
        report.tracer = Some(FORMAT);
        let all = found.samples;
        let mut samples = Samples::new(&contents.shapes, contents.big);
        let start = all.first().map_or(0, |s| s.time);
        for sample in all {
            let bytes = if sample.unpacked {
                &unpacked[sample.fields]
            } else {
                &data[sample.fields]
            };
            samples.take(sample.time, sample.cpu, bytes, sink);
        }
        samples.finish(sink);
        let mut names = found.names;
        samples.name(start, 0, b"swapper", sink);
        // The last name of each task first: only one is taken.
        names.sort_short();
        for (_, pid, name) in names.iter().rev() {
            samples.name(start, *pid, name, sink);
        }
        report.records = samples.records();
        report.numbers = samples.number_outliers();
        report.other_events = samples.others();
        report.drivers = samples.drivers();
        report.block_sizes = samples.block_sizes();
        report.values = samples.take_values();
        samples.capabilities()
    }
}

/// The records of a file in the order of their times.
struct PerfContents {
    found: PerfRecords,
    /// What was packed in the file.
    unpacked: Vec<u8>,
    /// The truncated last record of the file itself.
    cut: Option<(usize, u64, u64)>,
    /// What could not be read of the file itself.
    bad: Option<(usize, u64)>,
}

fn read_records(data: &[u8], contents: &mut PerfFile) -> PerfContents {
    let mut found = PerfRecords::default();
    records::read(data, contents.records.clone(), false, contents, &mut found);
    let (cut, bad) = (found.cut.take(), found.bad.take());
    let unpacked = unpack(std::mem::take(&mut found.packed));
    records::read(&unpacked, 0..unpacked.len(), true, contents, &mut found);
    // perf writes what the CPUs recorded in turns.
    found.samples.sort_by_key(|s| (s.time, s.cpu));
    PerfContents {
        found,
        unpacked,
        cut,
        bad,
    }
}

/// Gives the events of other layers.
pub fn read_other_events(data: &[u8], each: &mut dyn FnMut(OtherEvent<'_>)) {
    let Some(mut contents) = file::read(data) else {
        return;
    };
    let PerfContents {
        found, unpacked, ..
    } = read_records(data, &mut contents);
    let formats = &contents.shapes.other;
    if formats.is_empty() {
        return;
    }
    let mut names = found.names;
    names.sort_short_by_key(|name| name.0);
    let mut names = names.into_iter().peekable();
    let mut named: FxHashMap<u32, String> = FxHashMap::default();
    let mut fields = String::new();
    for sample in &found.samples {
        while let Some((_, pid, name)) = names.next_if(|name| name.0 <= sample.time) {
            named.insert(pid, String::from_utf8_lossy(&name).into_owned());
        }
        let source = if sample.unpacked { &unpacked } else { data };
        let bytes = source.get(sample.fields.clone()).unwrap_or_default();
        let Some(other) = formats.find(bytes, contents.big) else {
            continue;
        };
        fields.clear();
        other.write(bytes, contents.big, &mut fields);
        each(OtherEvent {
            time: sample.time,
            pid: other.pid,
            comm: named.get(&other.pid).map_or("", String::as_str),
            name: other.name,
            fields: &fields,
            machine: contents.machine,
        });
    }
}

/// The reason why nothing can be read.
fn problem(contents: &PerfFile, found: &PerfRecords) -> Option<FormatProblem> {
    if !contents.formats && (contents.cut > 0 || contents.unfinished || !found.samples.is_empty()) {
        return Some(FormatProblem::NoEventFormats);
    }
    (found.bare > 0 && found.samples.is_empty()).then_some(FormatProblem::NoEventFields)
}

/// Unpacks compressed records, as far as they are complete.
fn unpack(mut packed: Vec<u8>) -> Vec<u8> {
    let mut out = Vec::new();
    if packed.is_empty() {
        return out;
    }
    packed.extend_from_slice(&FRAME_END);
    if let Ok(decoder) = StreamingDecoder::new_with_max_window_size(packed.as_slice(), MAX_WINDOW) {
        // The bytes that were unpacked before damage are used.
        let _ = UnpackBudget::for_file(packed.len()).unpack(decoder, u64::MAX, &mut out);
    }
    out
}
