//! A recording that several workers read in sections says what it says when one reads it, to the last digit.

use crate::common::{File, digest, read, recording, recordings};
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::intake::{CutFinder, Cuts, EXCERPT};
use seekscope_core::store::Store;

const PIECE: usize = 1000;

fn builder(files: &[File]) -> TraceBuilder {
    let part = |(name, data): &File| TraceFile { name: name.clone(), size: data.len() as u64, pattern: None };
    TraceBuilder::new("sections", "sections", files.iter().map(part).collect())
}

/// Feeds a builder the bytes of each file between two places, and pauses or closes all files.
fn feed(builder: &mut TraceBuilder, files: &[File], from: &[u64], to: Option<&[u64]>) {
    let mut at: Vec<usize> = from.iter().map(|&at| at as usize).collect();
    while let Some(file) = builder.hungry() {
        let data = &files[file].1;
        let end = to.map_or(data.len(), |to| to[file] as usize);
        let next = end.min(at[file] + PIECE);
        match (at[file] < end, to) {
            (true, _) => builder.feed(file, &data[at[file]..next]),
            (false, Some(_)) => builder.pause(file),
            (false, None) => builder.close(file),
        }
        at[file] = next;
    }
}

fn cuts(files: &[File], workers: usize, least: u64) -> Option<Cuts> {
    let mut finder = CutFinder::with_least(files.iter().map(|f| f.1.len() as u64).collect(), workers, least);
    while let Some((file, at)) = finder.wanted() {
        let rest = &files[file].1[at as usize..];
        finder.take(file, at, rest[..rest.len().min(EXCERPT)].to_vec());
    }
    finder.cuts()
}

/// Reads in sections; returns how many were joined, too.
fn in_sections(files: &[File], cuts: &Cuts) -> (Store, usize) {
    let ends: Vec<Option<&[u64]>> = cuts.sections.iter().map(|section| Some(section.begin.as_slice())).chain([None]).collect();
    let section = |i: usize| {
        let places = &cuts.sections[i];
        let mut other = builder(files).with_origin(cuts.origin);
        feed(&mut other, files, &places.before, Some(&places.begin));
        let seam = other.begin_section(&places.begin)?;
        feed(&mut other, files, &places.begin, ends[i + 1]);
        other.into_section(seam)
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
    assert!(left == right, "{what}: {} and {} lines, {differs:?}", left.len(), right.len());
    let state = |store: &Store| store.devices.iter().map(|d| d.checkpoints.clone()).collect::<Vec<_>>();
    assert_eq!(state(a), state(b), "{what}");
}

#[test]
fn any_number_of_sections() {
    let (mut all, mut joined) = (0, 0);
    for name in recordings() {
        let files = recording(&name);
        let whole = read(&files, 1 << 20);
        for (workers, least) in [(2, 1), (3, 1), (7, 1), (2, 16 << 10), (4, 40 << 10)] {
            let Some(cuts) = cuts(&files, workers, least) else { continue };
            let (store, n) = in_sections(&files, &cuts);
            same(&whole, &store, &format!("{name} in {} sections", cuts.sections.len() + 1));
            (all, joined) = (all + cuts.sections.len(), joined + n);
        }
    }
    assert!(joined * 3 > all && all > 50, "only {joined} of {all} sections were joined");
}
