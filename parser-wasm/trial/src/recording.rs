//! Reads a folder with one recording and its notes as a run.

use seekscope_core::builder::TraceBuilder;
use seekscope_core::compare::ComparedRun;
use seekscope_core::compare::digest;
use seekscope_core::measure::Window;
use seekscope_core::notes::{TracePaths, assign};
use seekscope_texts::notes::read_notes;
use std::fs;
use std::path::{Path, PathBuf};

/// Reads the recording and the notes of a folder as a run.
pub fn read(folder: &Path) -> Result<ComparedRun, String> {
    let mut paths: Vec<PathBuf> = list(folder)?
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let is_trace = |path: &PathBuf| path.to_string_lossy().contains(".blktrace.");
    let (traces, texts): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(is_trace);
    let contents =
        |path: &PathBuf| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let files = traces.iter().map(contents).collect::<Result<Vec<_>, _>>()?;
    let name = |path: &PathBuf| {
        path.file_name()
            .map_or(String::new(), |name| name.to_string_lossy().into_owned())
    };
    let names: Vec<String> = traces.iter().map(name).collect();
    let parts: Vec<(&str, &[u8])> = names
        .iter()
        .map(String::as_str)
        .zip(files.iter().map(Vec::as_slice))
        .collect();
    let store = TraceBuilder::read("trace", &parts)
        .map_err(|error| format!("{}: {error:?}", folder.display()))?;
    let label = folder.to_string_lossy().into_owned();
    let owner = TracePaths {
        label: label.clone(),
        paths: traces
            .iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect(),
    };
    let read = |path: &PathBuf| Ok((path.to_string_lossy().into_owned(), contents(path)?));
    let texts = texts.iter().map(read).collect::<Result<Vec<_>, String>>()?;
    let texts: Vec<(&str, &[u8])> = texts
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    let facts = assign(&[owner], read_notes(&texts)).runs.swap_remove(0);
    Ok(ComparedRun {
        label,
        kernel: facts.kernel,
        trace: digest(&store, Window::WHOLE, None),
        bench: facts.bench,
        settings: facts.settings,
        ..ComparedRun::default()
    })
}

/// Paths of everything in a folder, in no order.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| Ok(entry.map_err(failed)?.path()))
        .collect()
}
