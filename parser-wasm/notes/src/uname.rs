//! Kernel release: `uname -a`, `uname -sr`, `uname -r`, `/proc/version`.

use super::{Fact, Note};

pub fn read(text: &str, note: &mut Note) {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    if let (Some(only), None) = (lines.next(), lines.next())
        && is_release(only)
        && only.matches('.').count() > 1
    {
        return note.add_kernel(only, None);
    }
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().take(5).collect();
        match words.as_slice() {
            ["Linux", release] | ["Linux", "version", release, ..] if is_release(release) => {
                return note.add_kernel(release, None);
            }
            ["Linux", host, release, build, ..]
                if is_release(release) && build.starts_with('#') =>
            {
                note.add_kernel(release, None);
                return note.add(Fact::text("hostname", "Host", host));
            }
            _ => {}
        }
    }
}

/// Whether a word is a kernel release, such as `6.12.113+deb12-amd64`.
pub fn is_release(word: &str) -> bool {
    let mut parts = word.splitn(3, '.');
    let number =
        |part: Option<&str>| part.is_some_and(|p| p.starts_with(|c: char| c.is_ascii_digit()));
    let is_plain = word
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "._+-~".contains(c));
    is_plain
        && word.len() <= 64
        && parts
            .next()
            .is_some_and(|p| (1..=2).contains(&p.len()) && number(Some(p)))
        && number(parts.next())
}
