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
use crate::event::Action;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::TraceBuilder;

    /// D of 8 sectors by task 762 on CPU 1 of 259,0: made from the layout above, there is no
    /// recording of it.
    fn made(big: bool) -> Vec<u8> {
        let word = |n: u32| {
            if big {
                n.to_be_bytes()
            } else {
                n.to_le_bytes()
            }
        };
        let long = |n: u64| {
            if big {
                n.to_be_bytes()
            } else {
                n.to_le_bytes()
            }
        };
        let action = 0x0142_0007u64;
        [
            &word(0x6561_7407)[..],
            &word(0),
            &long(1000),
            &long(24704),
            &word(4096),
            &word(762),
            &long(action),
            &word(259 << 20),
            &word(1),
        ]
        .concat()
    }

    #[test]
    fn it_is_named() {
        for big in [false, true] {
            let endian = if big { Endian::Big } else { Endian::Little };
            assert!(is_one(&made(big), endian));
            let file = [made(big), made(big)].concat();
            let error =
                TraceBuilder::read("trace", &[("trace", &file)]).expect_err("it is not shown");
            assert_eq!(error.code, "broken-bin-output");
            // A dump of version 8 with the mark of version 7 has 64 bytes, of which the first 48
            // look alike.
            let wide = [made(big), vec![0; 16]].concat();
            let store = TraceBuilder::read("dump", &[("dump", &[wide.clone(), wide].concat())])
                .expect("it is shown");
            assert_eq!(
                (store.events.len(), store.quality.warnings[0].code.as_str()),
                (2, "mixed-layout")
            );
            // Records that are cut short are not recognised.
            assert!((0..48).all(|n| !is_one(&made(big)[..n], endian)), "{big}");
        }
    }
}
