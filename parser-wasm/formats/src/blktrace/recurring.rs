//! Headers that occur again and again: of events that differ in task, time, sector and sequence
//! number only. Such a header is decoded once. With the task, a recording of thousands of tasks
//! would have more headers than a cache holds.

use super::record::CGROUP_ID;
use super::{EventTime, V8_HEADER};
use crate::RecordSink;
use seekscope_trace::event::{Event, EventDetail};
use seekscope_trace::kinds::{KindWords, Kinds};

/// Headers of a file that are kept: more than a recording has, unless it was made up.
const MAX_HEADERS: usize = 1 << 14;

/// The part of a header that recurs, as it was decoded before.
#[derive(Clone, Copy, Debug)]
pub struct KnownHead {
    /// The number by which the sink takes such events.
    pub number: u32,
    /// When the first of them was recorded.
    pub first: EventTime,
    /// Bytes of its payload: 0, or those of a cgroup id.
    pub payload: usize,
}

/// The headers of a file that are known.
#[derive(Clone, Debug, Default)]
pub struct KnownHeads {
    numbers: Kinds<KindWords>,
    heads: Vec<KnownHead>,
}

/// The words by which headers are compared: everything but the magic, time, sector, task and
/// sequence number, as it is in the file, from byte 24 on.
pub struct HeadWords;

impl HeadWords {
    /// The words of a header of either version.
    #[inline(always)]
    pub fn from_header<const HEADER: usize>(head: &[u8; HEADER]) -> KindWords {
        let word = |offset: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&head[offset..offset + 8]);
            u64::from_le_bytes(bytes)
        };
        const LOW: u64 = 0xffff_ffff;
        if HEADER == V8_HEADER {
            // The bytes behind the length of the payload are reserved.
            [word(24) & LOW, word(32), word(40), word(48) & LOW]
        } else {
            [word(24), word(32) & !LOW, word(40), 0]
        }
    }
}

impl KnownHeads {
    #[inline(always)]
    pub fn find(&self, words: &KindWords) -> Option<&KnownHead> {
        self.heads.get(self.numbers.find(words)? as usize)
    }

    /// Notes the header of an event that the sink has taken, if nothing else of such events is in
    /// their payload, and the sink knows them by a number.
    #[cold]
    pub fn note(
        &mut self,
        words: KindWords,
        e: &Event,
        first: EventTime,
        payload: usize,
        sink: &mut impl RecordSink,
    ) {
        // An id of a cgroup, which events do not keep, is the only payload without a detail.
        if self.heads.len() < MAX_HEADERS
            && e.detail == EventDetail::None
            && (payload == 0 || payload == CGROUP_ID)
            && let Some(number) = sink.number(e)
        {
            self.numbers.add(words);
            self.heads.push(KnownHead {
                number,
                first,
                payload,
            });
        }
    }
}
