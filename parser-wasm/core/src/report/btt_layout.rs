//! Layout of btt's tables.

use crate::event::DeviceNumber;

/// The lines of a table.
pub type TableLines = Vec<String>;

/// ns per second.
pub const SECOND: f64 = 1e9;

/// A titled section.
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

/// The header above the figures of all devices.
pub fn overall([head, _]: [&str; 2]) -> String {
    head.replacen("    DEV", "Overall", 1)
}
