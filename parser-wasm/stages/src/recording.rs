//! The files of a recording, read in pieces as the page and the command line do.

use seekscope_core::builder::{TraceBuilder, TraceFile};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The files of one trace.
pub struct Recording {
    paths: Vec<PathBuf>,
    pub files: Vec<TraceFile>,
}

impl Recording {
    /// Finds all files `*.blktrace.*` of a folder.
    pub fn find(folder: &Path) -> Result<Recording, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.to_string_lossy().contains(".blktrace.") {
                paths.push(path);
            }
        }
        paths.sort();
        if paths.is_empty() {
            return Err(format!("{}: no file named *.blktrace.*", folder.display()));
        }
        let file = |path: &PathBuf| TraceFile {
            name: path
                .file_name()
                .map_or(String::new(), |name| name.to_string_lossy().into_owned()),
            size: fs::metadata(path).map_or(0, |meta| meta.len()),
            pattern: None,
        };
        Ok(Recording {
            files: paths.iter().map(file).collect(),
            paths,
        })
    }

    /// Opens all files, in their order.
    pub fn open(&self) -> Result<Vec<File>, String> {
        let open = |path: &PathBuf| {
            File::open(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        self.paths.iter().map(open).collect()
    }

    /// Reads all files, each time a piece of the one that `next` returns. `take` gets the index of
    /// the file and the piece, which is empty at the end of the file.
    pub fn read<S>(
        &self,
        state: &mut S,
        mut next: impl FnMut(&mut S) -> Option<usize>,
        mut take: impl FnMut(&mut S, usize, &[u8]),
    ) -> Result<(), String> {
        let failed =
            |file: usize, error: std::io::Error| format!("{}: {error}", self.paths[file].display());
        let mut open = self.open()?;
        let mut buffer = vec![0; TraceBuilder::new("", "", self.files.clone()).piece()];
        while let Some(file) = next(state) {
            let n = open[file]
                .read(&mut buffer)
                .map_err(|error| failed(file, error))?;
            take(state, file, &buffer[..n]);
        }
        Ok(())
    }
}
