//! Marks of failed requests in large snapshots.

use super::contents::{Numbers, StoredFailures};
use super::size::SnapshotSize;
use seekscope_plot::{FailureMarks, words_of};
use serde_json::Number;

/// Marks of a picture; `None` in sizes without any.
pub fn room(size: SnapshotSize) -> Option<usize> {
    match size {
        SnapshotSize::XS | SnapshotSize::S | SnapshotSize::M => None,
        SnapshotSize::L => Some(64),
        SnapshotSize::File => Some(2000),
    }
}

fn float(number: Option<&Option<Number>>) -> f64 {
    number
        .and_then(Option::as_ref)
        .and_then(Number::as_f64)
        .unwrap_or(f64::NAN)
}

fn whole(number: Option<&Option<Number>>) -> u32 {
    float(number) as u32
}

impl StoredFailures {
    /// Thins the marks to at most `room`, evenly over all.
    #[must_use]
    pub fn within(self, room: usize) -> StoredFailures {
        let each = self.at.len().div_ceil(room.max(1)).max(1);
        let thin = |list: Numbers| list.into_iter().step_by(each).collect();
        StoredFailures {
            n: self.n,
            at: thin(self.at),
            sector: thin(self.sector),
            sectors: thin(self.sectors),
            errno: thin(self.errno),
            count: thin(self.count),
            took: thin(self.took),
        }
    }

    fn total(&self, marks: &[usize]) -> u64 {
        marks
            .iter()
            .map(|&i| u64::from(whole(self.count.get(i))))
            .sum()
    }

    /// Answers `failures`. Of a part of the picture's range the number is only known if all marks
    /// are stored.
    pub fn answer(&self, (t0, t1): (f64, f64), picture: (f64, f64)) -> Option<FailureMarks> {
        let all: Vec<usize> = (0..self.at.len()).collect();
        let time = |i: &usize| float(self.at.get(*i));
        let shown = |i: &usize| time(i) >= t0 && (time(i) < t1 || t1 >= picture.1 && time(i) <= t1);
        let marks: Vec<usize> = all.iter().copied().filter(shown).collect();
        let stored = self.n.as_ref().and_then(Number::as_u64).unwrap_or(0);
        let n = match (
            t0 <= picture.0 && t1 >= picture.1,
            self.total(&all) == stored,
        ) {
            (true, _) => stored,
            (false, true) => self.total(&marks),
            (false, false) => return None,
        };
        let floats =
            |list: &Numbers| -> Vec<f64> { marks.iter().map(|&i| float(list.get(i))).collect() };
        let wholes =
            |list: &Numbers| -> Vec<u32> { marks.iter().map(|&i| whole(list.get(i))).collect() };
        let errno = wholes(&self.errno);
        Some(FailureMarks {
            n: n as f64,
            errors: words_of(&errno),
            at: floats(&self.at),
            took: floats(&self.took),
            sector: floats(&self.sector),
            sectors: floats(&self.sectors),
            errno,
            count: wholes(&self.count),
        })
    }
}
