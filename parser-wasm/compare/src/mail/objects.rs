//! The table of files and structures: what was requested of each in two runs.

use super::layout::ascii;
use crate::runs::digest::DeviceDigest;
use seekscope_measure::objects::{ObjectSums, ObjectsUsed};
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::SortShort;

/// Rows of the table: those with the most time in the device.
const MAX_ROWS: usize = 10;
const NAME: usize = 28;
const CELL: usize = 11;
/// Characters of a name, with two blanks before it and one behind.
const SHOWN: usize = NAME - 3;

/// What a row has of one run.
struct Cells {
    bytes: u64,
    /// Share of the time in the device.
    time: f64,
}

/// Bytes and share of the time in the device of each object, of both runs side by side; empty
/// unless both have a map of the disk.
pub fn table(devices: &[&DeviceDigest; 2], [a, b]: &[String; 2]) -> Vec<String> {
    let [Some(first), Some(second)] = devices.map(|device| device.objects.as_ref()) else {
        return Vec::new();
    };
    let names = names(first, second);
    let rows = names.iter().map(|name| {
        let [left, right] = [first, second].map(|used| named(used, name));
        row(&shortened(name), &left, &right)
    });
    let unknown = row("unknown", &unknown(first), &unknown(second));
    let titled = |side: &str, what: &str| format!("{side} {what}");
    let head = row_of(
        "Files and structures",
        [
            titled(a, "bytes"),
            titled(b, "bytes"),
            titled(a, "of D2C"),
            titled(b, "of D2C"),
        ],
    );
    std::iter::once(head).chain(rows).chain([unknown]).collect()
}

/// The objects of either run, those with the largest share of the time first.
fn names(first: &ObjectsUsed, second: &ObjectsUsed) -> Vec<String> {
    let mut shares: Vec<(f64, String)> = Vec::new();
    for used in [first, second] {
        for object in &used.top {
            let share = share(&object.sums, &used.all);
            match shares.iter_mut().find(|(_, name)| *name == object.name) {
                Some((largest, _)) => *largest = largest.max(share),
                None => shares.push((share, object.name.clone())),
            }
        }
    }
    shares.sort_short_by(|x, y| y.0.total_cmp(&x.0));
    shares.truncate(MAX_ROWS);
    shares.into_iter().map(|(_, name)| name).collect()
}

fn share(sums: &ObjectSums, all: &ObjectSums) -> f64 {
    sums.d2c_ns as f64 / all.d2c_ns.max(1) as f64
}

fn named(used: &ObjectsUsed, name: &str) -> Option<Cells> {
    let object = used.top.iter().find(|object| object.name == name)?;
    Some(cells(&object.sums, &used.all))
}

fn unknown(used: &ObjectsUsed) -> Option<Cells> {
    Some(cells(&used.unknown, &used.all))
}

fn cells(sums: &ObjectSums, all: &ObjectSums) -> Cells {
    Cells {
        bytes: sums.bytes(),
        time: share(sums, all),
    }
}

fn row(name: &str, a: &Option<Cells>, b: &Option<Cells>) -> String {
    let bytes = |cells: &Option<Cells>| match cells {
        Some(cells) => Unit::Bytes.write(cells.bytes as f64),
        None => "-".to_owned(),
    };
    let time = |cells: &Option<Cells>| match cells {
        Some(cells) => Unit::Share.write(cells.time),
        None => "-".to_owned(),
    };
    row_of(name, [bytes(a), bytes(b), time(a), time(b)])
}

fn row_of(name: &str, cells: [String; 4]) -> String {
    let cells: String = cells.iter().map(|cell| format!("{cell:>CELL$}")).collect();
    format!("{name:<NAME$}{cells}")
}

/// The end of a name, which tells files apart better than its beginning.
fn shortened(name: &str) -> String {
    let name = ascii(name);
    match name.len().checked_sub(SHOWN) {
        None | Some(0) => format!("  {name}"),
        Some(more) => format!("  ...{}", &name[more + 3..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_their_end_within_the_column() {
        for length in 1..60 {
            let name: String = ('a'..='z').cycle().take(length).collect();
            let short = shortened(&name);
            assert!(short.len() <= NAME, "{short}");
            assert!(
                short.ends_with(&name[length.saturating_sub(20)..]),
                "{short}"
            );
        }
    }
}
