//! Titles above outputs and tables: whether one names a side of a comparison, or numbers a repeat.

use super::token::kernel;
use super::words::REPEATS;

/// Words of a side that has the change, alone or among others: `With the patch`.
const CHANGED: [&str; 9] = [
    "after", "fixed", "modified", "new", "patched", "with", "w/", "tuned", "reverted",
];
/// Words of a side that lacks the change.
const ORIGINAL: [&str; 13] = [
    "base",
    "baseline",
    "before",
    "old",
    "orig",
    "original",
    "stock",
    "unmodified",
    "unpatched",
    "vanilla",
    "w/o",
    "without",
    "default",
];
/// Distributions, which are compared by their versions.
const DISTRIBUTIONS: [&str; 12] = [
    "debian",
    "ubuntu",
    "rhel",
    "centos",
    "rocky",
    "almalinux",
    "alma",
    "fedora",
    "sles",
    "opensuse",
    "proxmox",
    "pve",
];
/// Words of sides that do not say whether they have the change.
const OTHER_SIDES: [&str; 24] = [
    "mainline",
    "good",
    "bad",
    "on",
    "off",
    "enabled",
    "disabled",
    "control",
    "test",
    "reference",
    "current",
    "previous",
    "upstream",
    "linux-next",
    "next",
    "regressed",
    "slow",
    "fast",
    "aligned",
    "misaligned",
    "host",
    "guest",
    "left",
    "right",
];

/// Whether one of the words of a title names a side. `Test 2` is the second of several tests.
pub fn is_side_word(title: &str) -> bool {
    let lower = title.to_ascii_lowercase();
    let is_number = |word: &str| {
        let digits = word.trim_start_matches('#');
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let words = lower.split(|c: char| c.is_whitespace() || "()[],:=".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let lists: [&[&str]; 3] = [&CHANGED, &ORIGINAL, &OTHER_SIDES];
    for (index, word) in words.iter().enumerate() {
        let is_distribution = distribution_words(&words[index..]).is_some();
        if is_revision(word) || is_numbered_patch(word) || is_distribution {
            return true;
        }
        let next = words.get(index + 1);
        let is_counted = *word == "test" && next.is_some_and(|next| is_number(next));
        if lists.iter().any(|list| list.contains(word)) && !is_counted {
            return true;
        }
    }
    is_commit(&lower)
}

/// A commit by its distance from another one, in lower case: `head`, `head~2`, `1a2b3c4d^`.
fn is_revision(word: &str) -> bool {
    word == "head" || is_parent(word)
}

/// A commit before another one, in lower case: `head~2`, `1a2b3c4d^`.
fn is_parent(word: &str) -> bool {
    let child = word.split(['~', '^']).next().unwrap_or(word);
    child.len() < word.len() && (child == "head" || is_commit(child))
}

/// One of several patches: `patch2`.
fn is_numbered_patch(word: &str) -> bool {
    let number = ["patchset", "patch", "series"]
        .iter()
        .find_map(|name| word.strip_prefix(name));
    number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// The number of words of a distribution and its version that some words begin with: `Debian 12`,
/// `rhel8.8`, `Rocky Linux 9`.
pub fn distribution_words(words: &[&str]) -> Option<usize> {
    const SECOND_WORDS: [&str; 4] = ["linux", "stream", "leap", "server"];
    let first = words.first()?.to_ascii_lowercase();
    let version = DISTRIBUTIONS
        .iter()
        .find_map(|name| first.strip_prefix(name))?;
    let begins_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if !version.is_empty() {
        return begins_with_digit(version.trim_start_matches(['-', '_'])).then_some(1);
    }
    let next = words.get(1)?;
    let is_second = SECOND_WORDS
        .iter()
        .any(|word| next.eq_ignore_ascii_case(word));
    let count = 2 + usize::from(is_second);
    begins_with_digit(words.get(count - 1)?).then_some(count)
}

/// Whether a label names what was changed: `With the patch`, `6.6-patched`.
pub fn is_changed(label: &str) -> bool {
    has_word(label, &CHANGED) && !is_original(label)
}

/// Whether a label names what was there before a change: `Without the patch`, `6.6 vanilla`,
/// `1a2b3c4d^`.
pub fn is_original(label: &str) -> bool {
    let lower = label.to_ascii_lowercase();
    has_word(label, &ORIGINAL) || lower.split_whitespace().any(is_parent)
}

fn has_word(label: &str, candidates: &[&str]) -> bool {
    let lower = label.to_ascii_lowercase();
    lower
        .split(|c: char| c.is_whitespace() || "()[],:=-_".contains(c))
        .any(|word| candidates.contains(&word))
}

/// `1a2b3c4d5e`: 7 to 40 hexadecimal digits, not all of them decimal.
pub fn is_commit(text: &str) -> bool {
    let text = text.trim();
    (7..=40).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_hexdigit())
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.bytes().any(|b| b.is_ascii_alphabetic())
}

/// A release of a kernel by its form alone: `6.12`, `v5.10-rc3`, `2.6.38`, `linux-6.1`. Two numbers
/// alone are one only in the range of releases: `19.64` and `5.04` are figures.
pub fn is_kernel_form(text: &str) -> bool {
    let lower = text.trim().to_ascii_lowercase();
    let word = lower
        .strip_prefix("linux-")
        .or_else(|| lower.strip_prefix("linux "))
        .or_else(|| lower.strip_prefix("kernel "))
        .or_else(|| lower.strip_prefix("kernel-"))
        .unwrap_or(&lower);
    let released = word.split_once('.').is_some_and(|(major, minor)| {
        let plain = minor.bytes().all(|b| b.is_ascii_digit()) && !major.starts_with(['k', 'v']);
        let padded = minor.len() > 1 && minor.starts_with('0');
        !plain || word != lower || matches!(major.as_bytes(), [b'2'..=b'9']) && !padded
    });
    !word.contains(' ') && released && kernel(word).is_some()
}

/// The number of a title that numbers repeats: `run 1`, `Run #2`, `3rd run`, `#4`, `start 1 of 5`.
pub fn repeat_of(title: &str) -> Option<u32> {
    let lower = title.trim().to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || "#:()".contains(c))
        .filter(|w| !w.is_empty())
        .collect();
    match words.as_slice() {
        [number] if lower.starts_with('#') => number.parse().ok(),
        [word, number] if REPEATS.contains(word) => number.parse().ok(),
        [word, number, "of", count] if REPEATS.contains(word) || word.starts_with("start") => {
            let of_count = |number: &u32| count.parse().is_ok_and(|count: u32| *number <= count);
            number.parse().ok().filter(of_count)
        }
        [number, word] if REPEATS.contains(word) => number
            .trim_end_matches(|c: char| c.is_alphabetic())
            .parse()
            .ok(),
        [word] => REPEATS
            .iter()
            .find_map(|begin| word.strip_prefix(begin))
            .and_then(|number| number.parse().ok()),
        _ => None,
    }
}
