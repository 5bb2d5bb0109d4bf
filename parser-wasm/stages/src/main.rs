//! Times each stage of reading and measuring a recording: `cargo run --release -p seekscope-stages
//! -- FOLDER [RUNS]`.
//!
//! `seekscope-stages growth AXIS SIZE EVENTS` times one size of what `npm run bench -- growth`
//! makes larger and larger.
//!
//! `seekscope-stages answers FOLDER|EVENTS [RUNS]` times the queries of the page, in ms: on a
//! recording, or on a made one of so many events.
//!
//! `FOLDER` has the files of one trace of blktrace. `npm run bench -- stages` runs it on
//! generated recordings.

mod answers;
mod growth;
mod passes;
mod recording;
mod stages;

use recording::Recording;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!(
            "usage: seekscope-stages FOLDER [RUNS] | answers FOLDER|EVENTS [RUNS] | growth AXIS \
                SIZE EVENTS"
        );
        return ExitCode::from(2);
    };
    let answer = if folder == "growth" {
        let axis = arguments.next().unwrap_or_default();
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
        let (size, events) = (number(), number());
        growth::grow(&axis, size, events)
    } else if folder == "answers" {
        let folder = arguments.next().unwrap_or_default();
        let runs = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(3);
        time_answers(&folder, runs)
    } else {
        let runs = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(3);
        Recording::find(Path::new(&folder))
            .and_then(|recording| stages::time(&recording, runs))
            .map(|timings| timings.json())
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

/// Times the queries of the page: `[[query, first, again]]`, ms.
fn time_answers(recording: &str, runs: usize) -> Result<serde_json::Value, String> {
    let store = match recording.parse() {
        Ok(events) => growth::made(events)?,
        Err(_) => passes::store(&Recording::find(Path::new(recording))?)?
            .finish()
            .map_err(|error| error.to_string())?,
    };
    let rows = answers::time(&store, runs)?;
    rows.iter()
        .for_each(|row| eprintln!("{:<48}{:>10.1}{:>10.1}", row.name, row.first, row.again));
    Ok(rows
        .iter()
        .map(|row| serde_json::json!([row.name, row.first, row.again]))
        .collect())
}
