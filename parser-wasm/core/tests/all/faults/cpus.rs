//! Files of some CPUs of a recording: what is missing is said, and nothing is said of complete
//! recordings.

use crate::common::{File, read, recording, recordings};

fn missing(files: &[File]) -> Option<String> {
    let warnings = read(files, 1 << 20).quality.warnings;
    let mut found = warnings.into_iter().filter(|w| w.code == "missing-cpus");
    let first = found.next().map(|w| w.message);
    assert!(found.next().is_none(), "said once");
    first
}

fn of_cpu(name: &str, cpu: u32) -> Vec<File> {
    recording(name)
        .into_iter()
        .filter(|f| f.0.ends_with(&format!(".{cpu}")))
        .collect()
}

#[test]
fn complete_recordings_miss_nothing() {
    for name in recordings() {
        assert_eq!(missing(&recording(&name)), None, "{name}");
    }
}

#[test]
fn one_file_of_several_is_noticed_unless_it_has_the_start_and_all_names() {
    let mut unnoticed = Vec::new();
    for name in recordings() {
        for cpu in 0..4 {
            let files = of_cpu(&name, cpu);
            let other = recording(&name)
                .iter()
                .any(|f| !f.1.is_empty() && !f.0.ends_with(&format!(".{cpu}")));
            if other && files.iter().any(|f| f.1.len() > 4096) && missing(&files).is_none() {
                unnoticed.push(format!("{name} {cpu}"));
            }
        }
    }
    assert_eq!(unnoticed, UNNOTICED);
}

/// The first CPU's file has the TIMESTAMP and the names of all tasks with events in it.
const UNNOTICED: [&str; 4] = [
    "cgroup-ids 0",
    "passthrough 0",
    "raid5-aligned 0",
    "requeue 0",
];

#[test]
fn what_is_missing_is_estimated_where_both_ends_of_requests_were_recorded() {
    let text =
        missing(&of_cpu("two-devices", 0)).expect("the start and names are in the file of CPU 1");
    assert!(
        text.starts_with("These are the files of 1 of at least 2 CPUs:"),
        "{text}"
    );
    assert!(
        text.ends_with(" Each request has all its events in these files."),
        "{text}"
    );
    // Another CPU handles the interrupts: every fourth completion is in its file.
    let mut seen = 0;
    let mut some = |action: u32| {
        seen += usize::from(action == COMPLETE);
        action != COMPLETE || !seen.is_multiple_of(4)
    };
    let parted: Vec<File> = of_cpu("two-devices", 0)
        .into_iter()
        .map(|(name, data)| (name, only(&data, &mut some)))
        .collect();
    let text = missing(&parted).expect("as before");
    assert!(text.contains(" About 25% of the requests have "), "{text}");
    // With only completions, there is nothing to match.
    let completions: Vec<File> = of_cpu("sync-fua", 0)
        .into_iter()
        .map(|(name, data)| (name, only(&data, &mut |action| action == COMPLETE)))
        .collect();
    let text = missing(&completions).expect("the file of CPU 1 is missing");
    assert!(
        text.ends_with("How many events are missing cannot be estimated."),
        "{text}"
    );
}

const COMPLETE: u32 = 8;

/// Notify records and some events of a version 7 file, without sequence numbers, which would have
/// gaps.
fn only(data: &[u8], keep: &mut dyn FnMut(u32) -> bool) -> Vec<u8> {
    let (mut out, mut offset) = (Vec::new(), 0);
    while let Some(head) = data.get(offset..offset + 48) {
        let action = u32::from_le_bytes([head[28], head[29], head[30], head[31]]);
        let length = 48 + usize::from(u16::from_le_bytes([head[46], head[47]]));
        let notify = action >> 16 & 0x400 != 0;
        if notify || keep(action & 0xff) {
            let mut record = data[offset..offset + length].to_vec();
            record[4..8].copy_from_slice(&[0; 4]);
            out.extend(record);
        }
        offset += length;
    }
    out
}

#[test]
fn files_with_other_names_and_streams_of_all_cpus_say_nothing() {
    let renamed: Vec<File> = of_cpu("two-devices", 0)
        .into_iter()
        .map(|(name, data)| (format!("{name}.copy"), data))
        .collect();
    assert_eq!(missing(&renamed), None);
    let all = recording("sync-fua")
        .into_iter()
        .flat_map(|f| f.1)
        .collect();
    assert_eq!(missing(&[("sda.blktrace.0".to_owned(), all)]), None);
}
