//! Collects what is wrong with a file of counters: rows that are left out, and why.

/// Values that no tool counts, and lines that do not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CounterFaults {
    /// Rows with more or fewer values than their headings, and the line of the first.
    odd_rows: Option<(u64, usize)>,
    /// How many values are negative or too large, and the first line with one.
    out_of_range: Option<(u64, usize)>,
    /// Reports whose time is not after that of the report before.
    pub backwards: u64,
    /// Line of a last line without an end.
    pub cut_line: Option<usize>,
    /// The line that is read, from 1.
    pub line: usize,
}

impl CounterFaults {
    pub fn odd_row(&mut self) {
        self.odd_rows.get_or_insert((0, self.line)).0 += 1;
    }

    pub fn out_of_range(&mut self) {
        self.out_of_range.get_or_insert((0, self.line)).0 += 1;
    }

    /// The description for people; `None` if nothing is wrong.
    pub fn words(&self) -> Option<String> {
        let mut words = Vec::new();
        let counted = |n: u64, what: &str| {
            if n == 1 {
                format!("1 {what}")
            } else {
                format!("{n} {what}s")
            }
        };
        // The place is left out for JSON, which is not read by lines.
        let from = |line: usize| {
            if line == 0 {
                String::new()
            } else {
                format!(", from line {line} on")
            }
        };
        if let Some((rows, line)) = self.odd_rows {
            words.push(format!(
                "{} with other columns than the headings{}: output of several runs in one file, or \
                    wrapped lines",
                counted(rows, "row"),
                from(line)
            ));
        }
        if let Some((values, line)) = self.out_of_range {
            words.push(format!(
                "{} out of range{}",
                counted(values, "value"),
                from(line)
            ));
        }
        if self.backwards > 0 {
            words.push(format!(
                "{} whose time is before that of an earlier one: the clock was set, or there are \
                    several runs in one file",
                counted(self.backwards, "report")
            ));
        }
        if let Some(line) = self.cut_line {
            words.push(format!(
                "the last line ({line}), which has no end and may be cut"
            ));
        }
        (!words.is_empty()).then(|| format!("left out: {}", words.join("; ")))
    }
}

/// The complete lines of a text with their numbers from 1. A last line without an end may be cut
/// within a number.
pub fn complete_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = text.rfind('\n').map_or(0, |index| index + 1);
    (1..).zip(text[..end].lines().map(str::trim))
}

/// The number of a last line that has no end.
pub fn cut_line(text: &str) -> Option<usize> {
    let end = text.rfind('\n')? + 1;
    (!text[end..].trim().is_empty()).then(|| text[..end].lines().count() + 1)
}
