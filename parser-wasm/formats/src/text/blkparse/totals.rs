//! blkparse's closing figures, to hold them against the events of the same text.

use crate::text::scan::Scan;
use seekscope_trace::event::Action;
use std::collections::BTreeSet;

/// Devices and CPUs whose figures are kept.
const MAX_BLOCKS: usize = 4096;

/// Events of an action and direction: blkparse's word for them.
const FIGURES: [(&[u8], Action, bool, &str); 6] = [
    (b"Reads Queued:", Action::Queue, false, "reads queued"),
    (b"Writes Queued:", Action::Queue, true, "writes queued"),
    (
        b"Read Dispatches:",
        Action::Issue,
        false,
        "reads dispatched",
    ),
    (
        b"Write Dispatches:",
        Action::Issue,
        true,
        "writes dispatched",
    ),
    (
        b"Reads Completed:",
        Action::Complete,
        false,
        "reads completed",
    ),
    (
        b"Writes Completed:",
        Action::Complete,
        true,
        "writes completed",
    ),
];

/// A count that closing figures have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosingCount {
    pub action: Action,
    pub is_write: bool,
    pub count: u64,
    /// `writes queued`
    pub words: &'static str,
}

/// The closing figures of a text, summed up over devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosingTotals {
    /// Place of the first of their lines: number from 1, and byte.
    pub place: Option<(u64, u64)>,
    /// Of the totals, else of the CPUs.
    totals: [Option<u64>; 6],
    cpus: [Option<u64>; 6],
    /// CPUs that have figures.
    listed: BTreeSet<u32>,
    is_total: bool,
    blocks: usize,
    /// A number was shortened to thousands.
    is_rounded: bool,
}

impl ClosingTotals {
    /// Takes a line of closing figures or the heading above them.
    pub fn line(&mut self, line: &[u8], place: (u64, u64)) {
        let text = line.trim_ascii();
        if let Some(rest) = text.strip_prefix(b"CPU") {
            self.is_total = false;
            self.blocks += 1;
            if let Some(cpu) = Scan(rest).small()
                && self.blocks < MAX_BLOCKS
            {
                self.listed.insert(cpu);
            }
        } else if text.starts_with(b"Total (") {
            self.is_total = true;
        } else if self.blocks > 0 || self.is_total {
            // What stands above the first heading counts the events of processes (`blkparse -s`).
            self.figures(text, place);
        }
    }

    fn figures(&mut self, text: &[u8], place: (u64, u64)) {
        for (i, (word, ..)) in FIGURES.iter().enumerate() {
            // Passthrough has a line of its own: `PC Reads Queued:`.
            let Some(start) =
                memchr::memmem::find(text, word).filter(|_| !text.starts_with(b"PC "))
            else {
                continue;
            };
            let Some((count, is_rounded)) = number(text[start + word.len()..].trim_ascii_start())
            else {
                continue;
            };
            self.place.get_or_insert(place);
            self.is_rounded |= is_rounded;
            let sums = match self.is_total {
                true => &mut self.totals,
                false => &mut self.cpus,
            };
            sums[i] = Some(sums[i].unwrap_or(0).saturating_add(count));
        }
    }

    /// The counts that can be held against events; none where numbers are rounded.
    pub fn counts(&self) -> Vec<ClosingCount> {
        let sums = if self.has_total() {
            &self.totals
        } else {
            &self.cpus
        };
        let count = |(sum, figure): (&Option<u64>, &(&[u8], Action, bool, &'static str))| {
            let &(_, action, is_write, words) = figure;
            let count = (*sum)?;
            Some(ClosingCount {
                action,
                is_write,
                count,
                words,
            })
        };
        let counts = sums.iter().zip(&FIGURES).filter_map(count);
        counts.filter(|_| !self.is_rounded).collect()
    }

    fn has_total(&self) -> bool {
        self.totals.iter().any(Option::is_some)
    }

    /// Whether they count the events of a CPU.
    pub fn has_cpu(&self, cpu: u32) -> bool {
        self.has_total() || self.listed.contains(&cpu)
    }
}

/// A number with or without separators of thousands, up to the comma before the size; whether it is
/// in thousands.
fn number(text: &[u8]) -> Option<(u64, bool)> {
    let mut value = 0u64;
    let mut digits = 0;
    for (i, byte) in text.iter().enumerate() {
        let next_is_digit = text.get(i + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'0'..=b'9' => {
                value = value.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
                digits += 1;
            }
            b',' | b'.' | b'\'' if next_is_digit => {}
            b'K' | b'M' | b'G' => return (digits > 0).then_some((value, true)),
            _ => break,
        }
    }
    (digits > 0).then_some((value, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Vec<(&'static str, u64)> {
        let mut totals = ClosingTotals::default();
        for (i, line) in text.lines().enumerate() {
            totals.line(line.as_bytes(), (i as u64 + 1, 0));
        }
        let words = |count: &ClosingCount| (count.words, count.count);
        totals.counts().iter().map(words).collect()
    }

    #[test]
    fn totals_else_sums_of_cpus() {
        let cpus = "CPU0 (sda):\n Reads Queued:           1,        4KiB\t Writes Queued:       8,763,  352,192KiB\n\
                    CPU1 (sda):\n Reads Queued:           2,        8KiB\t Writes Queued:           1,        4KiB\n";
        assert_eq!(counts(cpus), [("reads queued", 3), ("writes queued", 8764)]);
        let total =
            format!("{cpus}\nTotal (sda):\n Reads Queued: 3, 12KiB Writes Queued: 8765, 1KiB\n");
        assert_eq!(
            counts(&total),
            [("reads queued", 3), ("writes queued", 8765)]
        );
        let two = format!("{total}Total (sdb):\n Reads Queued: 4, 12KiB Writes Queued: 5, 1KiB\n");
        assert_eq!(counts(&two), [("reads queued", 7), ("writes queued", 8770)]);
        assert_eq!(
            counts(
                "Total (sda):\n Reads Completed:     1002K,   12MiB Writes Completed: 1, 1KiB\n"
            ),
            []
        );
        assert_eq!(
            counts("CPU0 (sda):\n PC Reads Queued:   3,  0KiB  PC Writes Queued:   4,  0KiB\n"),
            []
        );
    }
}
