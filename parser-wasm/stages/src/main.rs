//! Times each stage of reading and measuring a recording: `cargo run --release -p seekscope-stages -- FOLDER [RUNS]`.
//!
//! `FOLDER` has the files of one trace of blktrace. `npm run bench -- --stages` runs it on generated recordings.

mod answers;
mod recording;
mod stages;

use recording::Recording;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: seekscope-stages FOLDER [RUNS]");
        return ExitCode::from(2);
    };
    let runs = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(3);
    match Recording::find(Path::new(&folder)).and_then(|recording| stages::time(&recording, runs)) {
        Ok(timings) => {
            println!("{}", timings.json());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
