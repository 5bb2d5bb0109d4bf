//! The records of a text in words, for the tests of the dialects.

use super::TextDecoder;
use crate::{Record, Report};
use seekscope_trace::event::{DeviceNumber, EventDetail};

/// The records of a text in words, and the report.
pub fn decoded(text: &str) -> (Vec<String>, Report) {
    let decode = |shift: u64| {
        let mut records = Vec::new();
        let mut decoder = TextDecoder::default();
        let mut sink = |record: Record<'_>| records.push(words(&record, shift));
        decoder.feed(text.as_bytes(), &mut sink);
        decoder.finish(&mut sink);
        (records, decoder.report().clone())
    };
    let shift = decode(0).1.time_shift;
    decode(shift)
}

fn words(record: &Record<'_>, shift: u64) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (e, command) = match *record {
        Record::Event(e) => (e, None),
        Record::Command(e, command) => (e, Some(command)),
        Record::Process { pid, name, .. } => return format!("{pid} is {}", text(name)),
        Record::Timestamp { time, wall, .. } => return format!("{time} is {wall}"),
        Record::Device { device, name } => return format!("{device} is {}", text(name)),
        Record::Message {
            time,
            cpu,
            device,
            pid,
            text: said,
            ..
        } => {
            let time = time - shift;
            return format!("{time} {cpu} {pid} {device} m {}", text(said));
        }
    };
    // Formats write events without a sector in several ways.
    let sector = if e.sectors() == 0 && e.detail == EventDetail::None {
        0
    } else {
        e.sector
    };
    let sector = if sector == u64::MAX { 0 } else { sector };
    let (letters, rwbs, n) = (e.action.letters(), e.flags.rwbs(e.bytes), e.sectors());
    let device = if e.device == DeviceNumber::NONE {
        "none".to_owned()
    } else {
        e.device.to_string()
    };
    let mut words = format!(
        "{} {} {} {device} {letters} {rwbs} {sector}+{n}",
        e.time - shift,
        e.cpu,
        e.pid
    );
    if e.detail != EventDetail::None {
        words += &format!(" {:?}", e.detail);
    }
    if let Some(command) = command {
        words += &format!(" command {command:?}");
    }
    if e.error != 0 {
        words += &format!(" error {}", e.error);
    }
    words
}
