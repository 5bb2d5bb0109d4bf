//! The options of a job: its pattern, block sizes and depth, in one spelling for all forms of fio's
//! reports.

use crate::quantity::{number, number_length};

/// The options by which jobs differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The pattern: `randread`, `rw`.
    pub pattern: Option<String>,
    /// The block sizes of reads, writes and trims: `4k`, `4k-64k`.
    pub block_sizes: [Option<String>; 3],
    pub engine: Option<String>,
    pub depth: Option<String>,
    /// Number of clones, from the job file.
    pub clones: Option<u32>,
}

impl Options {
    /// The block size if all operations have the same one.
    pub fn common_block_size(&self) -> Option<&str> {
        let first = self.block_sizes[0].as_deref();
        self.block_sizes
            .iter()
            .all(|size| size.as_deref() == first)
            .then_some(first)
            .flatten()
    }
}

/// One spelling of a pattern: `rw` for `readwrite`, `randread` for `randread:8`.
pub fn pattern(text: &str) -> String {
    let name = text.trim().split([':', ',']).next().unwrap_or("").trim();
    match name {
        "readwrite" => "rw".to_owned(),
        _ => name.to_owned(),
    }
}

/// The options in the first line of a job, behind `name: (g=0): `:
///
/// ```text
/// rw=randread, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=16                                    1
/// rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=16                              2
/// rw=randread, bs=4096B-4096B,4096B-4096B,4096B-4096B, ioengine=libaio, iodepth=16         2.18
/// rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, ...     3
/// ```
pub fn announced(text: &str) -> Options {
    let word = |key: &str| {
        let rest = text.split_once(key)?.1;
        let word = rest.split([',', ' ']).next().unwrap_or("").trim();
        (!word.is_empty()).then(|| word.to_owned())
    };
    let sizes = text
        .split_once("bs=")
        .map_or("", |(_, rest)| rest)
        .split("ioengine=")
        .next()
        .unwrap_or("");
    Options {
        pattern: word("rw=").map(|word| pattern(&word)),
        block_sizes: announced_sizes(sizes),
        engine: word("ioengine="),
        depth: word("iodepth="),
        clones: None,
    }
}

fn announced_sizes(text: &str) -> [Option<String>; 3] {
    if text.contains("(R)") {
        let size = |mark: &str| range(text.split_once(mark)?.1.trim().split([',', ' ']).next()?);
        return [size("(R)"), size("(W)"), size("(T)")];
    }
    let mut sizes = text
        .trim()
        .trim_end_matches([',', ' '])
        .split(['/', ','])
        .map(range);
    let read = sizes.next().flatten();
    let write = sizes.next().flatten();
    let trim = sizes.next().flatten().or_else(|| write.clone());
    [read, write, trim]
}

/// The sizes of an option `bs=4k`, `bs=4k,8k` (reads, others), `bsrange=4k-64k`.
pub fn option_sizes(text: &str) -> [Option<String>; 3] {
    let parts: Vec<Option<String>> = text.split(',').map(range).collect();
    let read = parts.first().cloned().flatten();
    let write = parts.get(1).cloned().unwrap_or_else(|| read.clone());
    let trim = parts.get(2).cloned().unwrap_or_else(|| write.clone());
    [read, write, trim]
}

/// The sizes of an option `bssplit=4k/50:64k/50`: the smallest and the largest of an operation.
pub fn split_sizes(text: &str) -> [Option<String>; 3] {
    let span = |part: &str| {
        let sizes: Option<Vec<u64>> = part
            .split(':')
            .map(|entry| bytes(entry.split('/').next().unwrap_or("")))
            .collect();
        let sizes = sizes?;
        Some(span_words(*sizes.iter().min()?, *sizes.iter().max()?))
    };
    let parts: Vec<Option<String>> = text.split(',').map(span).collect();
    let read = parts.first().cloned().flatten();
    let write = parts.get(1).cloned().unwrap_or_else(|| read.clone());
    let trim = parts.get(2).cloned().unwrap_or_else(|| write.clone());
    [read, write, trim]
}

/// One spelling of a range: `4k` for `4096B-4096B`, `4k-16k` for `4K-16K`.
fn range(text: &str) -> Option<String> {
    let text = text.trim();
    match text.split_once('-') {
        Some((min, max)) => Some(span_words(bytes(min)?, bytes(max)?)),
        None => Some(size_words(bytes(text)?)),
    }
}

fn span_words(min: u64, max: u64) -> String {
    if min == max {
        size_words(min)
    } else {
        format!("{}-{}", size_words(min), size_words(max))
    }
}

/// Bytes in the largest unit that divides them: `4k`, `1M`, `512`.
fn size_words(bytes: u64) -> String {
    for (letter, factor) in [('G', 1 << 30), ('M', 1 << 20), ('k', 1 << 10)] {
        if bytes > 0 && bytes.is_multiple_of(factor) {
            return format!("{}{letter}", bytes / factor);
        }
    }
    bytes.to_string()
}

/// Bytes of `4096B`, `16.0KiB`, `4K`, `4k`, `1m`.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let length = number_length(text);
    let value = number(text.get(..length)?)?;
    let factor = match text.get(length..)?.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" | "kib" => 1024.0,
        "m" | "mb" | "mib" => 1024.0 * 1024.0,
        "g" | "gb" | "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let bytes = (value * factor).round();
    ((0.0..=1e15).contains(&bytes)).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_versions_announce_the_same_block_size() {
        for sizes in [
            "4K-4K/4K-4K",
            "4K-4K/4K-4K/4K-4K",
            "4096B-4096B,4096B-4096B,4096B-4096B",
            "(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B",
        ] {
            let options = announced(&format!(
                "rw=randread, bs={sizes}, ioengine=libaio, iodepth=16"
            ));
            assert_eq!(options.common_block_size(), Some("4k"), "{sizes}");
            assert_eq!(options.pattern.as_deref(), Some("randread"));
            assert_eq!(options.engine.as_deref(), Some("libaio"));
            assert_eq!(options.depth.as_deref(), Some("16"));
        }
    }

    #[test]
    fn operations_have_sizes_of_their_own() {
        let options = announced("rw=rw, bs=(R) 4096B-4096B, (W) 8192B-16.0KiB, (T) 512B-512B");
        let expected = ["4k", "8k-16k", "512"].map(|size| Some(size.to_owned()));
        assert_eq!(options.block_sizes, expected);
        assert_eq!(options.common_block_size(), None);
        assert_eq!(option_sizes("4k,1m")[2].as_deref(), Some("1M"));
        assert_eq!(option_sizes("4096")[1].as_deref(), Some("4k"));
        assert_eq!(split_sizes("4k/50:64k/50")[0].as_deref(), Some("4k-64k"));
        assert_eq!(option_sizes("any"), [None, None, None]);
    }
}
