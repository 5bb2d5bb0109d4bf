//! The layout of btt's tables.

use seekscope_trace::event::DeviceNumber;
use seekscope_trace::store::StageTally;

/// The lines of a table, without its title.
pub type TableLines = Vec<String>;

/// Nanoseconds per second.
pub const SECOND: f64 = 1e9;

/// A title with the lines of a table below it.
pub fn section(title: &str, lines: &[String]) -> String {
    let bar = "=".repeat(20);
    format!("{bar} {title} {bar}\n\n{}\n\n", lines.join("\n"))
}

/// A device at the start of a row.
pub fn label(number: DeviceNumber) -> String {
    format!("({:3},{:3})", number.major(), number.minor())
}

/// Header, dashes, rows, and the closing rows below a second line of dashes.
pub fn table([head, dashes]: [&str; 2], rows: TableLines, closing: TableLines) -> TableLines {
    let mut lines = vec![head.to_owned(), dashes.to_owned()];
    lines.extend(rows);
    if !closing.is_empty() {
        lines.push(dashes.to_owned());
        lines.extend(closing);
    }
    lines
}

/// Minimum, mean, maximum and number of the samples of a stage; absent without samples.
pub fn stage_row(name: &str, tally: &StageTally) -> Option<String> {
    let StageTally { n, min, sum, max } = *tally;
    let seconds = |ns: f64| ns / SECOND;
    // The sum in seconds first, as in btt: a mean that ends in half a ns is rounded the same way.
    let mean = (n > 0).then(|| seconds(sum as f64) / n as f64)?;
    Some(format!(
        "{name:<15} {:13.9} {mean:13.9} {:13.9} {n:11}",
        seconds(min as f64),
        seconds(max as f64)
    ))
}

/// The header above the figures of all devices.
pub fn overall([head, _]: [&str; 2]) -> String {
    head.replacen("    DEV", "Overall", 1)
}
