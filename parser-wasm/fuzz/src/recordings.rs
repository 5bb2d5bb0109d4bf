//! Several recordings in one text: whatever it holds, the recordings are parts of it, one after
//! another, and few.

use crate::seeds::{below, text};
use seekscope_core::format::text::blkparse::pattern::Pattern;
use seekscope_recordings::{MAX_RECORDINGS, Recording, find, is_encoded, names};
use std::convert::Infallible;

/// A format of `blkparse -f`, for lines that have no other one.
const PATTERN: &str = "%D %2c %8s %5T.%9t %5p %2a %3d %S + %n\\n";

/// # Panics
/// When recordings overlap, are one alone, or have no name to show.
pub fn any(data: &[u8]) {
    is_encoded(data);
    let names = names("mail.txt", data);
    assert!(names.len() != 1 && names.len() <= MAX_RECORDINGS);
    assert!(
        names
            .iter()
            .flatten()
            .all(|name| !name.trim().is_empty() && !name.contains('/'))
    );
    let pattern = Pattern::new(PATTERN).ok();
    for pattern in [None, pattern.as_ref()] {
        let found = recordings(data, pattern);
        assert!(found.len() != 1 && found.len() <= MAX_RECORDINGS);
        let mut end = 0;
        for (index, recording) in found.iter().enumerate() {
            let bytes = &recording.bytes;
            assert!(
                end <= bytes.start && bytes.start < bytes.end && bytes.end <= data.len() as u64
            );
            assert!(
                recording
                    .name
                    .as_ref()
                    .is_none_or(|name| !name.trim().is_empty())
            );
            let path = recording.path("mail.txt", index);
            assert!(path.starts_with("mail.txt/") && path.len() > "mail.txt/".len());
            end = bytes.end;
        }
    }
}

fn recordings(data: &[u8], pattern: Option<&Pattern>) -> Vec<Recording> {
    let read = |offset: u64, length: usize| -> Result<Vec<u8>, Infallible> {
        let rest = &data[(offset as usize).min(data.len())..];
        Ok(rest[..length.min(rest.len())].to_vec())
    };
    match find(data.len() as u64, pattern, read) {
        Ok(found) => found,
        Err(never) => match never {},
    }
}

/// Texts with several recordings, and texts that have one recording twice.
pub fn seeds() -> Vec<Vec<u8>> {
    let posted = below("field/recordings").into_iter().map(|file| file.1);
    let twice = text().into_iter().map(|text| {
        let mut both = text.clone();
        both.extend_from_slice(b"\nthe same with bfq:\n");
        both.extend_from_slice(&text);
        both
    });
    posted.chain(twice).collect()
}
