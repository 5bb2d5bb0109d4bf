//! Requests that could be the parent of a range of sectors, and the decision between them.

use seekscope_trace::store::Store;

/// A request above that has sectors of the request below, in sectors of the latter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// Candidates of one group exclude each other where they overlap.
    pub group: u32,
    pub from: u64,
    pub to: u64,
    pub row: u32,
    /// Whether the last one wins: the data may have been kept meanwhile.
    pub is_late: bool,
}

/// What is known of the request below.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The task that its first event names.
    pub process: u32,
    pub completed: Option<u64>,
    /// Whether it has just been passed on by that task.
    pub is_now: bool,
}

/// The decision.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    pub chosen: Vec<Candidate>,
    /// Rows between which nothing decides.
    pub rivals: Vec<u32>,
    rest: Vec<Candidate>,
}

impl Choice {
    pub fn clear(&mut self) {
        self.chosen.clear();
        self.rivals.clear();
    }

    /// Decides between `candidates`, and adds those that are chosen.
    pub fn decide(&mut self, store: &Store, candidates: &mut Vec<Candidate>, child: Child) {
        candidates.sort_unstable();
        candidates.dedup();
        let mut rest: &mut [Candidate] = candidates;
        while !rest.is_empty() {
            let (cluster, after) = rest.split_at_mut(cluster(rest));
            self.cluster(store, cluster, child);
            rest = after;
        }
    }

    /// Decides between candidates that overlap.
    fn cluster(&mut self, store: &Store, cluster: &[Candidate], child: Child) {
        if is_single(cluster) {
            self.chosen.extend_from_slice(cluster);
            return;
        }
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        rest.extend_from_slice(cluster);
        // A request completes after those below it.
        keep(&mut rest, |c| {
            let completed = store.requests.row(c.row as usize).completed();
            child
                .completed
                .is_none_or(|end| completed.is_none_or(|done| done >= end))
        });
        // The task that passes a request on is nearly always the one that sent it.
        let is_of_task =
            |c: &Candidate| store.requests.row(c.row as usize).process() == child.process;
        if !is_single(&rest) {
            keep(&mut rest, is_of_task);
        }
        let are_of_task = rest.iter().all(is_of_task);
        if is_single(&rest) {
            self.chosen.extend_from_slice(&rest);
        } else if rest.iter().all(|c| c.is_late) || child.is_now && are_of_task {
            rest.sort_unstable_by_key(|c| std::cmp::Reverse(c.row));
            self.paint(&rest);
        } else {
            self.rivals.extend(rest.iter().map(|c| c.row));
        }
        self.rest = rest;
    }

    /// Chooses the first candidate for each sector.
    fn paint(&mut self, ordered: &[Candidate]) {
        let painted = self.chosen.len();
        for candidate in ordered {
            let mut from = candidate.from;
            while from < candidate.to {
                let taken = |c: &&Candidate| c.from <= from && from < c.to;
                if let Some(c) = self.chosen[painted..].iter().find(taken) {
                    from = c.to;
                    continue;
                }
                let to = self.chosen[painted..]
                    .iter()
                    .map(|c| c.from)
                    .filter(|begin| *begin > from)
                    .fold(candidate.to, u64::min);
                self.chosen.push(Candidate {
                    from,
                    to,
                    ..*candidate
                });
                from = to;
            }
        }
    }
}

/// Keeps what passes, unless nothing does.
fn keep(list: &mut Vec<Candidate>, passes: impl Fn(&Candidate) -> bool) {
    if list.iter().any(&passes) {
        list.retain(passes);
    }
}

/// Number of the first candidates that overlap one another; at least one.
fn cluster(sorted: &[Candidate]) -> usize {
    let Some(first) = sorted.first() else {
        return 0;
    };
    let mut end = first.to;
    let more = sorted[1..].iter().take_while(|c| {
        let is_in = c.group == first.group && c.from < end;
        end = end.max(c.to);
        is_in
    });
    1 + more.count()
}

/// Whether no two of the candidates, sorted by their sectors, are different requests that overlap.
fn is_single(sorted: &[Candidate]) -> bool {
    let Some(first) = sorted.first() else {
        return true;
    };
    let mut furthest = *first;
    sorted.iter().all(|c| {
        let is_alone = c.from >= furthest.to || c.row == furthest.row;
        if c.to > furthest.to {
            furthest = *c;
        }
        is_alone
    })
}
