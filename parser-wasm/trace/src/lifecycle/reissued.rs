//! Requests that the driver was given again, in recordings without R.
//!
//! A busy driver hands a request back and gets it again later. With R masked out, the same issue
//! (sector, bytes, operation) occurs two or more times, and one completion. Two processes may also
//! issue the same at once, and then both complete; so what an issue was is decided at the end of
//! the trace: where fewer completions than equal issues were seen, each completion belongs to the
//! last issue before it, and the issues that are left over were repeated by the next one.

use crate::sorting::SortShort;
use crate::store::{EndedUnseen, Requests, StoredRequest};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Issues that were made while an equal one was in flight.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RepeatedIssues {
    /// Row of the issue, and that of an equal one in flight.
    pairs: Vec<(u32, u32)>,
    displaced: FxHashSet<u32>,
}

/// What the repeated issues of a device turned out to be.
#[derive(Clone, Debug, Default)]
pub struct Reissued {
    /// Rows that are part of another row.
    pub removed: Vec<u32>,
    /// The times of these issues, when they stop counting as in flight: the next one stands for
    /// them.
    pub ended: EndedUnseen,
    /// Issues that were requests without a bio after all.
    pub without_bio: u64,
}

impl RepeatedIssues {
    pub fn note(&mut self, before: u32, row: u32) {
        self.pairs.push((row, before));
    }

    /// A request that was dropped because too many are equal.
    pub fn displaced(&mut self, row: u32) {
        if !self.pairs.is_empty() {
            self.displaced.insert(row);
        }
    }

    pub fn any(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Replaces each row number, when the rows move to another store.
    pub fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        self.pairs
            .iter_mut()
            .for_each(|pair| *pair = (number(pair.0), number(pair.1)));
        self.displaced = self.displaced.iter().map(|row| number(*row)).collect();
    }

    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Decides at the end of the trace, and corrects the rows that remain.
    pub fn resolve(&self, requests: &mut Requests) -> Reissued {
        let mut found = Reissued::default();
        let mut of_row: FxHashMap<u32, usize> = FxHashMap::default();
        let mut chains: Vec<Vec<u32>> = Vec::new();
        for &(row, before) in &self.pairs {
            let chain = *of_row.entry(before).or_insert_with(|| {
                chains.push(vec![before]);
                chains.len() - 1
            });
            of_row.insert(row, chain);
            chains[chain].push(row);
        }
        for chain in &chains {
            found.resolve_chain(chain, &self.displaced, requests);
        }
        found
    }
}

impl Reissued {
    fn resolve_chain(
        &mut self,
        chain: &[u32],
        displaced: &FxHashSet<u32>,
        requests: &mut Requests,
    ) {
        let rows: Vec<(u32, StoredRequest)> = chain
            .iter()
            .map(|&row| (row, requests.stored(row as usize)))
            .collect();
        if rows.iter().all(|(_, row)| row.completed.is_some()) {
            self.without_bio += rows.iter().skip(1).filter(|(_, row)| row.bios == 0).count() as u64;
            return;
        }
        let mut completions: Vec<(u64, u32, i16)> = rows
            .iter()
            .filter_map(|(_, row)| Some((row.completed?, row.complete_cpu, row.error)))
            .collect();
        completions.sort_short();
        let mut completions = completions.into_iter().peekable();
        // Issues without a completion so far, and the completion of the others.
        let mut open: Vec<usize> = Vec::new();
        let mut ends: Vec<Option<(u64, u32, i16)>> = vec![None; rows.len()];
        for (i, (_, row)) in rows.iter().enumerate() {
            while let Some(end) = completions.next_if(|end| end.0 < row.start) {
                open.pop().map(|issue| ends[issue].replace(end));
            }
            open.push(i);
        }
        for end in completions {
            open.pop().map(|issue| ends[issue].replace(end));
        }
        let mut before: Option<StoredRequest> = None;
        for (i, (number, row)) in rows.iter().enumerate() {
            let last = i + 1 == rows.len();
            if ends[i].is_none() && !last && !displaced.contains(number) {
                self.removed.push(*number);
                self.ended.entry(row.start).or_default().0 += 1;
                // The bios belong to the first issue.
                before = before.filter(|b| b.bios > 0).or(Some(*row));
                continue;
            }
            let (completed, complete_cpu, error) =
                ends[i].map_or((None, 0, 0), |(time, cpu, error)| (Some(time), cpu, error));
            let mut row_left = StoredRequest {
                completed,
                complete_cpu,
                error,
                ..*row
            };
            if let Some(first) = before.take() {
                row_left.requeued = true;
                if row_left.bios == 0 && first.bios > 0 {
                    let StoredRequest {
                        queued,
                        allocated,
                        inserted,
                        process,
                        submit_cpu,
                        bios,
                        ..
                    } = first;
                    row_left = StoredRequest {
                        queued,
                        allocated,
                        inserted,
                        process,
                        submit_cpu,
                        bios,
                        ..row_left
                    };
                }
            }
            requests.replace(*number as usize, &row_left);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::store;
    use crate::store::Store;

    /// Start, completion and whether it was requeued, of a request.
    type Row = (u64, Option<u64>, bool);

    /// The mean number of requests in flight until the last event, from the effects of the events.
    fn mean_depth(store: &Store) -> f64 {
        let (mut area, mut depth) = (0, 0);
        for i in 1..store.events.len() {
            depth += i64::from(store.events.effect(i - 1).depth);
            area += depth * (store.events.time(i) - store.events.time(i - 1)) as i64;
        }
        area as f64 / store.span() as f64
    }

    /// (start, completed, requeued) of all rows, mean depth, re-issues and unmatched D.
    fn resolve_text(text: &str) -> (Vec<Row>, f64, u64, u64) {
        let s = store(text);
        let rows = (0..s.requests.len())
            .map(|i| s.requests.stored(i))
            .map(|r| (r.start, r.completed, r.requeued))
            .collect();
        (
            rows,
            mean_depth(&s),
            s.quality.reissued,
            s.quality.unmatched.d,
        )
    }

    #[test]
    fn the_last_of_equal_issues_is_the_one_that_completes() {
        let again = resolve_text("0 D 0+8\n10 D 0+8\n20 D 0+8\n30 C 0+8\n40 D 8+8\n50 C 8+8");
        assert_eq!(
            again,
            (
                vec![(20, Some(30), true), (40, Some(50), false)],
                20.0 / 50.0,
                2,
                0
            )
        );
        // The request keeps the bios of its first issue.
        let s = store("0 Q 0+8 W pid=7\n1 D 0+8 W pid=9\n10 D 0+8 W pid=9\n30 C 0+8");
        let row = s.requests.stored(0);
        assert_eq!(
            (
                s.requests.len(),
                row.start,
                row.queued,
                row.bios,
                s.quality.reissued
            ),
            (1, 10, Some(0), 1, 1)
        );
        assert_eq!(
            (s.quality.unmatched.d, s.processes[row.process as usize].pid),
            (0, 7)
        );
    }

    #[test]
    fn a_later_equal_request_does_not_get_the_completion_of_an_earlier_one() {
        let both = resolve_text("0 D 0+8\n10 D 0+8\n20 C 0+8\n100 D 0+8\n110 C 0+8");
        assert_eq!(
            both,
            (
                vec![(10, Some(20), true), (100, Some(110), false)],
                20.0 / 110.0,
                1,
                0
            )
        );
    }

    #[test]
    fn two_equal_requests_both_complete() {
        let two = resolve_text("0 D 0+8\n10 D 0+8\n20 C 0+8\n40 C 0+8");
        assert_eq!(
            two,
            (
                vec![(0, Some(20), false), (10, Some(40), false)],
                50.0 / 40.0,
                0,
                0
            )
        );
        // A different length or operation makes it another request.
        assert_eq!(resolve_text("0 D 0+8\n10 D 0+16\n20 C 0+8\n30 C 0+16").2, 0);
        assert_eq!(
            resolve_text("0 D 0+8 R\n10 D 0+8 W\n20 C 0+8 R\n30 C 16+8").2,
            0
        );
        // With R the trace itself shows what was handed back.
        assert_eq!(
            resolve_text("0 D 8+8\n1 R 8+8\n2 D 8+8\n3 C 8+8\n4 D 0+8\n10 D 0+8\n20 C 0+8").2,
            0
        );
    }

    /// Zone appends are issued at the start of their zone and complete where their data are.
    #[test]
    fn issues_that_complete_elsewhere_are_not_repeated() {
        let appends = resolve_text(
            "0 D 0+8\n10 C 0+8\n20 D 0+8\n30 C 8+8\n40 D 0+8\n50 C 16+8\n60 D 0+8\n70 C 24+8",
        );
        assert_eq!((appends.0.len(), appends.2, appends.3), (4, 0, 3));
    }

    #[test]
    fn an_equal_issue_without_a_bio_stays_unmatched_when_both_complete() {
        let s = store("0 Q 0+8\n1 D 0+8\n2 D 0+8\n3 C 0+8\n4 C 0+8");
        assert_eq!(
            (s.quality.unmatched.d, s.quality.reissued, s.requests.len()),
            (1, 0, 2)
        );
    }
}
