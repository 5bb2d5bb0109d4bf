//! The `blk` tracer's option `bin` from Linux 6.19 on writes records that are neither version 7 nor
//! version 8: 16 bytes of a version 7 header without a sequence, then 32 bytes of a version 8
//! record from its sector on.
//!
//! | offset | width | name | in version 7 |
//! |---:|---:|---|---|
//! | 0 | 4 | magic of version 7 | the same |
//! | 4 | 4 | 0 | sequence |
//! | 8 | 8 | time | the same |
//! | 16 | 12 | sector, bytes | the same |
//! | 28 | 4 | pid | action |
//! | 32 | 8 | action | pid, device |
//! | 40 | 4 | device | CPU |
//! | 44 | 4 | CPU | error, length of the payload |

use super::blktrace::Endian;
use super::fields::Fields;
use seekscope_trace::event::Action;

/// Category bit of records of the tracer itself, and the highest of its codes.
const NOTIFY: u64 = 1 << 26;
const MAX_NOTES: u16 = 2;
/// More CPUs than Linux can be built for.
const CPUS: u32 = 8192;

/// Bytes of the record.
const RECORD: usize = 48;

/// Whether a file with a version 7 magic begins with such a record.
pub fn is_one(head: &[u8], endian: Endian) -> bool {
    match (head.get(..RECORD), endian) {
        (None, _) => false,
        (Some(record), Endian::Big) => is_broken(&Fields::<true>(record)),
        (Some(record), Endian::Little) => is_broken(&Fields::<false>(record)),
    }
}

fn is_broken<const BIG: bool>(record: &Fields<'_, BIG>) -> bool {
    let valid = |action: u64| {
        let code = action as u16 & !0x100;
        action >> 16 != 0
            && if action & NOTIFY == 0 {
                Action::from_code(code).is_some()
            } else {
                code <= MAX_NOTES
            }
    };
    let (sequence, in_version_7, action) =
        (record.u32(4), u64::from(record.u32(28)), record.u64(32));
    let (device, cpu) = (record.u32(40), record.u32(44));
    sequence == 0
        && !valid(in_version_7)
        && valid(action)
        && (1..1 << 12).contains(&(device >> 20))
        && cpu < CPUS
}
