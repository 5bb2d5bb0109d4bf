//! Checks the findings against recordings whose cause is known: `cargo run --release -p
//! seekscope-trial -- FOLDER`.
//!
//! `FOLDER/TRUTH.tsv` has a header and a row per cause: its name, the folder of the baseline, that
//! of the changed variant, the true cause in words, and the expected codes, separated by commas. A
//! variant's folder has a folder per repeat, each with one recording and its notes.
//!
//! `bisect FOLDER` bisects histories that are made of the same recordings, `gains FOLDER` checks
//! the bounds that are printed with findings.

mod bisect;
mod coverage;
mod gains;
mod recording;
mod table;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let printed = match words[..] {
        [folder] => table::print(Path::new(folder)),
        ["bisect", folder] => bisect::print(Path::new(folder)),
        ["gains", folder] => gains::print(Path::new(folder)),
        _ => {
            eprintln!("usage: seekscope-trial [bisect|gains] FOLDER");
            return ExitCode::from(2);
        }
    };
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
