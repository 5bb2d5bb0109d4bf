//! Counts what was read and unpacked against the limits, and collects problems.

use crate::kind::ContainerKind;
use crate::problem::{ArchiveProblem, Limit, TooLarge};
use std::cell::{Cell, RefCell};
use std::io;

/// Limits of unpacking: 8 GiB and the ratio protect against decompression bombs, depth and entries
/// against archives that contain themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes unpacked from one file, in all layers.
    pub bytes: u64,
    /// Unpacked bytes per byte of the file, applied once more than `ratio_from` bytes are unpacked.
    pub ratio: u64,
    /// Small files of zeros have high ratios legitimately.
    pub ratio_from: u64,
    /// Nested containers that are opened.
    pub depth: usize,
    /// Entries of one file, in all layers.
    pub entries: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 8 << 30,
            ratio: 1000,
            ratio_from: 256 << 20,
            depth: 4,
            entries: 100_000,
        }
    }
}

impl Limits {
    /// Only the limit that stops archives that contain themselves.
    pub fn none() -> Limits {
        Limits {
            bytes: u64::MAX,
            ratio: u64::MAX,
            ratio_from: u64::MAX,
            depth: 16,
            entries: u64::MAX,
        }
    }
}

/// Limit for the window or dictionary of an xz or zstd stream, MiB, by the number of those around
/// it that are open: those of all layers are in memory at once. `zstd --long` needs 128 MiB, `xz
/// -9` 65 MiB.
const MAX_WINDOW: [u64; 3] = [128, 68, 16];

/// An xz or zstd stream that is being read.
pub(crate) struct OpenWindow<'m> {
    open: &'m Cell<usize>,
    /// Limit for the window, bytes.
    pub(crate) limit: u64,
}

impl Drop for OpenWindow<'_> {
    fn drop(&mut self) {
        self.open.set(self.open.get() - 1);
    }
}

/// Shared by all layers of one file.
pub(crate) struct Meter {
    pub(crate) file: String,
    pub(crate) size: u64,
    pub(crate) limits: Limits,
    /// Bytes of the file that were read.
    pub(crate) taken: Cell<u64>,
    unpacked: Cell<u64>,
    /// Streams that were begun, and bytes whose unpacking takes as long as their beginning.
    streams: Cell<(u64, u64)>,
    entries: Cell<u64>,
    windows: Cell<usize>,
    /// Failed reads, each reported once: upper layers pass on errors of lower ones.
    pub(crate) faults: Cell<u64>,
    /// Where a truncation was reported last: bytes of the file that were read, number of entries.
    truncated_at: Cell<Option<(u64, u64)>>,
    /// Whether reading must stop.
    pub(crate) stopped: Cell<bool>,
    pub(crate) problems: RefCell<Vec<ArchiveProblem>>,
}

impl Meter {
    pub(crate) fn new(file: &str, size: u64, limits: Limits) -> Meter {
        Meter {
            file: file.to_owned(),
            size,
            limits,
            taken: Cell::default(),
            unpacked: Cell::default(),
            streams: Cell::default(),
            entries: Cell::default(),
            windows: Cell::default(),
            faults: Cell::default(),
            truncated_at: Cell::default(),
            stopped: Cell::default(),
            problems: RefCell::default(),
        }
    }

    pub(crate) fn open_window(&self) -> OpenWindow<'_> {
        let around = self.windows.replace(self.windows.get() + 1);
        OpenWindow {
            open: &self.windows,
            limit: MAX_WINDOW[around.min(MAX_WINDOW.len() - 1)] << 20,
        }
    }

    pub(crate) fn report(&self, problem: ArchiveProblem) {
        self.problems.borrow_mut().push(problem);
    }

    /// Reports damage, or truncation if `words` is `None`, unless a lower layer has reported it
    /// since `faults` was `before`.
    pub(crate) fn damaged(
        &self,
        what: ContainerKind,
        inside: &str,
        words: Option<&str>,
        before: u64,
    ) -> io::Error {
        if self.faults.get() == before {
            self.faults.set(before + 1);
            let byte = self.taken.get();
            // Truncation affects all layers around an entry; the innermost reports it.
            let place = (byte, self.entries.get());
            let truncated_at = words.is_none().then_some(place);
            let is_repeated = self.truncated_at.replace(truncated_at) == Some(place);
            if words.is_some() || !is_repeated {
                self.report(ArchiveProblem::Damaged {
                    file: self.file.clone(),
                    inside: inside.to_owned(),
                    what,
                    words: words.map(str::to_owned),
                    byte,
                    size: self.size,
                });
            }
        }
        io::Error::other("already reported")
    }

    /// Reports data that need too much memory, unless a lower layer has reported something since
    /// `faults` was `before`.
    pub(crate) fn too_large(
        &self,
        what: ContainerKind,
        inside: &str,
        needs: TooLarge,
        before: u64,
    ) -> io::Error {
        if self.faults.get() == before {
            self.faults.set(before + 1);
            let (file, inside) = (self.file.clone(), inside.to_owned());
            self.report(ArchiveProblem::TooLarge {
                file,
                inside,
                what,
                needs,
            });
        }
        io::Error::other("already reported")
    }

    pub(crate) fn stop(&self) -> io::Error {
        self.faults.set(self.faults.get() + 1);
        self.stopped.set(true);
        io::Error::other("stopped")
    }

    fn breach(&self, limit: Limit) -> io::Error {
        if !self.stopped.get() {
            self.report(ArchiveProblem::Limit {
                file: self.file.clone(),
                limit,
                byte: self.taken.get(),
                size: self.size,
            });
        }
        self.stop()
    }

    pub(crate) fn unpacked(&self, bytes: usize) -> io::Result<()> {
        let unpacked = self.unpacked.get() + bytes as u64;
        self.unpacked.set(unpacked);
        if unpacked > self.limits.bytes {
            return Err(self.breach(Limit::Bytes(self.limits.bytes)));
        }
        if unpacked > self.limits.ratio_from && unpacked / self.limits.ratio > self.taken.get() {
            return Err(self.breach(Limit::Ratio(self.limits.ratio)));
        }
        Ok(())
    }

    /// Counts a compressed stream whose beginning takes as long as unpacking so many bytes: what a
    /// stream costs at least is paid by the bytes of the file, as what it unpacks to is.
    pub(crate) fn stream(&self, cost: u64) -> io::Result<()> {
        let (streams, costs) = self.streams.get();
        let (streams, costs) = (streams + 1, costs + cost);
        self.streams.set((streams, costs));
        if costs > self.limits.ratio_from && costs / self.limits.ratio > self.taken.get() {
            return Err(self.breach(Limit::Streams(streams)));
        }
        Ok(())
    }

    /// Counts an entry, of `size` bytes if its header has a size.
    pub(crate) fn entry(&self, size: Option<u64>) -> io::Result<()> {
        self.entries.set(self.entries.get() + 1);
        if self.entries.get() > self.limits.entries {
            return Err(self.breach(Limit::Entries(self.limits.entries)));
        }
        match size {
            Some(size) if size > self.limits.bytes => Err(self.breach(Limit::Header {
                size,
                limit: self.limits.bytes,
            })),
            _ => Ok(()),
        }
    }
}
