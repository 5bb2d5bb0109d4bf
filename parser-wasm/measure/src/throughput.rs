//! Completed bytes and requests per second.
//!
//! Completions between first Q and last C, divided by that time, without discards, flushes and
//! passthrough. A request that completes in parts counts once per part, as in the native tools.

use super::per_second;
use seekscope_trace::event::{Flags, Op};
use serde::Serialize;

/// Totals of completions with data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletionCounter {
    pub read_bytes: u64,
    pub write_bytes: u64,
    /// Number of reads and writes.
    pub ios: u64,
}

/// The mean rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Throughput {
    /// Bytes read per second.
    pub read_bps: f64,
    /// Bytes written per second.
    pub write_bps: f64,
    /// Reads and writes that completed per second.
    pub iops: f64,
}

impl CompletionCounter {
    #[inline]
    pub fn add(&mut self, flags: Flags, bytes: u32, n: u64) {
        if bytes == 0 || flags.has(Flags::PC) {
            return;
        }
        match flags.op(bytes) {
            Op::Read => self.read_bytes += n * u64::from(bytes),
            Op::Write => self.write_bytes += n * u64::from(bytes),
            Op::Discard | Op::Flush => return,
        }
        self.ios += n;
    }

    /// These without others that are among them.
    #[must_use]
    pub fn without(
        self,
        CompletionCounter {
            read_bytes,
            write_bytes,
            ios,
        }: CompletionCounter,
    ) -> CompletionCounter {
        CompletionCounter {
            read_bytes: self.read_bytes.saturating_sub(read_bytes),
            write_bytes: self.write_bytes.saturating_sub(write_bytes),
            ios: self.ios.saturating_sub(ios),
        }
    }

    /// The mean rates over `ns`.
    pub fn over(&self, ns: u64) -> Throughput {
        Throughput {
            read_bps: per_second(self.read_bytes, ns),
            write_bps: per_second(self.write_bytes, ns),
            iops: per_second(self.ios, ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discards_and_flushes_are_apart() {
        let mut c = CompletionCounter::default();
        c.add(Flags::READ, 4096, 1);
        c.add(Flags::WRITE | Flags::FLUSH, 8192, 1);
        c.add(Flags::WRITE | Flags::FLUSH, 0, 1);
        c.add(Flags::WRITE | Flags::DISCARD, 1 << 30, 1);
        c.add(Flags::READ | Flags::PC, 36, 1);
        assert_eq!(
            c.over(500_000_000),
            Throughput {
                read_bps: 8192.0,
                write_bps: 16384.0,
                iops: 4.0
            }
        );
        assert_eq!(c.over(0), Throughput::default());
    }
}
