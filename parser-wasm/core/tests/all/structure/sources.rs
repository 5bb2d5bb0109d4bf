//! The workspace's source files, for tests of their structure.

use std::path::Path;

/// The crates of the engine, each below all that it uses.
pub const ENGINE: [&str; 14] = [
    "trace", "layers", "formats", "error", "counters", "origin", "stacks", "notes", "measure",
    "report", "compare", "plot", "snapshot", "reading",
];

/// A source file without comments and test code.
pub struct Source {
    /// Path below the workspace, such as `formats/src/driver/mod.rs`.
    pub path: String,
    /// Its lines up to `#[cfg(test)]`, without comments.
    pub code: String,
}

impl Source {
    /// Path below `src`, without extension and `mod`: `driver`, `driver/text`.
    fn module_path(&self) -> &str {
        let path = self
            .path
            .split_once("/src/")
            .map_or("", |(_, path)| path)
            .trim_end_matches(".rs");
        path.strip_suffix("/mod").unwrap_or(path)
    }

    /// The top-level module; `None` for `lib.rs`.
    pub fn module(&self) -> Option<&str> {
        self.module_path()
            .split('/')
            .next()
            .filter(|module| *module != "lib")
    }

    /// The path of its module, from the root of the crate.
    pub fn modules(&self) -> Vec<String> {
        let parts = self.module_path().split('/').map(str::to_owned);
        parts.filter(|part| part != "lib").collect()
    }

    /// Modules from the crate's root down to this file.
    pub fn depth(&self) -> usize {
        self.module_path().split('/').count()
    }
}

/// All files below these folders of the workspace, except tests and fixtures.
pub fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in folders {
        let mut paths = vec![root.join(folder)];
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                let entries =
                    std::fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                paths.extend(entries.map(|entry| entry.unwrap().path()));
                continue;
            }
            let name = path
                .strip_prefix(&root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            let test = name.contains("/tests/")
                || name.ends_with("/tests.rs")
                || name.ends_with("/fixture.rs");
            if name.ends_with(".rs") && !test {
                let text = std::fs::read_to_string(&path).unwrap();
                let lines = text.lines().take_while(|line| {
                    line.trim() != "#[cfg(test)]" || text_continues(&text, line)
                });
                let code = lines
                    .map(|line| line.split("//").next().unwrap_or(""))
                    .collect::<Vec<_>>()
                    .join("\n");
                found.push(Source { path: name, code });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Whether `#[cfg(test)]` is above a line such as `mod tests;`, and not above the tests at the end
/// of the file.
fn text_continues(text: &str, line: &str) -> bool {
    let after = text.split_once(line).map_or("", |(_, after)| after);
    !after.trim_start().starts_with("mod tests {")
}
