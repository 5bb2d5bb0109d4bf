//! Recordings of any shape, made while they are read. Every number follows from the index of a
//! request ([`mixed`]), so the records of a file can be made without those of the others, and a
//! recording of any length takes no memory.

use seekscope_core::builder::TraceFile;

/// Time from the begin of one request to that of the next, ns.
const STEP: u64 = 4000;
/// Category bits of the action word.
const WRITE: u32 = 1 << 17;
const QUEUE: u32 = 1 << 20;
const ISSUE: u32 = 1 << 22;
const COMPLETE: u32 = 1 << 23;
const FS: u32 = 1 << 24;
const NOTIFY: u32 = 1 << 26;
const MESSAGE: u32 = 2;

/// What a recording contains. Each request has four events: Q, G, D, C.
#[derive(Clone, Copy)]
pub struct Shape {
    pub events: u64,
    pub devices: u64,
    /// Files, one per CPU.
    pub files: u64,
    pub processes: u64,
    /// Requests in flight.
    pub depth: u64,
    /// Messages per request.
    pub messages: u64,
    /// Records that name a process, of as many processes.
    pub named: u64,
    /// Decides sectors and devices.
    pub seed: u64,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            events: 1 << 20,
            devices: 1,
            files: 4,
            processes: 4,
            depth: 32,
            messages: 0,
            named: 0,
            seed: 0,
        }
    }
}

/// A number that looks random (splitmix64).
fn mixed(n: u64) -> u64 {
    let z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// State of one file.
#[derive(Clone, Default)]
struct Stream {
    /// Index of the next request to submit.
    submits: u64,
    /// Index of the next request to complete.
    completes: u64,
    begun: bool,
    /// Latest sequence number of each device.
    sequences: Vec<u32>,
}

/// The files of a recording.
pub struct Streams {
    shape: Shape,
    requests: u64,
    streams: Vec<Stream>,
}

impl Streams {
    pub fn new(shape: &Shape) -> Streams {
        let stream = |cpu| Stream {
            submits: cpu,
            completes: cpu,
            begun: false,
            sequences: vec![0; shape.devices as usize],
        };
        Streams {
            shape: *shape,
            requests: shape.events / 4,
            streams: (0..shape.files).map(stream).collect(),
        }
    }

    /// Names and sizes of the files; sizes as if all were equally long.
    pub fn files(&self) -> Vec<TraceFile> {
        let records = self.shape.events + self.requests * self.shape.messages;
        let size = records * 48 / self.shape.files;
        let file = |cpu| TraceFile {
            name: format!("sda.blktrace.{cpu}"),
            size,
            pattern: None,
        };
        (0..self.shape.files).map(file).collect()
    }

    /// Writes the next bytes of a file to `target`: complete records of at least `length` bytes,
    /// except at the end of the file, where there are none.
    pub fn next(&mut self, file: usize, length: usize, target: &mut Vec<u8>) {
        target.clear();
        let Shape {
            files,
            depth,
            devices,
            processes,
            messages,
            named,
            seed,
            ..
        } = self.shape;
        let (cpu, stream) = (file as u32, &mut self.streams[file]);
        if !stream.begun {
            stream.begun = true;
            for pid in (file as u64..named).step_by(files as usize) {
                let mut name = [0; 16];
                let text = format!("task-{pid}");
                name[..text.len().min(16)].copy_from_slice(&text.as_bytes()[..text.len().min(16)]);
                record(
                    target,
                    [0, 0],
                    NOTIFY,
                    0,
                    1000 + pid as u32,
                    8 << 20,
                    cpu,
                    &name,
                );
            }
        }
        while target.len() < length {
            let submits = (stream.submits < self.requests).then_some(stream.submits * STEP);
            let completes = (stream.completes < self.requests)
                .then_some((stream.completes + depth) * STEP + 3000);
            let is_end = match (submits, completes) {
                (Some(begin), Some(end)) => end < begin,
                (None, None) => return,
                (submits, _) => submits.is_none(),
            };
            let request = if is_end {
                stream.completes
            } else {
                stream.submits
            };
            let random = mixed(request ^ seed << 48);
            let device = random % devices;
            let number = (8 << 20) + device as u32;
            let pid = 1000 + ((random >> 16) % processes) as u32;
            let sector = (random >> 20) % (1 << 30) * 8;
            let sequence = &mut stream.sequences[device as usize];
            let mut event = |after: u64, action: u32| {
                *sequence += 1;
                let time = 1_000_000_000
                    + if is_end {
                        (request + depth) * STEP + 3000
                    } else {
                        request * STEP + after
                    };
                record(
                    target,
                    [u64::from(*sequence), time],
                    action | WRITE,
                    sector,
                    pid,
                    number,
                    cpu,
                    &[],
                );
            };
            if is_end {
                event(0, COMPLETE | FS | 8);
                stream.completes += files;
                continue;
            }
            event(0, QUEUE | 1);
            event(500, QUEUE | 4);
            event(1500, ISSUE | FS | 7);
            for n in 0..messages {
                let text =
                    format!("cfq1234S / sl_used={request} disp={n} charge=8 iops=0 sect=2048");
                let time = 1_000_000_000 + request * STEP + 1500 + n;
                record(
                    target,
                    [0, time],
                    NOTIFY | MESSAGE,
                    0,
                    pid,
                    number,
                    cpu,
                    text.as_bytes(),
                );
            }
            stream.submits += files;
        }
    }
}

/// Writes a record of version 7, little-endian; the layout is in `core/src/format/blktrace.rs`.
/// Requests have 4 KiB.
#[allow(clippy::too_many_arguments)]
fn record(
    target: &mut Vec<u8>,
    [sequence, time]: [u64; 2],
    action: u32,
    sector: u64,
    pid: u32,
    device: u32,
    cpu: u32,
    payload: &[u8],
) {
    let bytes: u32 = if action & NOTIFY == 0 { 4096 } else { 0 };
    target.extend(0x6561_7407_u32.to_le_bytes());
    target.extend((sequence as u32).to_le_bytes());
    target.extend(time.to_le_bytes());
    target.extend(sector.to_le_bytes());
    for word in [
        bytes,
        action,
        pid,
        device,
        cpu,
        (payload.len() as u32) << 16,
    ] {
        target.extend(word.to_le_bytes());
    }
    target.extend(payload);
}
