//! A recording that several workers read in sections says what it says when one reads it, to the
//! last digit.

use crate::common::{File, digest, read, recording, recordings, records};
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::format::blktrace::FOLLOWING;
use seekscope_core::intake::{CutFinder, Cuts, EXCERPT};
use seekscope_core::store::Store;

const PIECE: usize = 1000;

fn builder(files: &[File]) -> TraceBuilder {
    let part = |(name, data): &File| TraceFile {
        name: name.clone(),
        size: data.len() as u64,
        pattern: None,
    };
    TraceBuilder::new("sections", "sections", files.iter().map(part).collect())
}

/// Feeds a builder the bytes of each file between two places, and pauses or closes all files.
fn feed(builder: &mut TraceBuilder, files: &[File], from: &[u64], to: Option<&[u64]>) {
    let mut read_to: Vec<usize> = from.iter().map(|&byte| byte as usize).collect();
    while let Some(file) = builder.hungry() {
        let data = &files[file].1;
        let end = to.map_or(data.len(), |to| to[file] as usize);
        let next = end.min(read_to[file] + PIECE);
        match (read_to[file] < end, to) {
            (true, _) => builder.feed(file, &data[read_to[file]..next]),
            (false, Some(_)) => builder.pause(file, &data[end..data.len().min(end + FOLLOWING)]),
            (false, None) => builder.close(file),
        }
        read_to[file] = next;
    }
}

fn cuts(files: &[File], sections: u64) -> Option<Cuts> {
    let mut finder =
        CutFinder::with_sections(files.iter().map(|f| f.1.len() as u64).collect(), sections);
    loop {
        let wanted = finder.wanted();
        if wanted.is_empty() {
            return finder.cuts(0);
        }
        for (file, byte) in wanted {
            let rest = &files[file].1[byte as usize..];
            finder.take(file, byte, rest[..rest.len().min(EXCERPT)].to_vec());
        }
    }
}

/// Reads in sections; returns how many were joined, too.
fn in_sections(files: &[File], cuts: &Cuts) -> (Store, usize) {
    let ends: Vec<Option<&[u64]>> = cuts
        .sections
        .iter()
        .map(|section| Some(section.begin.as_slice()))
        .chain([None])
        .collect();
    let section = |i: usize| {
        let places = &cuts.sections[i];
        let mut other = builder(files).with_origin(cuts.origin);
        feed(&mut other, files, &places.before, Some(&places.begin));
        let seam = other.begin_section(&places.begin)?;
        feed(&mut other, files, &places.begin, ends[i + 1]);
        other.into_section(seam, cuts.sections.get(i + 1).map(|next| next.time))
    };
    let mut first = builder(files);
    feed(&mut first, files, &vec![0; files.len()], ends[0]);
    let mut joined = 0;
    for i in 0..cuts.sections.len() {
        if section(i).is_some_and(|section| first.join(&section)) {
            joined += 1;
        } else {
            first.resume();
            feed(&mut first, files, &cuts.sections[i].begin, ends[i + 1]);
        }
    }
    (first.finish().expect("the recording has events"), joined)
}

fn same(a: &Store, b: &Store, what: &str) {
    let (left, right) = (digest(a), digest(b));
    let differs = left.iter().zip(&right).find(|(a, b)| a != b);
    assert!(
        left == right,
        "{what}: {} and {} lines, {differs:?}",
        left.len(),
        right.len()
    );
    let state = |store: &Store| {
        store
            .devices
            .iter()
            .map(|d| d.checkpoints.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(state(a), state(b), "{what}");
}

#[test]
fn any_number_of_sections() {
    let (mut all, mut joined) = (0, 0);
    for name in recordings() {
        let files = recording(&name);
        let whole = read(&files, 1 << 20);
        for sections in [2, 3, 7, 20] {
            let Some(cuts) = cuts(&files, sections) else {
                continue;
            };
            let (store, n) = in_sections(&files, &cuts);
            same(
                &whole,
                &store,
                &format!("{name} in {} sections", cuts.sections.len() + 1),
            );
            (all, joined) = (all + cuts.sections.len(), joined + n);
        }
    }
    assert!(
        joined * 3 > all && all > 50,
        "only {joined} of {all} sections were joined"
    );
}

/// A time that cannot be, at a seam or next to it.
#[test]
fn a_time_outlier_at_a_seam() {
    let files = recording("requeue");
    let cuts = cuts(&files, 3).expect("the recording is cut");
    let mut outliers = 0;
    for section in &cuts.sections {
        for (file, &begin) in section.begin.iter().enumerate() {
            let data = &files[file].1;
            let mut byte = 0;
            let mut places: Vec<usize> = Vec::new();
            for record in records(data) {
                places.push(byte);
                byte += record.len();
            }
            let seam = places.partition_point(|&place| (place as u64) < begin);
            for &place in &places[seam.saturating_sub(3)..places.len().min(seam + 3)] {
                for bit in [22, 30, 50] {
                    let mut damaged = files.clone();
                    damaged[file].1[place + 8 + bit / 8] ^= 1 << (bit % 8);
                    let whole = read(&damaged, 1 << 20);
                    outliers += usize::from(
                        whole
                            .quality
                            .warnings
                            .iter()
                            .any(|w| w.code == "time-outliers"),
                    );
                    let (store, _) = in_sections(&damaged, &cuts);
                    same(
                        &whole,
                        &store,
                        &format!("bit {bit} of the record at {place}, seam at {begin}"),
                    );
                }
            }
        }
    }
    assert!(outliers > 10, "{outliers}");
}
