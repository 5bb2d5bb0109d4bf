//! What reading in sections costs: each section by itself, packing it, and joining it. Sections are
//! read one after another here, so that each is timed undisturbed; the page reads them at the same
//! time.

use crate::recording::Recording;
use seekscope_core::builder::TraceBuilder;
use seekscope_core::format::blktrace::FOLLOWING;
use seekscope_core::intake::{CutFinder, EXCERPT};
use serde_json::{Value, json};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Instant;

/// Does a step and returns its result and its time, s.
fn time<T>(step: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = step();
    (result, start.elapsed().as_secs_f64())
}

/// Feeds the bytes of each file between two places, and pauses or closes it.
fn feed(builder: &mut TraceBuilder, files: &[File], from: &[u64], to: Option<&[u64]>) {
    let mut offsets = from.to_vec();
    let mut buffer = vec![0; builder.piece()];
    while let Some(file) = builder.hungry() {
        let length = to.map_or(buffer.len(), |to| {
            buffer.len().min((to[file] - offsets[file]) as usize)
        });
        let n = files[file]
            .read_at(&mut buffer[..length], offsets[file])
            .unwrap_or(0);
        match (n, to) {
            (0, Some(_)) => {
                let n = files[file]
                    .read_at(&mut buffer[..FOLLOWING], offsets[file])
                    .unwrap_or(0);
                builder.pause(file, &buffer[..n]);
            }
            (0, None) => builder.close(file),
            _ => builder.feed(file, &buffer[..n]),
        }
        offsets[file] += n as u64;
    }
}

/// Reads the recording of a folder in sections: `{events, cut, sections, end}`, times in s.
pub fn time_sections(folder: &Path) -> Result<Value, String> {
    let recording = Recording::find(folder)?;
    let files = recording.open()?;
    let builder = || TraceBuilder::new("sections", "sections", recording.files.clone());
    let find = || {
        let mut finder = CutFinder::new(recording.files.iter().map(|file| file.size).collect());
        loop {
            let wanted = finder.wanted();
            if wanted.is_empty() {
                return finder.cuts(0);
            }
            for (file, offset) in wanted {
                let mut bytes = vec![0; EXCERPT];
                let n = files[file].read_at(&mut bytes, offset).unwrap_or(0);
                bytes.truncate(n);
                finder.take(file, offset, bytes);
            }
        }
    };
    let (cuts, cut) = time(find);
    let cuts = cuts.ok_or("the recording is read as a whole")?;
    let ends: Vec<Option<&[u64]>> = cuts
        .sections
        .iter()
        .map(|section| Some(section.begin.as_slice()))
        .chain([None])
        .collect();
    let mut first = builder();
    let (_, read) = time(|| feed(&mut first, &files, &vec![0; files.len()], ends[0]));
    let mut sections = vec![json!({ "read": read })];
    for (i, (places, end)) in cuts.sections.iter().zip(&ends[1..]).enumerate() {
        let mut other = builder().with_origin(cuts.origin);
        let (begun, before) = time(|| {
            feed(&mut other, &files, &places.before, Some(&places.begin));
            other.begin_section(&places.begin)
        });
        let begun = begun.ok_or("a section cannot be joined")?;
        let (_, read) = time(|| feed(&mut other, &files, &places.begin, *end));
        let (bytes, pack) =
            time(|| other.into_section(begun, cuts.sections.get(i + 1).map(|next| next.time)));
        let bytes = bytes.ok_or("a section cannot be joined")?;
        let (joined, join) = time(|| first.join(&bytes));
        sections
            .push(json!({ "before": before, "read": read, "pack": pack, "bytes": bytes.len(), "join": join, "joined": joined }));
        if !joined {
            break;
        }
    }
    let (store, end) = time(|| first.finish());
    let events = store.map_err(|error| error.to_string())?.events.len();
    Ok(json!({ "events": events, "cut": cut, "sections": sections, "end": end }))
}
