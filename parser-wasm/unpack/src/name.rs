//! Names in archives are only names: `..`, absolute paths and drives lead nowhere.

/// The parts of a path, joined below `folder`.
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

/// Hidden files and the leftovers of archivers and file managers.
pub(crate) fn is_leftover(name: &str) -> bool {
    parts(name).any(|part| part.starts_with('.') || matches!(part, "__MACOSX" | "Thumbs.db" | "desktop.ini"))
}

/// The name of what is in a compressed file.
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
