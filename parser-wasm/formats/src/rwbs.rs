//! The letters of the kernel and the native tools for operation and flags.
//!
//! `F` for a preflush, the operation, then F (FUA), A (readahead), S (sync), M (metadata), B
//! (barrier, before 2.6.37), U (atomic).

use seekscope_trace::event::{Flags, ZoneAction};

/// The flags of `letters`; `None` if they are invalid. `sectors` distinguishes the operations for
/// which older kernels have no letter: an `N` with a length is a write of zeroes.
pub fn flags(letters: &[u8], sectors: u64) -> Option<Flags> {
    let (preflush, letters) = match letters {
        [b'F', rest @ ..]
            if matches!(rest.first(), Some(b'W' | b'D' | b'R' | b'N' | b'F' | b'Z')) =>
        {
            (Flags::FLUSH, rest)
        }
        _ => (Flags::default(), letters),
    };
    let (operation, rest) = match letters {
        [b'W', b'Z', rest @ ..] => (Flags::WRITE | Flags::WRITE_ZEROES, rest),
        [b'W', rest @ ..] => (Flags::WRITE, rest),
        [b'D', b'E', rest @ ..] | [b'D', rest @ ..] => (Flags::WRITE | Flags::DISCARD, rest),
        [b'R', rest @ ..] => (Flags::READ, rest),
        [b'F', rest @ ..] => (Flags::READ | Flags::FLUSH, rest),
        [b'Z', b'R', b'A', rest @ ..] => (Flags::of_zone(ZoneAction::ResetAll), rest),
        [b'Z', b'A', rest @ ..] => (Flags::of_zone(ZoneAction::Append), rest),
        [b'Z', b'R', rest @ ..] => (Flags::of_zone(ZoneAction::Reset), rest),
        [b'Z', b'F', rest @ ..] => (Flags::of_zone(ZoneAction::Finish), rest),
        [b'Z', b'O', rest @ ..] => (Flags::of_zone(ZoneAction::Open), rest),
        [b'Z', b'C', rest @ ..] => (Flags::of_zone(ZoneAction::Close), rest),
        [b'N', rest @ ..] if sectors > 0 => (Flags::WRITE | Flags::WRITE_ZEROES, rest),
        [b'N', rest @ ..] => (Flags::READ, rest),
        _ => return None,
    };
    rest.iter().try_fold(preflush | operation, |flags, letter| {
        Some(
            flags
                | match letter {
                    b'F' => Flags::FUA,
                    b'A' => Flags::AHEAD,
                    b'S' => Flags::SYNC,
                    b'M' => Flags::META,
                    b'B' => Flags::FLUSH,
                    b'U' => Flags::default(),
                    _ => return None,
                },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_as_the_tools_print_them_again() {
        for (letters, sectors, again) in [
            ("R", 8, "R"),
            ("RAM", 8, "RAM"),
            ("WS", 8, "WS"),
            ("FWFSM", 8, "FWFSM"),
            ("FWS", 0, "FWS"),
            ("FF", 0, "FN"),
            ("F", 0, "FN"),
            ("FS", 0, "FNS"),
            ("FN", 0, "FN"),
            ("DS", 8, "DS"),
            ("DE", 8, "D"),
            ("WZS", 8, "WS"),
            ("NS", 8, "WS"),
            ("N", 0, "N"),
            ("WSU", 8, "WS"),
            ("ZRA", 0, "ZRA"),
            ("ZRAS", 0, "ZRAS"),
            ("ZR", 0, "ZR"),
            ("ZRS", 0, "ZRS"),
            ("ZF", 0, "ZF"),
            ("ZO", 0, "ZO"),
            ("ZC", 0, "ZC"),
            ("ZAS", 8, "ZAS"),
            ("WB", 8, "FW"),
        ] {
            let flags = flags(letters.as_bytes(), sectors).unwrap();
            assert_eq!(flags.rwbs((sectors * 512) as u32), again, "{letters}");
        }
    }

    #[test]
    fn other_words_are_refused() {
        for word in ["", "S", "8", "zone", "WX", "be,0,4", "Z"] {
            assert_eq!(flags(word.as_bytes(), 8), None, "{word}");
        }
    }
}
