//! The figures of btt's main tables. Stages are those per bio that the lifecycle counts; the rest
//! comes from one pass over the events.
//!
//! As in btt, passthrough commands, events without data, and events of a device before its first Q
//! or A do not count. Unlike in btt, a device counts as device mapper if it issues no requests,
//! whatever its major number is.

use seekscope_trace::event::{Action, EventDetail, Flags};
use seekscope_trace::store::{Role, Stage, StageTally, Store};
use std::collections::{BTreeMap, HashMap};

/// Distances between consecutive requests, in sectors.
#[derive(Clone, Debug, Default)]
pub struct BttSeeks {
    /// First sector and end of the last request.
    last: (u64, u64),
    /// Number of occurrences of each absolute distance.
    pub distances: BTreeMap<u64, u64>,
}

impl BttSeeks {
    /// 0 if either end touches the last request; else counted from its end, or backwards from its
    /// start. The first one counts from sector 0.
    fn add(&mut self, start: u64, end: u64) {
        let (from, to) = self.last;
        let touches = |sector: u64| from <= sector && sector <= to;
        let distance = match start {
            _ if touches(start) || touches(end) => 0,
            _ if start > to => start - to,
            _ => from.saturating_sub(start),
        };
        *self.distances.entry(distance).or_default() += 1;
        self.last = (start, end);
    }
}

/// How often and how long a device's queue was plugged.
#[derive(Clone, Copy, Debug, Default)]
pub struct BttPlugs {
    since: Option<u64>,
    /// Sum of the times in which it was plugged, ns.
    pub plugged: u64,
    /// Plugs ended by U (or by the end of the trace), and by UT.
    pub n: [u64; 2],
    /// Number of requests that were released: by unplugs, and by timers.
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

/// The figures of one device.
#[derive(Clone, Debug, Default)]
pub struct BttDevice {
    /// Time of its first message, or event that is neither P nor U, and of its last message or
    /// event, ns.
    pub span: Option<(u64, u64)>,
    /// Whether its first Q or A was seen: what is before it, except plugs, counts for nothing.
    begun: bool,
    /// Number of Q with data.
    pub queued: u64,
    /// Number of R.
    pub requeued: u64,
    /// Number of D with data.
    pub issued: u64,
    /// Sectors per C: minimum, maximum, total.
    pub completed: (u64, u64, u64),
    pub queue_seeks: BttSeeks,
    pub issue_seeks: BttSeeks,
    pub plugs: BttPlugs,
    active: u64,
    /// Sum of the number of active requests before each Q and R.
    pub active_sum: u64,
    /// Union of the times with requests in flight, ns.
    pub periods: Vec<(u64, u64)>,
}

impl BttDevice {
    /// Number of Q and R, or of D if these are more: btt raises the former to the latter.
    pub fn at_least_issued(&self) -> u64 {
        (self.queued + self.requeued).max(self.issued)
    }
}

/// Times between events, ns.
#[derive(Clone, Copy, Debug, Default)]
pub struct BttIntervals {
    /// Times between consecutive Q of the trace: on disks, and on other devices.
    pub q2q: [StageTally; 2],
    /// Times from the Q of an upper device to its remap: on disks, and on other devices.
    pub q2a: [StageTally; 2],
    /// Times of waiting for a free request.
    pub s2g: StageTally,
}

/// The figures of all tables.
#[derive(Clone, Debug, Default)]
pub struct BttFigures {
    /// One entry per device, in the order of the store.
    pub devices: Vec<BttDevice>,
    /// The figures of all devices together.
    pub between: BttIntervals,
    /// The trace time that the tables print as 0, ns.
    pub zero: u64,
}

/// Whether the device counts as device mapper: by its events, not by its major number as in btt.
pub fn is_upper(store: &Store, device: usize) -> bool {
    store
        .devices
        .get(device)
        .is_some_and(|d| d.role != Role::Disk)
}

/// One stage over all disks, or over all other devices.
pub fn stage(store: &Store, stage: Stage, upper: bool) -> StageTally {
    let devices = store
        .devices
        .iter()
        .enumerate()
        .filter(|(i, _)| is_upper(store, *i) == upper);
    devices
        .map(|(_, d)| d.bio_stages.get(stage))
        .filter(|t| t.n > 0)
        .fold(StageTally::default(), |sum, t| StageTally {
            n: sum.n + t.n,
            min: if sum.n == 0 {
                t.min
            } else {
                sum.min.min(t.min)
            },
            sum: sum.sum + t.sum,
            max: sum.max.max(t.max),
        })
}

/// A sample for a device and a process, besides the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessSample {
    /// A Q at this time.
    Queued(u64),
    /// A Q2A of so many ns.
    Remapped(u64),
    /// An S2G of so many ns.
    Slept(u64),
}

/// Computes the figures of the tables from the events and requests of a trace.
pub fn figures(store: &Store) -> BttFigures {
    figures_noting(store, |_, _, _| {})
}

/// The same; `note` receives each sample with its device and process.
#[expect(
    clippy::too_many_lines,
    reason = "a table: the figures in the order of the tables of btt"
)]
pub fn figures_noting(
    store: &Store,
    mut note: impl FnMut(usize, u32, ProcessSample),
) -> BttFigures {
    let e = &store.events;
    let devices = vec![BttDevice::default(); store.devices.len()];
    let mut all = BttFigures {
        devices,
        zero: store.blkparse_zero(),
        ..BttFigures::default()
    };
    let index: HashMap<_, _> = store
        .devices
        .iter()
        .enumerate()
        .map(|(i, d)| (d.number, i))
        .collect();
    let mut announced = vec![u64::MAX; store.devices.len()];
    for message in store.messages.of_blkparse() {
        if let Some(first) = announced.get_mut(message.device as usize) {
            *first = message.time.min(*first);
        }
    }
    let mut last_queue = None;
    let mut sleeping: HashMap<(usize, u64), u64> = HashMap::new();
    // Bios of devices that are remapped, by device and first sector: end, time, process.
    let mut upper_bios: BTreeMap<(usize, u64), (u64, u64, u32)> = BTreeMap::new();
    let positive = |from: u64, to: u64| to.saturating_sub(from).max(1);
    for i in 0..e.len() {
        let (action, time, device) = (e.action(i), e.time(i), e.device(i) as usize);
        let Some(d) = all.devices.get_mut(device) else {
            continue;
        };
        let plugs = matches!(action, Action::Plug | Action::Unplug | Action::UnplugTimer);
        let placeless = plugs || matches!(action, Action::Remap | Action::Requeue);
        if e.flags(i).has(Flags::PC) || (e.sectors(i) == 0 && !placeless) {
            continue;
        }
        match &mut d.span {
            Some(span) => span.1 = time,
            None if plugs && time < announced[device] => continue,
            None => d.span = Some((time.min(announced[device]), time)),
        }
        d.begun |= matches!(action, Action::Queue | Action::Remap);
        if !d.begun && !plugs {
            continue;
        }
        let (start, sectors) = (e.sector(i), e.sectors(i));
        let end = start.saturating_add(sectors);
        let upper = is_upper(store, device);
        match action {
            Action::Plug => {
                d.plugs.since.get_or_insert(time);
            }
            Action::Unplug | Action::UnplugTimer => {
                let released = if let EventDetail::Unplug(n) = e.detail(i) {
                    n
                } else {
                    0
                };
                d.plugs.end(time, action == Action::UnplugTimer, released);
            }
            Action::Remap => {
                if let EventDetail::Remap { from, sector, .. } = e.detail(i)
                    && let Some(&source) = index.get(&from)
                    && let Some((_, &(end, queued, process))) =
                        upper_bios.range((source, 0)..=(source, sector)).next_back()
                    && sector < end
                {
                    all.between.q2a[usize::from(is_upper(store, source))]
                        .add(positive(queued, time));
                    note(
                        source,
                        process,
                        ProcessSample::Remapped(positive(queued, time)),
                    );
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
                    note(
                        device,
                        e.process(i),
                        ProcessSample::Slept(positive(since, time)),
                    );
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
                *least = if *sum == 0 {
                    sectors
                } else {
                    sectors.min(*least)
                };
                *most = sectors.max(*most);
                *sum += sectors;
                if upper {
                    upper_bios.remove(&(device, start));
                }
            }
            _ => {}
        }
    }
    for m in store.messages.of_blkparse() {
        if let Some(span) = all
            .devices
            .get_mut(m.device as usize)
            .and_then(|d| d.span.as_mut())
        {
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
        let request = r.row(i);
        let (Some(issued), Some(completed)) = (request.issued(), request.completed()) else {
            continue;
        };
        if request.flags().has(Flags::PC) || request.sectors() == 0 || request.bios() == 0 {
            continue;
        }
        if let Some(d) = all.devices.get_mut(request.device() as usize) {
            unite(&mut d.periods, (issued, completed.max(issued + 1)));
        }
    }
}

/// Adds a period; start times must ascend.
fn unite(periods: &mut Vec<(u64, u64)>, (from, to): (u64, u64)) {
    match periods.last_mut() {
        Some(last) if from <= last.1 => last.1 = last.1.max(to),
        _ => periods.push((from, to)),
    }
}

/// Union of the periods of several devices.
pub fn united(devices: &[BttDevice]) -> Vec<(u64, u64)> {
    let mut every: Vec<(u64, u64)> = devices
        .iter()
        .flat_map(|d| d.periods.iter().copied())
        .collect();
    every.sort_unstable();
    let mut periods = Vec::new();
    every.into_iter().for_each(|p| unite(&mut periods, p));
    periods
}
