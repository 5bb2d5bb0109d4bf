//! The summary that blkparse 1.2.0 prints after its text, line by line.
//!
//! Kept as they are there: discards and flushes count by their READ or WRITE bit; a requeue takes its bytes back from the dispatches;
//! the depth is the device's and stands in each CPU's block. Unlike there, messages with a cgroup id count as events.

use crate::event::{Action, Flags};
use crate::store::Store;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Count and bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    n: u64,
    bytes: i64,
}

impl Sum {
    fn add(&mut self, bytes: u32) {
        self.n += 1;
        self.bytes += i64::from(bytes);
    }

    fn join(&mut self, other: Sum) {
        self.n += other.n;
        self.bytes += other.bytes;
    }

    /// `       43,      585KiB`; what more requeues than issues leave below zero is 0.
    fn show(self) -> String {
        format!("{}, {}iB", scaled(self.n, ["", "K", "M", "G", "P"]), scaled(self.kib(), ["K", "M", "G", "P", ""]))
    }

    fn kib(self) -> u64 {
        u64::try_from(self.bytes).unwrap_or(0) / 1024
    }
}

/// One direction of file system or of passthrough requests.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    queued: Sum,
    issued: Sum,
    requeued: u64,
    completed: Sum,
    merged: Sum,
}

impl Counts {
    fn add(&mut self, action: Action, bytes: u32) {
        match action {
            Action::Queue => self.queued.add(bytes),
            Action::Issue => self.issued.add(bytes),
            Action::Requeue => {
                self.requeued += 1;
                self.issued.bytes -= i64::from(bytes);
            }
            Action::Complete => self.completed.add(bytes),
            Action::BackMerge | Action::FrontMerge => self.merged.add(bytes),
            _ => {}
        }
    }

    fn join(&mut self, other: &Counts) {
        self.queued.join(other.queued);
        self.issued.join(other.issued);
        self.requeued += other.requeued;
        self.completed.join(other.completed);
        self.merged.join(other.merged);
    }
}

/// One block of the summary; pairs are read and write.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    fs: [Counts; 2],
    pc: [Counts; 2],
    unplugs: u64,
    timer_unplugs: u64,
}

impl Block {
    fn join(&mut self, other: &Block) {
        for side in 0..2 {
            self.fs[side].join(&other.fs[side]);
            self.pc[side].join(&other.pc[side]);
        }
        self.unplugs += other.unplugs;
        self.timer_unplugs += other.timer_unplugs;
    }

    fn show(&self, out: &mut String, depth: Option<[i64; 2]>) {
        let [r, w] = &self.fs;
        let n = |n| scaled(n, ["", "K", "M", "G", "P"]);
        let mut line = |left: &str, a: String, right: &str, b: String| {
            let _ = writeln!(out, " {left:<17}{a}\t {right:<18}{b}");
        };
        line("Reads Queued:", r.queued.show(), "Writes Queued:", w.queued.show());
        line("Read Dispatches:", r.issued.show(), "Write Dispatches:", w.issued.show());
        line("Reads Requeued:", n(r.requeued) + "\t", "Writes Requeued:", n(w.requeued));
        line("Reads Completed:", r.completed.show(), "Writes Completed:", w.completed.show());
        line("Read Merges:", r.merged.show(), "Write Merges:", w.merged.show());
        if let Some([read, write]) = depth {
            line("Read depth:", format!("{read:>8}        "), "Write depth:", format!("{write:>8}"));
        }
        let [r, w] = &self.pc;
        if [r, w].iter().any(|c| c.queued.n + c.issued.n + c.requeued + c.completed.n > 0) {
            line("PC Reads Queued:", r.queued.show(), "PC Writes Queued:", w.queued.show());
            line("PC Read Disp.:", r.issued.show(), "PC Write Disp.:", w.issued.show());
            line("PC Reads Req.:", n(r.requeued) + "\t", "PC Writes Req.:", n(w.requeued));
            line("PC Reads Compl.:", n(r.completed.n) + "\t", "PC Writes Compl.:", n(w.completed.n));
        }
        line("IO unplugs:", n(self.unplugs) + "        ", "Timer unplugs:", n(self.timer_unplugs));
    }
}

/// Width 8; above a million divided by 1000 and given the next letter.
fn scaled(mut value: u64, letters: [&str; 5]) -> String {
    let mut step = 0;
    while value > 1_000_000 && step + 1 < letters.len() {
        value /= 1000;
        step += 1;
    }
    format!("{value:>8}{}", letters.get(step).unwrap_or(&""))
}

/// All blocks of one device.
#[derive(Clone, Debug, Default)]
struct Device {
    cpus: BTreeMap<u32, Block>,
    in_flight: [i64; 2],
    depth: [i64; 2],
    events: u64,
    /// First and last event or message, ns.
    span: Option<(u64, u64)>,
}

impl Device {
    fn see(&mut self, cpu: u32, time: u64) -> &mut Block {
        self.events += 1;
        let (first, last) = self.span.unwrap_or((time, time));
        self.span = Some((first.min(time), last.max(time)));
        self.cpus.entry(cpu).or_default()
    }

    fn add(&mut self, cpu: u32, time: u64, action: Action, flags: Flags, bytes: u32) {
        let side = usize::from(flags.has(Flags::WRITE));
        let passthrough = flags.has(Flags::PC);
        let block = self.see(cpu, time);
        match action {
            Action::Unplug => block.unplugs += 1,
            Action::UnplugTimer => block.timer_unplugs += 1,
            _ if passthrough => block.pc[side].add(action, bytes),
            _ => block.fs[side].add(action, bytes),
        }
        if passthrough {
            return;
        }
        match action {
            Action::Issue => self.in_flight[side] += 1,
            Action::Complete | Action::Requeue => self.in_flight[side] = (self.in_flight[side] - 1).max(0),
            _ => {}
        }
        self.depth[side] = self.depth[side].max(self.in_flight[side]);
    }

    fn show(&self, out: &mut String, name: &str) {
        let mut total = Block::default();
        for (cpu, block) in &self.cpus {
            let _ = writeln!(out, "CPU{cpu} ({name}):");
            block.show(out, Some(self.depth));
            total.join(block);
        }
        if self.cpus.len() > 1 {
            let _ = writeln!(out, "\nTotal ({name}):");
            total.show(out, None);
        }
        let ms = self.span.map_or(0, |(first, last)| (last - first) / 1_000_000);
        let rate = |c: &Counts| (1000 * c.completed.kib()).checked_div(ms).unwrap_or(0);
        let [read, write] = &total.fs;
        let _ = writeln!(out, "\nThroughput (R/W): {}KiB/s / {}KiB/s", rate(read), rate(write));
        let _ = writeln!(out, "Events ({name}): {} entries", self.events);
        let _ = writeln!(out, "Skips: 0 forward (0 -   0.0%)");
    }
}

/// The summary of every device, as blkparse names them: by base name of the files when these name one device, else by number.
pub fn summary(store: &Store) -> String {
    let mut devices = vec![Device::default(); store.devices.len()];
    let events = &store.events;
    for i in 0..events.len() {
        if let Some(device) = devices.get_mut(events.device(i) as usize) {
            device.add(events.cpu(i), events.time(i), events.action(i), events.flags(i), events.bytes(i));
        }
    }
    for message in &store.messages.rows {
        if let Some(device) = devices.get_mut(message.device as usize) {
            device.see(message.cpu, message.time);
        }
    }
    let base = store.files.first().and_then(|f| f.name.rsplit('/').next()?.split(".blktrace.").next());
    let shown = devices.iter().zip(&store.devices).filter(|(device, _)| device.events > 0);
    let blocks = shown.map(|(device, named)| {
        let mut out = String::new();
        let name = if store.devices.len() == 1 { base.unwrap_or(&named.name) } else { &named.name };
        device.show(&mut out, name);
        out
    });
    blocks.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_as_blkparse_cuts_them() {
        let kib = |n| scaled(n, ["K", "M", "G", "P", ""]);
        assert_eq!(kib(1_000_000), " 1000000K");
        assert_eq!(kib(1_536_000), "    1536M");
        assert_eq!(kib(4_500_000_000), "    4500G");
    }

    #[test]
    fn more_requeues_than_issues_are_not_below_zero() {
        let mut counts = Counts::default();
        counts.add(Action::Requeue, 4096);
        assert_eq!((counts.requeued, counts.issued.show()), (1, "       0,        0KiB".into()));
    }
}
