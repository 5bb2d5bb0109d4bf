//! When a CPU's events were lost: the text reports it between the last event before and the first
//! one after.

use crate::LostSpan;
use seekscope_trace::limits::clamped;

/// CPUs that are followed.
const CPUS: usize = 1 << 12;
/// Spans that are kept.
const MAX_SPANS: usize = 1 << 12;

#[derive(Clone, Copy, Debug, Default)]
struct Cpu {
    last: Option<u64>,
    lost: u64,
}

/// Follows the CPUs of a text.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    cpus: Vec<Cpu>,
    /// Found so far.
    pub spans: Vec<LostSpan>,
}

impl Losses {
    fn cpu(&mut self, cpu: u32) -> Option<&mut Cpu> {
        let i = usize::try_from(cpu).ok().filter(|&i| i < CPUS)?;
        if i >= self.cpus.len() {
            self.cpus.resize(i + 1, Cpu::default());
        }
        self.cpus.get_mut(i)
    }

    /// A CPU lost so many events since its last one.
    pub fn lost(&mut self, cpu: u32, events: u64) {
        if let Some(cpu) = self.cpu(cpu) {
            cpu.lost = clamped(cpu.lost.saturating_add(events));
        }
    }

    /// A CPU's next event.
    #[inline]
    pub fn event(&mut self, cpu: u32, time: u64) {
        let Some(state) = self.cpu(cpu) else { return };
        let (from, events) = (
            state.last.replace(time).unwrap_or(time),
            std::mem::take(&mut state.lost),
        );
        if events > 0 && self.spans.len() < MAX_SPANS {
            self.spans.push(LostSpan {
                cpu,
                from: from.min(time),
                to: time,
                events,
            });
        }
    }
}
