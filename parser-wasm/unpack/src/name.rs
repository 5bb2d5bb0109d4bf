//! Paths in archives cannot leave the archive's folder: `..`, absolute paths and drives are
//! dropped.

/// Bytes of a name that are kept, its last ones: as long as paths are in Linux. A packed header can
/// declare a MiB for each of 100,000 files.
const LONGEST: usize = 4096;

/// The parts of a path, below `folder`.
pub(crate) fn below(folder: &str, name: &str) -> String {
    let mut path = folder.to_owned();
    let from = name.len().saturating_sub(LONGEST);
    let end_of_name = (from..name.len())
        .find_map(|index| name.get(index..))
        .unwrap_or_default();
    for part in parts(end_of_name) {
        path.push('/');
        path.push_str(part);
    }
    path
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\'])
        .filter(|part| !matches!(*part, "" | "." | ".."))
}

/// Hidden files and files that archivers and file managers leave.
pub(crate) fn is_leftover(name: &str) -> bool {
    parts(name).any(|part| {
        part.starts_with('.') || matches!(part, "__MACOSX" | "Thumbs.db" | "desktop.ini")
    })
}

/// The name of the content of a compressed file.
pub(crate) fn unpacked(path: &str) -> String {
    for (end, instead) in [
        (".tgz", ".tar"),
        (".tbz2", ".tar"),
        (".txz", ".tar"),
        (".tzst", ".tar"),
    ] {
        if let Some(stem) = path.strip_suffix(end) {
            return format!("{stem}{instead}");
        }
    }
    [".gz", ".bz2", ".xz", ".zst"]
        .iter()
        .find_map(|end| {
            path.strip_suffix(end)
                .filter(|stem| !stem.is_empty() && !stem.ends_with('/'))
        })
        .unwrap_or(path)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_long_names_the_end_is_kept() {
        let path = below(
            "a.tar",
            &format!("{}/trace.blktrace.0", "ä".repeat(1 << 19)),
        );
        assert!(
            path.len() <= "a.tar/".len() + LONGEST && path.ends_with("ä/trace.blktrace.0"),
            "{} bytes",
            path.len()
        );
        assert_eq!(below("a.tar", "../x//y"), "a.tar/x/y");
    }
}
