//! Long runs of lines of one form: rows of a dump, words of a list.

use crate::line::Line;

/// Lines of a run that are tried before the others are passed over.
const MIN_BEFORE: usize = 16;
/// Lines at the end of a run that are tried, too: readers look so far ahead where they do not know
/// the first line.
const MIN_AFTER: usize = 8;

/// Finds lines within a run of lines of one form. All readers are asked at each line that nothing
/// has taken; if many lines of one form have begun nothing, the next one does neither.
#[derive(Default)]
pub struct Alike {
    /// For each line, the number of lines of its form that end with it, and that begin with it.
    runs: Vec<(u16, u16)>,
}

impl Alike {
    pub fn new(lines: &[Line]) -> Alike {
        let forms: Vec<u32> = lines.iter().map(|line| form(line.text())).collect();
        let mut runs = vec![(1u16, 1u16); forms.len()];
        for index in 1..forms.len() {
            if forms[index] == forms[index - 1] {
                runs[index].0 = runs[index - 1].0.saturating_add(1);
            }
        }
        for index in (1..forms.len()).rev() {
            if forms[index] == forms[index - 1] {
                runs[index - 1].1 = runs[index].1.saturating_add(1);
            }
        }
        Alike { runs }
    }

    /// Whether a line is within a run, and the lines of this form above it are behind the last
    /// block.
    pub fn is_within(&self, index: usize, behind: usize) -> bool {
        let (before, after) = self.runs[index];
        usize::from(before) > MIN_BEFORE
            && usize::from(after) > MIN_AFTER
            && index >= behind + MIN_BEFORE
    }
}

/// A number for the form of a line: its marks, and where words and numbers are between them.
fn form(text: &str) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    let mut previous = 0;
    for byte in text.bytes() {
        let class = match byte {
            b'0'..=b'9' => b'0',
            b'a'..=b'z' | b'A'..=b'Z' | 128.. => b'a',
            mark => mark,
        };
        if class != previous {
            hash = (hash ^ u32::from(class)).wrapping_mul(0x0100_0193);
        }
        previous = class;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::blocks;
    use crate::transport;

    fn count(text: &str) -> usize {
        blocks(
            "text.txt",
            &transport::read(text.as_bytes()).expect("a text"),
        )
        .len()
    }

    #[test]
    fn lines_have_a_form() {
        assert_eq!(form("row12  1 2"), form("line3 512 71"));
        assert_ne!(form("row12 1 2"), form("row12 1"));
        assert_ne!(form("a: 12"), form("a= 12"));
    }

    #[test]
    fn outputs_of_one_form_are_all_read() {
        let outputs: String = (1..60)
            .map(|i| format!("{i}048576000 bytes (1.0 GB) copied, {i}.5 s, 131 MB/s\n"))
            .collect();
        assert_eq!(count(&outputs), 59);
    }

    #[test]
    fn what_stands_at_the_ends_of_a_run_is_read() {
        let rows: String = (0..60).map(|i| format!("row{i} {i}\n")).collect();
        let output = "1048576000 bytes (1.0 GB) copied, 8.5 s, 131 MB/s\n";
        assert_eq!(count(&format!("{output}{rows}{output}{rows}{output}")), 3);
    }
}
