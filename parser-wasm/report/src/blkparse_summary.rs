//! The text at the end of `blkparse -i` (1.2.0): counters by CPU, totals, throughput, events,
//! skips.
//!
//! Byte for byte the same wherever 1.2.0 is correct, without thousands separators (they depend on
//! its locale). It differs for events with a cgroup id, which 1.2.0 does not count. Reproduced as
//! they are: sizes above a million KiB are divided by 1000, not 1024; discards and flushes count by
//! their direction; throughput ends at the last event, not at the last completion; messages with a
//! cgroup id (all of kernels since about 5.14) are not entries; skips are those of files, always 0.

use seekscope_trace::event::{Action, Flags};
use seekscope_trace::store::{Store, rows};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Count, complete KiB added up per event, and the remaining bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Amount {
    n: u64,
    kib: i128,
    rest: i128,
}

impl Amount {
    fn add(&mut self, bytes: u32) {
        self.n += 1;
        self.kib += i128::from(bytes >> 10);
        self.rest += i128::from(bytes & 1023);
    }

    fn take_back(&mut self, bytes: u32) {
        self.kib -= i128::from(bytes >> 10);
        self.rest -= i128::from(bytes & 1023);
    }

    fn whole_kib(&self) -> u64 {
        // Unsigned with 64 bits, as blkparse computes.
        (self.kib as u64).wrapping_add(self.rest as u64 >> 10)
    }
}

/// The counters of one direction: reads or writes.
#[derive(Clone, Copy, Debug, Default)]
struct DirectionCounters {
    queued: Amount,
    issued: Amount,
    requeued: u64,
    completed: Amount,
    merged: Amount,
    pc_queued: Amount,
    pc_issued: Amount,
    pc_requeued: u64,
    pc_completed: u64,
}

/// Counters of one CPU, or of all CPUs.
#[derive(Clone, Copy, Debug, Default)]
struct CpuCounters {
    directions: [DirectionCounters; 2],
    unplugs: u64,
    timer_unplugs: u64,
}

/// The counters of one device, and the state that they need.
#[derive(Clone, Debug, Default)]
struct DeviceAccount {
    cpus: BTreeMap<u32, CpuCounters>,
    depth: [u64; 2],
    max_depth: [u64; 2],
    entries: u64,
    reported: Option<(u64, u64)>,
}

impl DeviceAccount {
    fn report(&mut self, cpu: u32, time: u64) {
        self.entries += 1;
        self.cpus.entry(cpu).or_default();
        self.reported = Some((self.reported.map_or(time, |r| r.0), time));
    }

    fn event(&mut self, cpu: u32, action: Action, flags: Flags, bytes: u32) {
        let write = usize::from(flags.has(Flags::WRITE));
        let counters = self.cpus.entry(cpu).or_default();
        let direction = &mut counters.directions[write];
        let depth = &mut self.depth[write];
        match action {
            Action::Issue => {
                *depth += 1;
                self.max_depth[write] = self.max_depth[write].max(*depth);
            }
            Action::Complete | Action::Requeue => *depth = depth.saturating_sub(1),
            _ => {}
        }
        if flags.has(Flags::PC) {
            match action {
                Action::Queue => direction.pc_queued.add(bytes),
                Action::Issue => direction.pc_issued.add(bytes),
                Action::Complete => direction.pc_completed += 1,
                Action::Requeue => {
                    direction.pc_requeued += 1;
                    direction.pc_issued.take_back(bytes);
                }
                _ => {}
            }
            return;
        }
        match action {
            Action::Queue => direction.queued.add(bytes),
            Action::BackMerge | Action::FrontMerge => direction.merged.add(bytes),
            Action::Issue => direction.issued.add(bytes),
            Action::Complete => direction.completed.add(bytes),
            Action::Requeue => {
                direction.requeued += 1;
                direction.issued.take_back(bytes);
            }
            Action::Unplug => counters.unplugs += 1,
            Action::UnplugTimer => counters.timer_unplugs += 1,
            _ => {}
        }
    }

    fn total(&self) -> CpuCounters {
        let mut total = CpuCounters::default();
        for counters in self.cpus.values() {
            for (sum, addend) in total.directions.iter_mut().zip(&counters.directions) {
                let amounts = [
                    (&mut sum.queued, &addend.queued),
                    (&mut sum.issued, &addend.issued),
                    (&mut sum.completed, &addend.completed),
                    (&mut sum.merged, &addend.merged),
                    (&mut sum.pc_queued, &addend.pc_queued),
                    (&mut sum.pc_issued, &addend.pc_issued),
                ];
                for (sum, addend) in amounts {
                    *sum = Amount {
                        n: sum.n + addend.n,
                        kib: sum.kib + addend.kib,
                        rest: sum.rest + addend.rest,
                    };
                }
                sum.requeued += addend.requeued;
                sum.pc_requeued += addend.pc_requeued;
                sum.pc_completed += addend.pc_completed;
            }
            total.unplugs += counters.unplugs;
            total.timer_unplugs += counters.timer_unplugs;
        }
        total
    }
}

/// The text for all devices of the store, in its order, without the lines with the names of the
/// input files.
pub fn summary(store: &Store) -> String {
    let mut accounts = vec![DeviceAccount::default(); store.devices.len()];
    let events = &store.events;
    let mut messages = store
        .messages
        .rows
        .iter()
        .filter(|m| m.cgroup.is_none())
        .peekable();
    rows::each(0..events.len(), |i| {
        while let Some(m) = messages.next_if(|m| m.time <= events.time(i)) {
            if let Some(account) = accounts.get_mut(m.device as usize) {
                account.report(m.cpu, m.time);
            }
        }
        if let Some(account) = accounts.get_mut(events.device(i) as usize) {
            account.report(events.cpu(i), events.time(i));
            account.event(
                events.cpu(i),
                events.action(i),
                events.flags(i),
                events.bytes(i),
            );
        }
    });
    for m in messages {
        if let Some(account) = accounts.get_mut(m.device as usize) {
            account.report(m.cpu, m.time);
        }
    }
    let blocks = accounts
        .iter()
        .enumerate()
        .filter(|(_, a)| !a.cpus.is_empty())
        .map(|(i, a)| block(&name(store, i), a));
    blocks.collect::<Vec<_>>().join("\n")
}

/// blkparse's name of a device: the base name of its files.
fn name(store: &Store, device: usize) -> String {
    let base = |name: &str| {
        Some(
            name.rsplit('/')
                .next()?
                .split(".blktrace.")
                .next()?
                .to_owned(),
        )
    };
    match store.devices.as_slice() {
        [_] => store.files.first().and_then(|f| base(&f.name)),
        devices => devices.get(device).map(|d| d.name.clone()),
    }
    .unwrap_or_default()
}

fn block(name: &str, account: &DeviceAccount) -> String {
    let mut text = String::new();
    for (cpu, counters) in &account.cpus {
        text += &format!(
            "CPU{cpu} ({name}):\n{}",
            counters_text(counters, Some(account.max_depth))
        );
    }
    let total = account.total();
    if account.cpus.len() > 1 {
        text += &format!("\nTotal ({name}):\n{}", counters_text(&total, None));
    }
    let (first, last) = account.reported.unwrap_or_default();
    let msec = u128::from(last.saturating_sub(first) / 1_000_000);
    let rate = |amount: Amount| {
        (1000 * amount.kib as u128 + amount.rest as u128)
            .checked_div(msec)
            .unwrap_or(0)
    };
    let [read, write] = total.directions.map(|d| rate(d.completed));
    text += &format!("\nThroughput (R/W): {read}KiB/s / {write}KiB/s\n");
    text += &format!(
        "Events ({name}): {} entries\nSkips: 0 forward (0 -   0.0%)\n",
        account.entries
    );
    text
}

fn counters_text(counters: &CpuCounters, depth: Option<[u64; 2]>) -> String {
    let [r, w] = &counters.directions;
    let mut text = String::new();
    let mut line = |reads: &str, left: String, writes: &str, right: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, " {reads:<16} {left}\t {writes:<17} {right}");
    };
    let kib = |a: &Amount| format!("{}, {}iB", scaled(a.n, 0), scaled(a.whole_kib(), 1));
    line(
        "Reads Queued:",
        kib(&r.queued),
        "Writes Queued:",
        kib(&w.queued),
    );
    line(
        "Read Dispatches:",
        kib(&r.issued),
        "Write Dispatches:",
        kib(&w.issued),
    );
    line(
        "Reads Requeued:",
        scaled(r.requeued, 0) + "\t",
        "Writes Requeued:",
        scaled(w.requeued, 0),
    );
    line(
        "Reads Completed:",
        kib(&r.completed),
        "Writes Completed:",
        kib(&w.completed),
    );
    line(
        "Read Merges:",
        kib(&r.merged),
        "Write Merges:",
        kib(&w.merged),
    );
    if let Some([reads, writes]) = depth {
        line(
            "Read depth:",
            format!("{reads:>8}        "),
            "Write depth:",
            format!("{writes:>8}"),
        );
    }
    let pc = |d: &DirectionCounters| d.pc_queued.n + d.pc_issued.n + d.pc_requeued + d.pc_completed;
    if pc(r) + pc(w) > 0 {
        line(
            "PC Reads Queued:",
            kib(&r.pc_queued),
            "PC Writes Queued:",
            kib(&w.pc_queued),
        );
        line(
            "PC Read Disp.:",
            kib(&r.pc_issued),
            "PC Write Disp.:",
            kib(&w.pc_issued),
        );
        line(
            "PC Reads Req.:",
            scaled(r.pc_requeued, 0) + "\t",
            "PC Writes Req.:",
            scaled(w.pc_requeued, 0),
        );
        line(
            "PC Reads Compl.:",
            scaled(r.pc_completed, 0) + "\t",
            "PC Writes Compl.:",
            scaled(w.pc_completed, 0),
        );
    }
    line(
        "IO unplugs:",
        format!("{:>8}        ", counters.unplugs),
        "Timer unplugs:",
        format!("{:>8}", counters.timer_unplugs),
    );
    text
}

/// Eight columns wide, divided by 1000 while above a million; the suffix depends on the number of
/// divisions and on `step`.
fn scaled(mut number: u64, mut step: usize) -> String {
    const SUFFIXES: [&str; 5] = ["", "K", "M", "G", "P"];
    while number > 1_000_000 && step + 1 < SUFFIXES.len() {
        number /= 1000;
        step += 1;
    }
    format!("{number:>8}{}", SUFFIXES[step])
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn one_cpu_has_no_total() {
        let text = summary(&store(
            "0 Q 0+8 W
             5 Q 9+1 W
             10 D 0+8 W
             2000000 C 0+8 W
             2000001 P -
             2500000 U -",
        ));
        let want = "CPU0 ():\n \
            Reads Queued:           0,        0KiB\t Writes Queued:           2,        4KiB\n \
            Read Dispatches:        0,        0KiB\t Write Dispatches:        1,        4KiB\n \
            Reads Requeued:         0\t\t Writes Requeued:         0\n \
            Reads Completed:        0,        0KiB\t Writes Completed:        1,        4KiB\n \
            Read Merges:            0,        0KiB\t Write Merges:            0,        0KiB\n \
            Read depth:             0        \t Write depth:             1\n \
            IO unplugs:             1        \t Timer unplugs:           0\n\
            \nThroughput (R/W): 0KiB/s / 2000KiB/s\nEvents (): 6 entries\nSkips: 0 forward (0 -   \
            0.0%)\n";
        assert_eq!(text, want);
    }

    #[test]
    fn passthrough_counts_apart_but_in_the_same_depth() {
        let text = summary(&store("0 D 0+8 RP\n1 D 8+8 RP\n2 C 0+8 RP"));
        assert!(text.contains("Read depth:             2        "), "{text}");
        assert!(text.contains("PC Reads Compl.:        1\t\t"), "{text}");
    }

    #[test]
    fn large_numbers_as_the_native_tool_writes_them() {
        let scaled = |n, step| scaled(n, step).trim_start().to_owned();
        assert_eq!(
            (
                scaled(1_000_000, 1),
                scaled(1_536_000, 1),
                scaled(1_002_880, 0)
            ),
            ("1000000K".into(), "1536M".into(), "1002K".into())
        );
        assert_eq!(scaled(u64::MAX, 1), "18446744073P");
    }

    #[test]
    fn devices_and_cpus_apart_and_nothing_from_nothing() {
        let text = summary(&store("0 Q 0+8 W\n1 Q 0+8 W cpu=3\n2 Q 0+8 R dev=1 cpu=2"));
        let heads: Vec<&str> = text
            .lines()
            .filter(|l| l.ends_with(':') || l.is_empty())
            .collect();
        assert_eq!(
            heads,
            [
                "CPU0 (8,0):",
                "CPU3 (8,0):",
                "",
                "Total (8,0):",
                "",
                "",
                "CPU2 (8,1):",
                ""
            ]
        );
        assert_eq!(summary(&Store::default()), "");
    }
}
