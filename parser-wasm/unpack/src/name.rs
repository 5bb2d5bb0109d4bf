//! Paths in archives cannot leave the archive's folder: `..`, absolute paths and drives are dropped.

/// The parts of a path, below `folder`.
pub(crate) fn below(folder: &str, name: &str) -> String {
    let mut path = folder.to_owned();
    for part in parts(name) {
        path.push('/');
        path.push_str(part);
    }
    path
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."))
}

/// Hidden files and files that archivers and file managers leave.
pub(crate) fn is_leftover(name: &str) -> bool {
    parts(name).any(|part| part.starts_with('.') || matches!(part, "__MACOSX" | "Thumbs.db" | "desktop.ini"))
}

/// The name of the content of a compressed file.
pub(crate) fn unpacked(path: &str) -> String {
    for (end, instead) in [(".tgz", ".tar"), (".tbz2", ".tar"), (".txz", ".tar"), (".tzst", ".tar")] {
        if let Some(stem) = path.strip_suffix(end) {
            return format!("{stem}{instead}");
        }
    }
    [".gz", ".bz2", ".xz", ".zst"]
        .iter()
        .find_map(|end| path.strip_suffix(end).filter(|stem| !stem.is_empty() && !stem.ends_with('/')))
        .unwrap_or(path)
        .to_owned()
}
