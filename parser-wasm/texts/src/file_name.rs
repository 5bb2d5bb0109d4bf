//! Names of files in which people keep outputs.

/// `a` of `a.json`; the end of a version is no ending of a name.
pub fn stem(name: &str) -> &str {
    const ENDINGS: [&str; 22] = [
        "txt", "log", "out", "json", "csv", "tsv", "md", "eml", "mbox", "html", "htm", "xml",
        "res", "result", "dat", "data", "org", "raw", "rst", "gz", "xz", "mail",
    ];
    match name.rsplit_once('.') {
        Some((stem, ending)) if ENDINGS.contains(&ending) && !stem.is_empty() => stem,
        _ => name,
    }
}
