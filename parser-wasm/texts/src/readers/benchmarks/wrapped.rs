//! Outputs whose long lines a mailer has wrapped: read again with these lines joined, and kept if
//! that gives more figures.

use super::PLAIN;
use super::collect::is_border;
use crate::line::Line;
use crate::observation::Observation;
use crate::recognise::{Cursor, Output};
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// Limit for the lines that are joined.
const MAX_LINES: usize = 100;
/// Characters of lines as mailers wrap them. Blanks at their ends may be lost, or begin the next
/// line.
const MIN_WIDTH: usize = 72;
const MAX_WIDTH: usize = 80;
const MAX_BLANKS: usize = 10;
/// Blanks in front of rows that are indented.
const MIN_INDENT: usize = 4;

pub fn read(cursor: Cursor) -> Option<Output> {
    let plain = PLAIN.iter().find_map(|read| read(cursor));
    if plain.is_none() && !is_head(cursor.text(0)) {
        return None;
    }
    let begin = plain.as_ref().map_or(cursor.start + 1, |output| output.end);
    let longer = joined(cursor, begin).filter(|output| {
        plain
            .as_ref()
            .is_none_or(|plain| has_more(&output.observations, &plain.observations))
    });
    longer.or(plain)
}

/// Whether figures are others and more: joining lines that were not wrapped may give the same
/// figure twice, or another one for it.
fn has_more(figures: &[Observation], others: &[Observation]) -> bool {
    let key = |figure: &Observation| {
        let dimensions = figure.dimensions.clone();
        (figure.metric.key.clone(), dimensions, figure.repeat.clone())
    };
    let keys: BTreeSet<_> = set_of(figures.iter().map(key));
    let has_all = others.iter().all(|other| figures.contains(other));
    has_all && keys.len() == figures.len() && figures.len() > others.len()
}

/// Whether an output begins that is not recognised where its first lines are wrapped.
fn is_head(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with("Iozone: ") || text.starts_with("stress-ng: ") {
        return true;
    }
    // The first headings of iozone, cut in front of `bkwd`.
    if text.starts_with("random") && text.split_whitespace().all(|word| word == "random") {
        return true;
    }
    let long = (MIN_WIDTH - 16..=MAX_WIDTH).contains(&text.len());
    long && (text.starts_with("Throughput ")
        || text.starts_with("Benchmark")
        || text.starts_with("Version ") && text.contains("--Sequential ")
        || text.contains(" reclen ")
        || text.contains("bkwd")
        || text.contains("ops/s "))
}

/// The output that is read with wrapped lines joined, up to the first title behind a line.
fn joined(cursor: Cursor, begin: usize) -> Option<Output> {
    let source = cursor.lines.get(cursor.start..)?;
    let source = source.get(..MAX_LINES).unwrap_or(source);
    // Most texts are not wrapped, and need no copy.
    let width = |line: &Line| line.text().trim_end().len();
    let wrapped = |pair: &[Line]| is_cut(&pair[0], width(&pair[0]), &pair[1]);
    if !source.windows(2).any(wrapped) {
        return None;
    }
    let mut lines: Vec<Line> = Vec::new();
    // For each joined line, the line behind it.
    let mut ends: Vec<usize> = Vec::new();
    let mut index = 0;
    while let Some(line) = source.get(index) {
        if cursor.start + index >= begin && is_end(line.text()) {
            break;
        }
        let mut line = line.clone();
        let mut width = width(&line);
        while let Some(next) = source
            .get(index + 1)
            .filter(|next| is_cut(&line, width, next))
        {
            line = line.joined(next);
            width = next.text().trim_end().len();
            index += 1;
        }
        index += 1;
        lines.push(line);
        ends.push(cursor.start + index);
    }
    let inner = Cursor {
        lines: &lines,
        start: 0,
        ..cursor
    };
    let mut output = PLAIN.iter().find_map(|read| read(inner))?;
    output.end = *ends.get(output.end.checked_sub(1)?)?;
    Some(output)
}

/// Whether an output cannot go on with this line. `--Seeks--` of bonnie++ and the bounds of
/// filebench in brackets look like titles.
fn is_end(text: &str) -> bool {
    let text = text.trim_start();
    let bounds = text.starts_with('[') && text.contains(" - ");
    is_border(text) && !bounds && !text.starts_with("--") && !text.starts_with("stress-ng: ")
}

/// Whether a line was cut because the first word of the next one did not fit. Lines that begin
/// with the same word are rows.
fn is_cut(line: &Line, width: usize, next: &Line) -> bool {
    let Some(word) = next.text().split_whitespace().next() else {
        return false;
    };
    let front = line.text().split_whitespace().next();
    let text = next.text();
    let indent_of = |text: &str| text.len() - text.trim_start().len();
    let indent = indent_of(text);
    // Rows below indented headings are indented, too; the rest of a line has few blanks in front.
    let is_row = indent >= MIN_INDENT && indent_of(line.text()) >= MIN_INDENT;
    let full = width + MAX_BLANKS + word.len() > MIN_WIDTH;
    let separate = indent >= MAX_BLANKS || is_row || front == Some(word) || is_end(text);
    width <= MAX_WIDTH && full && !separate
}

#[cfg(test)]
mod tests {
    use super::super::collect::testing::{figures, outputs};
    use super::*;

    const STRESS: &str = "\
stress-ng: metrc: [8149] stressor       bogo ops real time  usr time
sys time   bogo ops/s     bogo ops/s
stress-ng: metrc: [8149]                           (secs)    (secs)
(secs)   (real time) (usr+sys time)
stress-ng: metrc: [8149] hdd               12878      3.25      0.50
0.75      4261.5       22517.5
";

    const BONNIE: &str = "\
Version  1.97       ------Sequential Output------ --Sequential Input-
--Random-
Concurrency   1     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block--
--Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP
/sec %CP
box             16G   812  97 101233  12 44012   8  1822  94 142311   9
312.5   9
Latency             15083us     203ms    1193ms   32215us     110ms
365ms
";

    #[test]
    fn wrapped_lines_are_joined() {
        assert_eq!(figures(read, STRESS).len(), 6);
        let found = figures(read, BONNIE);
        assert_eq!(found.len(), 18);
        assert!(found.contains(&"machine=box size=16G op=seeks latency.max 365000000".to_owned()));
        let both = outputs(read, &format!("old:\n{BONNIE}\nnew:\n{BONNIE}"));
        assert_eq!(both.len(), 2);
        assert_eq!(both[1].end, 23);
        let dbench = "Throughput 461.5 MB/sec (sync open)  32 clients  32 procs\n\
            max_latency=1872.5 ms\n";
        assert_eq!(
            figures(read, dbench),
            [
                "clients=32 rate 461500000",
                "clients=32 latency.max 1872500000"
            ]
        );
    }

    #[test]
    fn rows_are_no_rest_of_headings() {
        let iozone = r"5.10:
                                                    random    random
bkwd    record    stride
              kB  reclen    write  rewrite    read    reread    read
write    read   rewrite      read   fwrite frewrite    fread  freread
         4194304    1024   412034   421001   812034   820113   512034
402034   500021   430021    491203   410021   420014   800012   810034
";
        let found = figures(read, iozone);
        assert_eq!(found.len(), 13, "{found:#?}");
        let last = "size=4194304 reclen=1024 op=freread rate 829474800";
        assert!(found.contains(&last.to_owned()), "{found:#?}");
    }

    #[test]
    fn outputs_stay_apart() {
        let other = STRESS.replace("3.25", "4.25");
        let text = format!("old:\n\n{STRESS}\nnew:\n\n{other}");
        let ends: Vec<usize> = outputs(read, &text)
            .iter()
            .map(|output| output.end)
            .collect();
        assert_eq!(ends, [8, 17]);
        let rows = "\
statfile1            32984ops      550ops/s   0.0mb/s    0.010ms/op
[0.001ms - 1.900ms]
closefile1           32984ops      550ops/s   0.0mb/s    0.010ms/op
[0.001ms - 2.900ms]
";
        let read_rows = outputs(read, rows);
        assert_eq!((read_rows.len(), read_rows[0].observations.len()), (1, 10));
    }

    #[test]
    fn a_title_is_not_the_end_of_a_line() {
        let line = "32 MiB, 8192 ops; 0.5000 sec (64.000 MiB/sec and 16384.00000 ops/sec)";
        let text = format!("wrote 4096/4096 bytes at offset 0\n{line}\nxfs:\n{line}\n");
        let ends: Vec<usize> = outputs(read, &text)
            .iter()
            .map(|output| output.end)
            .collect();
        assert_eq!(ends, [2, 4]);
    }
}
