//! What the order of one section of a recording has to know of the section before it.

use super::queue::{CpuStream, FileQueue, MAX_GAPS};
use super::{Order, OrderedRef, SequenceGap};
use serde::{Deserialize, Serialize};

/// The streams of a file in a section, and what is missing in them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FileStreams {
    streams: Vec<CpuStream>,
    lost: u64,
    gaps: u64,
    kept_gaps: Vec<SequenceGap>,
}

impl Order {
    /// A file gives no more for the time being: others still wait for it.
    pub fn pause(&mut self, file: usize) {
        self.queues[file].paused = true;
        self.turns.settle(file, &self.queues[file], &self.kinds);
    }

    /// Ends the pause of all files.
    pub fn resume(&mut self) {
        for (file, queue) in self.queues.iter_mut().enumerate() {
            (queue.closed, queue.paused) = (false, false);
            self.turns.settle(file, queue, &self.kinds);
        }
    }

    /// Emits all that waits: what comes is later.
    pub fn drain(&mut self, sink: impl FnMut(OrderedRef<'_>)) {
        for (file, queue) in self.queues.iter_mut().enumerate() {
            queue.closed = true;
            self.turns.settle(file, queue, &self.kinds);
        }
        self.release(sink);
        for (file, queue) in self.queues.iter_mut().enumerate() {
            queue.closed = false;
            self.turns.settle(file, queue, &self.kinds);
        }
    }

    /// Forgets what was missing so far: a section begins here.
    pub fn begin(&mut self) {
        self.queues.iter_mut().for_each(FileQueue::begin);
    }

    /// Whether no file was out of order and no clock stepped back: only then can sections be
    /// joined.
    pub fn is_steady(&self) -> bool {
        self.merges() && self.queues.iter().all(|queue| queue.steps.is_empty())
    }

    /// The latest time, of the trace clock.
    pub fn last(&self) -> u64 {
        self.queues
            .iter()
            .map(|queue| queue.last)
            .max()
            .unwrap_or(0)
    }

    /// The streams of each file, for [`Order::join`].
    pub fn into_streams(self) -> Vec<FileStreams> {
        let streams_of = |queue: FileQueue| {
            let FileQueue {
                streams,
                lost,
                gaps,
                kept_gaps,
                ..
            } = queue;
            FileStreams {
                streams,
                lost,
                gaps,
                kept_gaps,
            }
        };
        self.queues.into_iter().map(streams_of).collect()
    }

    /// Whether the sections' streams are those of the same files, one after the other.
    pub fn continues(&self, next: &[FileStreams]) -> bool {
        next.len() == self.queues.len()
            && self
                .queues
                .iter()
                .zip(next)
                .all(|(queue, next)| queue.continues(&next.streams))
    }

    /// Goes on behind a section that another worker read, and that [`Order::continues`] this one.
    pub fn join(&mut self, next: Vec<FileStreams>) {
        for (queue, next) in self.queues.iter_mut().zip(next) {
            queue.join(next);
        }
    }
}

impl FileQueue {
    fn begin(&mut self) {
        (self.lost, self.gaps) = (0, 0);
        self.kept_gaps.clear();
        for stream in &mut self.streams {
            stream.began = Some((stream.last, stream.sequence));
        }
    }

    /// The stream of the same CPU and device.
    fn like(&self, other: &CpuStream) -> Option<usize> {
        self.index.get(&(other.cpu, other.device)).copied()
    }

    fn continues(&self, next: &[CpuStream]) -> bool {
        next.iter().all(|next| {
            match (
                self.like(next).map(|index| &self.streams[index]),
                next.began,
            ) {
                (Some(ended), Some(began)) => {
                    ended.last == began.0 && (ended.sequence == began.1 || began.1 == 0)
                }
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => true,
            }
        })
    }

    fn join(&mut self, next: FileStreams) {
        for next in next.streams {
            let Some(index) = self.like(&next) else {
                self.index
                    .insert((next.cpu, next.device), self.streams.len());
                self.last = self.last.max(next.last);
                self.streams.push(CpuStream {
                    began: None,
                    ..next
                });
                continue;
            };
            let stream = &mut self.streams[index];
            let (cpu, device, last, sequence) =
                (stream.cpu, stream.device, stream.last, stream.sequence);
            (stream.last, stream.sequence) = (
                next.last,
                if next.sequence == 0 {
                    sequence
                } else {
                    next.sequence
                },
            );
            self.last = self.last.max(next.last);
            if let Some(first) = next
                .first
                .filter(|_| sequence != 0 && next.began.is_none_or(|began| began.1 == 0))
            {
                let events = u64::from(first.sequence.saturating_sub(sequence).saturating_sub(1));
                if events > 0 {
                    self.note_gap(SequenceGap {
                        cpu,
                        device,
                        from: last.max(first.before),
                        to: first.time,
                        events,
                    });
                }
            }
        }
        self.lost = self.lost.saturating_add(next.lost);
        self.gaps += next.gaps;
        self.kept_gaps.extend(next.kept_gaps);
        self.kept_gaps.truncate(MAX_GAPS);
    }
}
