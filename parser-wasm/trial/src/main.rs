//! Checks the findings against recordings whose cause is known: `cargo run --release -p
//! seekscope-trial -- FOLDER`.
//!
//! `FOLDER/TRUTH.tsv` has a header and a row per cause: its name, the folder of the baseline, that
//! of the changed variant, the true cause in words, and the expected codes, separated by commas. A
//! variant's folder has a folder per repeat, each with one recording and its notes.

mod coverage;
mod recording;
mod table;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: seekscope-trial FOLDER");
        return ExitCode::from(2);
    };
    match table::print(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
