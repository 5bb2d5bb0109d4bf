//! The table of call paths: the share of the requests that two runs submitted by each.

use super::layout::ascii;
use crate::runs::digest::DeviceDigest;
use seekscope_measure::stacks::{StackSums, StacksUsed};
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::SortShort;

/// Rows of the table: those whose share changed most.
const MAX_ROWS: usize = 8;
/// Smallest share of the requests, in either run, that has a row.
const MIN_SHARE: f64 = 0.005;
const CELL: usize = 11;
const NAME: usize = 72 - 2 * CELL;
/// Characters of a path, with two blanks before it and one behind.
const SHOWN: usize = NAME - 3;

/// Share of the requests of each path in both runs, the largest change first; empty unless both
/// have call stacks with names.
pub fn table(devices: &[&DeviceDigest; 2], [a, b]: &[String; 2]) -> Vec<String> {
    let [Some(first), Some(second)] = devices.map(|device| device.stacks.as_ref()) else {
        return Vec::new();
    };
    // Addresses differ from boot to boot.
    let is_named = |used: &StacksUsed| !used.has_addresses && !used.paths.is_empty();
    if !is_named(first) || !is_named(second) {
        return Vec::new();
    }
    let head = row_of(
        "Call paths",
        &format!("{a} requests"),
        &format!("{b} requests"),
    );
    let rows = changes(first, second);
    let rows = rows
        .iter()
        .map(|(path, shares)| row(&shortened(path), *shares));
    let unknown = [first, second].map(|used| share(&used.unknown, used));
    let unknown = (unknown != [0.0, 0.0]).then(|| row("  unknown", unknown));
    std::iter::once(head).chain(rows).chain(unknown).collect()
}

fn share(sums: &StackSums, used: &StacksUsed) -> f64 {
    sums.requests as f64 / used.all.requests.max(1) as f64
}

/// The paths of either run with their shares in both, the largest difference first.
fn changes<'a>(first: &'a StacksUsed, second: &'a StacksUsed) -> Vec<(&'a str, [f64; 2])> {
    let mut list: Vec<(&str, [f64; 2])> = Vec::new();
    for (i, used) in [first, second].into_iter().enumerate() {
        for path in &used.paths {
            let share = share(&path.sums, used);
            match list.iter_mut().find(|(name, _)| *name == path.path) {
                Some((_, shares)) => shares[i] = share,
                None => {
                    let mut shares = [0.0; 2];
                    shares[i] = share;
                    list.push((&path.path, shares));
                }
            }
        }
    }
    list.retain(|(_, [a, b])| a.max(*b) >= MIN_SHARE);
    list.sort_short_by(|(_, x), (_, y)| {
        let change = |shares: &[f64; 2]| (shares[1] - shares[0]).abs();
        let largest = |shares: &[f64; 2]| shares[0].max(shares[1]);
        let changes = change(y).total_cmp(&change(x));
        changes.then(largest(y).total_cmp(&largest(x)))
    });
    list.truncate(MAX_ROWS);
    list
}

fn row(name: &str, shares: [f64; 2]) -> String {
    let [a, b] = shares.map(|share| Unit::Share.write(share));
    row_of(name, &a, &b)
}

fn row_of(name: &str, a: &str, b: &str) -> String {
    format!("{name:<NAME$}{a:>CELL$}{b:>CELL$}")
}

/// Both ends of a path: the call, and the function that is nearest to the device.
fn shortened(path: &str) -> String {
    let path = ascii(path);
    if path.len() <= SHOWN {
        return format!("  {path}");
    }
    let half = (SHOWN - 3) / 2;
    format!("  {}...{}", &path[..half], &path[path.len() - half..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_measure::stacks::StackPath;

    fn digest(paths: &[(&str, u64)]) -> DeviceDigest {
        let sums = |requests| StackSums {
            requests,
            ..StackSums::default()
        };
        DeviceDigest {
            stacks: Some(StacksUsed {
                paths: paths
                    .iter()
                    .map(|(path, n)| StackPath {
                        path: (*path).to_owned(),
                        sums: sums(*n),
                    })
                    .collect(),
                all: sums(100),
                ..StacksUsed::default()
            }),
            ..DeviceDigest::default()
        }
    }

    #[test]
    fn paths_whose_share_changed_most_are_first() {
        let a = digest(&[("read() > a", 80), ("fsync() > b", 20)]);
        let b = digest(&[("read() > a", 75), (&"x".repeat(200), 25)]);
        let lines = table(&[&a, &b], &["A".to_owned(), "B".to_owned()]);
        assert_eq!(lines.len(), 4);
        assert!(lines[1].contains("xxx...xxx"));
        assert!(lines[2].contains("fsync() > b") && lines[3].contains("read() > a"));
        assert!(lines.iter().all(|line| line.len() == 72), "{lines:?}");
        assert!(table(&[&a, &DeviceDigest::default()], &Default::default()).is_empty());
    }
}
