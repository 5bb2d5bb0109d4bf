//! Times each stage of reading and measuring a recording: `cargo run --release -p seekscope-stages -- FOLDER [RUNS]`.
//!
//! `seekscope-stages growth AXIS SIZE EVENTS` times one size of what `npm run bench -- --growth` makes larger and larger.
//!
//! `seekscope-stages sections FOLDER WORKERS` times the sections in which several workers would read it.
//!
//! `FOLDER` has the files of one trace of blktrace. `npm run bench -- --stages` runs it on generated recordings.

mod answers;
mod growth;
mod recording;
mod sections;
mod stages;

use recording::Recording;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: seekscope-stages FOLDER [RUNS] | growth AXIS SIZE EVENTS | sections FOLDER WORKERS");
        return ExitCode::from(2);
    };
    let answer = if folder == "growth" {
        let axis = arguments.next().unwrap_or_default();
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
        let (size, events) = (number(), number());
        growth::grow(&axis, size, events)
    } else if folder == "sections" {
        let folder = arguments.next().unwrap_or_default();
        let workers = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(2);
        sections::time_sections(Path::new(&folder), workers)
    } else {
        let runs = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(3);
        Recording::find(Path::new(&folder)).and_then(|recording| stages::time(&recording, runs)).map(|timings| timings.json())
    };
    match answer {
        Ok(document) => {
            println!("{document}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
