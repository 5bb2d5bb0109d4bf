//! More is written to the journal, or to other structures of the file system, for the same files.

use super::{MIN_PART, of_both, ratio};
use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::sentence::Param;
use crate::threshold::percent;
use seekscope_measure::objects::{MIN_KNOWN, ObjectSums, ObjectUse, ObjectsUsed};
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::ObjectKind;

/// Minimum growth of the bytes written to a structure, as a share of the bytes written to files.
const GROWTH: f64 = 0.05;
/// Minimum growth as a factor: repeats differ by less.
const FACTOR: f64 = 1.25;

/// Bytes written, and the time in the device, of objects.
#[derive(Clone, Copy, Default)]
struct Written {
    bytes: u64,
    d2c_ns: u64,
}

impl Written {
    fn sum(used: &ObjectsUsed, takes: fn(ObjectKind) -> bool) -> Written {
        let objects = used.top.iter().filter(|object| takes(object.kind));
        objects.fold(Written::default(), |sum, ObjectUse { sums, .. }| Written {
            bytes: sum.bytes + sums.write,
            d2c_ns: sum.d2c_ns + writing_ns(sums),
        })
    }
}

/// The time of requests that read is left out by bytes.
fn writing_ns(sums: &ObjectSums) -> u64 {
    (sums.d2c_ns as f64 * ratio(sums.write, sums.bytes())) as u64
}

fn is_journal(kind: ObjectKind) -> bool {
    matches!(kind, ObjectKind::Journal | ObjectKind::LogTree)
}

fn is_metadata(kind: ObjectKind) -> bool {
    let is_data = matches!(
        kind,
        ObjectKind::File | ObjectKind::Free | ObjectKind::Outside
    );
    !is_data && !is_journal(kind)
}

fn is_file(kind: ObjectKind) -> bool {
    kind == ObjectKind::File
}

fn rule_of(what: &str) -> String {
    format!(
        "for each byte written to files, the bytes written to {what} grew by at least {} and to at \
         least {FACTOR} times as many; the map of the disk knows the owner of at least {} of the \
         bytes of both runs",
        percent(GROWTH),
        percent(MIN_KNOWN),
    )
}

pub fn journal_rule() -> String {
    rule_of("the journal")
}

pub fn metadata_rule() -> String {
    rule_of("structures of the file system other than the journal")
}

fn grew(case: &Case, code: &'static str, takes: fn(ObjectKind) -> bool) -> Option<Draft> {
    let (good, bad) = of_both(case)?;
    let files = |used: &ObjectsUsed| Written::sum(used, is_file).bytes + used.rest.write;
    let (files_good, files_bad) = (files(good), files(bad));
    let (written_good, written) = (Written::sum(good, takes), Written::sum(bad, takes));
    let (before, now) = (
        ratio(written_good.bytes, files_good),
        ratio(written.bytes, files_bad),
    );
    if files_good == 0 || files_bad == 0 || now - before < GROWTH || now < FACTOR * before {
        return None;
    }
    let scale = files_bad as f64 / files_good as f64;
    let part = case.part(written.d2c_ns as f64 - written_good.d2c_ns as f64 * scale);
    let params = case
        .params()
        .value("written", written.bytes as f64, Unit::Bytes)
        .value("files", files_bad as f64, Unit::Bytes)
        .value("time", ratio(written.d2c_ns, bad.all.d2c_ns), Unit::Share);
    Some(Draft {
        code,
        params: if written_good.bytes == 0 {
            params.with("none", Param::Flag)
        } else {
            params
                .value("written_good", written_good.bytes as f64, Unit::Bytes)
                .value("files_good", files_good as f64, Unit::Bytes)
        },
        keys: &["bytes.write", "d2c.mean", "flush.preflush", "iops"],
        more: vec![("written_per_file_byte", case.of_both((before, now)))],
        chart: EvidenceChart::SeekMap,
        range: None,
        part,
        class: match part {
            Some(part) if part >= MIN_PART => TIME,
            _ => CHANGE,
        },
    })
}

/// `journal-grew`
pub fn journal(case: &Case) -> Option<Draft> {
    grew(case, "journal-grew", is_journal)
}

/// `metadata-grew`
pub fn metadata(case: &Case) -> Option<Draft> {
    grew(case, "metadata-grew", is_metadata)
}
