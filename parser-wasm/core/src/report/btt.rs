//! The figures of btt's main tables. Stages are those per bio that the lifecycle counts; the rest is one walk over the events.
//!
//! As in btt: passthrough commands and events without data do not count, nor what a device did before its first Q or A. Unlike btt, a
//! device stands with device mapper when it issues no requests, whatever its major number is.

use crate::event::{Action, Detail, Flags};
use crate::store::{Role, Stage, StageTally, Store};
use std::collections::{BTreeMap, HashMap};

/// Distances between consecutive requests, in sectors.
#[derive(Clone, Debug, Default)]
pub struct BttSeeks {
    /// Where the last one lay: first sector, end.
    last: (u64, u64),
    /// How often each absolute distance occurs.
    pub distances: BTreeMap<u64, u64>,
}

impl BttSeeks {
    /// 0 when either end touches the last request; else from its end, or backwards from its start. The first counts from sector 0.
    fn add(&mut self, start: u64, end: u64) {
        let (from, to) = self.last;
        let touches = |at: u64| from <= at && at <= to;
        let distance = match start {
            _ if touches(start) || touches(end) => 0,
            _ if start > to => start - to,
            _ => from.saturating_sub(start),
        };
        *self.distances.entry(distance).or_default() += 1;
        self.last = (start, end);
    }
}

/// When a device's queue was plugged.
#[derive(Clone, Copy, Debug, Default)]
pub struct BttPlugs {
    since: Option<u64>,
    /// ns.
    pub plugged: u64,
    /// Plugs that U ended (or the trace), and that UT ended.
    pub n: [u64; 2],
    /// Requests that they released.
    pub released: [u64; 2],
}

impl BttPlugs {
    fn end(&mut self, time: u64, timer: bool, released: u64) {
        if let Some(since) = self.since.take() {
            self.plugged += time.saturating_sub(since);
            self.n[usize::from(timer)] += 1;
            self.released[usize::from(timer)] += released;
        }
    }
}

/// What one device did.
#[derive(Clone, Debug, Default)]
pub struct BttDevice {
    /// Time of its first Q or A, and of its last event or message, ns.
    pub span: Option<(u64, u64)>,
    /// Q with data.
    pub queued: u64,
    /// R.
    pub requeued: u64,
    /// D with data.
    pub issued: u64,
    /// Sectors of C: least, most, all.
    pub completed: (u64, u64, u64),
    /// At Q.
    pub queue_seeks: BttSeeks,
    /// At D.
    pub issue_seeks: BttSeeks,
    /// Plugging.
    pub plugs: BttPlugs,
    active: u64,
    /// Sum over Q and R of the requests that were active before.
    pub active_sum: u64,
    /// Union of the times in which requests were in flight, ns.
    pub periods: Vec<(u64, u64)>,
}

impl BttDevice {
    /// Q and R, or D where these are more: btt raises the former to the latter, and goes on with it.
    pub fn at_least_issued(&self) -> u64 {
        (self.queued + self.requeued).max(self.issued)
    }
}

/// Times between events, ns.
#[derive(Clone, Copy, Debug, Default)]
pub struct BttIntervals {
    /// Consecutive Q of the trace: on disks, on other devices.
    pub q2q: [StageTally; 2],
    /// Q of an upper device to its remap: on disks, on other devices.
    pub q2a: [StageTally; 2],
    /// Wait for a free request.
    pub s2g: StageTally,
}

/// Everything that the tables need.
#[derive(Clone, Debug, Default)]
pub struct BttFigures {
    /// In the order of the store's devices.
    pub devices: Vec<BttDevice>,
    /// Of all devices.
    pub between: BttIntervals,
}

/// Whether btt would file the device under device mapper, were it to go by events.
pub fn is_upper(store: &Store, device: usize) -> bool {
    store.devices.get(device).is_some_and(|d| d.role != Role::Disk)
}

/// One stage over all disks, or over all other devices.
pub fn stage(store: &Store, stage: Stage, upper: bool) -> StageTally {
    let devices = store.devices.iter().enumerate().filter(|(i, _)| is_upper(store, *i) == upper);
    devices.map(|(_, d)| d.bio_stages.get(stage)).filter(|t| t.n > 0).fold(StageTally::default(), |sum, t| StageTally {
        n: sum.n + t.n,
        min: if sum.n == 0 { t.min } else { sum.min.min(t.min) },
        sum: sum.sum + t.sum,
        max: sum.max.max(t.max),
    })
}

/// What counts for a device and a process, besides the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessSample {
    /// A Q, at this time.
    Queued(u64),
    /// Q2A, ns.
    Remapped(u64),
    /// S2G, ns.
    Slept(u64),
}

/// Walks over the events and requests of a trace.
pub fn figures(store: &Store) -> BttFigures {
    figures_noting(store, |_, _, _| {})
}

/// The same; `note` hears of a device, a process, and what counts for them.
pub fn figures_noting(store: &Store, mut note: impl FnMut(usize, u32, ProcessSample)) -> BttFigures {
    let e = &store.events;
    let mut all = BttFigures { devices: vec![BttDevice::default(); store.devices.len()], ..BttFigures::default() };
    let index: HashMap<_, _> = store.devices.iter().enumerate().map(|(i, d)| (d.number, i)).collect();
    let mut last_queue = None;
    let mut sleeping: HashMap<(usize, u64), u64> = HashMap::new();
    // Bios of devices that are remapped from, by first sector: end, time, process.
    let mut upper_bios: BTreeMap<(usize, u64), (u64, u64, u32)> = BTreeMap::new();
    let positive = |from: u64, to: u64| to.saturating_sub(from).max(1);
    for i in 0..e.len() {
        let (action, time, device) = (e.action(i), e.time(i), e.device(i) as usize);
        let Some(d) = all.devices.get_mut(device) else { continue };
        let placeless = matches!(action, Action::Plug | Action::Unplug | Action::UnplugTimer | Action::Remap | Action::Requeue);
        if e.flags(i).has(Flags::PC) || (e.sectors(i) == 0 && !placeless) {
            continue;
        }
        match &mut d.span {
            Some(span) => span.1 = time,
            None if matches!(action, Action::Queue | Action::Remap) => d.span = Some((time, time)),
            None => continue,
        }
        let (start, sectors) = (e.sector(i), e.sectors(i));
        let end = start.saturating_add(sectors);
        let upper = is_upper(store, device);
        match action {
            Action::Plug => {
                d.plugs.since.get_or_insert(time);
            }
            Action::Unplug | Action::UnplugTimer => {
                let released = if let Detail::Unplug(n) = e.detail(i) { n } else { 0 };
                d.plugs.end(time, action == Action::UnplugTimer, released);
            }
            Action::Remap => {
                if let Detail::Remap { from, sector, .. } = e.detail(i)
                    && let Some(&source) = index.get(&from)
                    && let Some((_, &(end, queued, process))) = upper_bios.range((source, 0)..=(source, sector)).next_back()
                    && sector < end
                {
                    all.between.q2a[usize::from(is_upper(store, source))].add(positive(queued, time));
                    note(source, process, ProcessSample::Remapped(positive(queued, time)));
                }
            }
            Action::Requeue => {
                d.requeued += 1;
                d.active_sum += d.active;
                d.active += 1;
            }
            Action::Queue => {
                if let Some(last) = last_queue.replace(time) {
                    all.between.q2q[usize::from(upper)].add(positive(last, time));
                }
                note(device, e.process(i), ProcessSample::Queued(time));
                d.queued += 1;
                d.queue_seeks.add(start, end);
                d.active_sum += d.active;
                d.active += 1;
                if upper {
                    upper_bios.insert((device, start), (end, time, e.process(i)));
                }
            }
            Action::SleepRequest => {
                sleeping.insert((device, start), time);
            }
            Action::GetRequest => {
                if let Some(since) = sleeping.remove(&(device, start)) {
                    all.between.s2g.add(positive(since, time));
                    note(device, e.process(i), ProcessSample::Slept(positive(since, time)));
                }
            }
            Action::BackMerge | Action::FrontMerge => d.active = d.active.saturating_sub(1),
            Action::Issue => {
                d.issued += 1;
                d.issue_seeks.add(start, end);
                d.active = d.active.saturating_sub(1);
            }
            Action::Complete => {
                let (least, most, sum) = &mut d.completed;
                *least = if *sum == 0 { sectors } else { sectors.min(*least) };
                *most = sectors.max(*most);
                *sum += sectors;
                if upper {
                    upper_bios.remove(&(device, start));
                }
            }
            _ => {}
        }
    }
    for m in &store.messages.rows {
        if let Some(span) = all.devices.get_mut(m.device as usize).and_then(|d| d.span.as_mut()) {
            span.1 = span.1.max(m.time);
        }
    }
    for d in &mut all.devices {
        d.plugs.end(d.span.map_or(0, |s| s.1), false, 0);
    }
    add_periods(store, &mut all);
    all
}

fn add_periods(store: &Store, all: &mut BttFigures) {
    let r = &store.requests;
    for i in 0..r.len() {
        let (Some(issued), Some(completed)) = (r.issued(i), r.completed(i)) else { continue };
        if r.flags(i).has(Flags::PC) || r.sectors(i) == 0 || r.bios(i) == 0 {
            continue;
        }
        if let Some(d) = all.devices.get_mut(r.device(i) as usize) {
            unite(&mut d.periods, (issued, completed.max(issued + 1)));
        }
    }
}

/// Adds a period that begins no earlier than those before.
fn unite(periods: &mut Vec<(u64, u64)>, (from, to): (u64, u64)) {
    match periods.last_mut() {
        Some(last) if from <= last.1 => last.1 = last.1.max(to),
        _ => periods.push((from, to)),
    }
}

/// Periods of several devices as one.
pub fn united(devices: &[BttDevice]) -> Vec<(u64, u64)> {
    let mut every: Vec<(u64, u64)> = devices.iter().flat_map(|d| d.periods.iter().copied()).collect();
    every.sort_unstable();
    let mut periods = Vec::new();
    every.into_iter().for_each(|p| unite(&mut periods, p));
    periods
}
