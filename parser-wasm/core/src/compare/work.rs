//! Whether two sides were asked for the same work: the same bytes (or as much time), the same mix of operations, as many processes.

use super::digest::Digest;
use super::pair::Pair;
use super::quantity::Kind;
use super::run::Side;
use serde::Serialize;

/// Bytes and run times that differ by less are the same.
const SAME: f64 = 0.1;
/// Shares of operations that differ by less are the same mix.
const MIX: f64 = 0.1;
/// A process with less of the bytes is none of the work: a journal, a flusher, a stray reader.
const PART: f64 = 0.05;
/// Reads are a readahead's when this share of their bytes is.
const AHEAD: f64 = 0.3;

/// The first question of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Work {
    /// Whether it was the same.
    pub same: bool,
    /// What is the same, or what differs.
    pub why: String,
}

struct Asked {
    read: f64,
    write: f64,
    discard: f64,
    ahead: f64,
}

impl Asked {
    fn of(side: &Side) -> Asked {
        Asked {
            read: side.mean(|d| d.work.read as f64),
            write: side.mean(|d| d.work.write as f64),
            discard: side.mean(|d| d.work.discard as f64),
            ahead: side.mean(|d| d.work.ahead as f64),
        }
    }

    fn all(&self) -> f64 {
        self.read + self.write + self.discard
    }

    fn shares(&self) -> [f64; 3] {
        let all = self.all().max(1.0);
        [self.read / all, self.write / all, self.discard / all]
    }
}

fn alike(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.max(b)
}

/// Whether most of what was read was read ahead, in one of the two.
pub fn reads_ahead(pair: &Pair) -> bool {
    let (a, b) = (Asked::of(pair.a), Asked::of(pair.b));
    [&a, &b].into_iter().any(|s| s.read > 0.5 * s.all() && s.ahead > AHEAD * s.read)
}

/// Compares what was asked for. `tasks` are the numbers of processes on both sides that did a part of the work.
pub fn work(pair: &Pair, tasks: (usize, usize)) -> Work {
    let (a, b) = (Asked::of(pair.a), Asked::of(pair.b));
    let bytes = |n: f64| Kind::Bytes.write(n);
    let differs = |why: String| Work { same: false, why };
    if a.all() == 0.0 && b.all() == 0.0 {
        return Work { same: true, why: "neither side read, wrote or discarded anything".to_owned() };
    }
    let names = ["reads", "writes", "discards"];
    let (shares_a, shares_b) = (a.shares(), b.shares());
    if let Some(i) = (0..3).find(|&i| (shares_a[i] - shares_b[i]).abs() > MIX) {
        let (x, y) = (Kind::Share.write(shares_a[i]), Kind::Share.write(shares_b[i]));
        return differs(format!("{} are {x} of the bytes in {} and {y} in {}", names[i], pair.a.label, pair.b.label));
    }
    if tasks.0 != tasks.1 && tasks.0.min(tasks.1) > 0 {
        return differs(format!("{} processes did the work in {} and {} in {}", tasks.0, pair.a.label, tasks.1, pair.b.label));
    }
    let (x, y) = (bytes(a.all()), bytes(b.all()));
    if alike(a.all(), b.all()) {
        let same = if x == y { x } else { format!("{x} and {y}") };
        return Work { same: true, why: format!("both were asked for the same: {same}, the same mix, as many processes") };
    }
    if let Some((span_a, span_b)) = pair.both("span")
        && alike(span_a, span_b)
    {
        let time = Kind::Time.write(span_b);
        return Work {
            same: true,
            why: format!("both ran for the same time, {time}, with the same mix; {x} and {y} were asked for"),
        };
    }
    if reads_ahead(pair) {
        return Work {
            same: true,
            why: format!("the same mix and as many processes; {x} and {y} were read, most of it ahead of need"),
        };
    }
    differs(format!("{x} in {} and {y} in {}, in different times", pair.a.label, pair.b.label))
}

/// Kernel threads that write on behalf of others.
const HELPERS: [&str; 10] =
    ["jbd2/", "kworker/", "xfsaild/", "kswapd", "flush-", "btrfs-", "ext4lazyinit", "swapper", "dmcrypt", "loop"];

/// Whether this is a kernel thread that works for others.
pub fn helps(name: &str) -> bool {
    let raid = name.starts_with("md") && (name.contains("_raid") || name.contains("_resync"));
    raid || HELPERS.iter().any(|helper| name.starts_with(helper))
}

/// How many processes did more than a small part; kernel threads that work for them do not count.
pub fn tasks(trace: &Digest) -> usize {
    let own: Vec<u64> = trace.processes.iter().filter(|p| !helps(&p.name)).map(|p| p.bytes).collect();
    let all: u64 = own.iter().sum();
    own.iter().filter(|bytes| **bytes as f64 > PART * all as f64).count()
}
