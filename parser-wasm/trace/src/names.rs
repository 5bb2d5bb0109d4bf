//! Devices in file names, and names that do not identify a run.

/// Base names that do not identify a run.
const GENERIC: [&str; 7] = ["trace", "blktrace", "out", "output", "log", "dump", "test"];

/// Whether a name, or the last part of a path, does not identify a run: `trace`, `sda`,
/// `before/sda`.
pub fn is_generic(base: &str) -> bool {
    let base = base.rsplit('/').next().unwrap_or(base);
    GENERIC.contains(&base) || device_name(base).is_some()
}

/// The device that a file is named after: `vda` for `run1/vda.blktrace.0`.
pub fn device_name(file: &str) -> Option<&str> {
    const PREFIXES: [&str; 14] = [
        "sd", "vd", "hd", "xvd", "nvme", "md", "dm-", "loop", "nbd", "zram", "sr", "mmcblk",
        "nullb", "ram",
    ];
    let base = file
        .rsplit('/')
        .next()?
        .split(".blk")
        .next()?
        .trim_end_matches(".txt");
    let rest = PREFIXES.iter().find_map(|p| base.strip_prefix(p))?;
    let numbered = rest.starts_with(|c: char| c.is_ascii_digit());
    let lettered = rest.len() <= 3
        && rest
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        && !rest.is_empty();
    (numbered || lettered).then_some(base)
}

/// Endings of archives and recordings that are not part of a label.
const ENDINGS: [&str; 21] = [
    ".gz",
    ".bz2",
    ".xz",
    ".zst",
    ".tar",
    ".tgz",
    ".tbz2",
    ".txz",
    ".tzst",
    ".zip",
    ".eml",
    ".mbox",
    "-trace",
    "_trace",
    ".trace",
    ".dump",
    ".bin",
    ".txt",
    ".log",
    ".out",
    ".blkparse",
];

/// A name without its endings: `ext4dd-2.6.35+` of `ext4dd-2.6.35+-trace.tar.bz2`.
pub fn without_endings(name: &str) -> &str {
    let mut name = name;
    for ending in ENDINGS {
        name = name
            .strip_suffix(ending)
            .filter(|rest| !rest.is_empty())
            .unwrap_or(name);
    }
    name
}
