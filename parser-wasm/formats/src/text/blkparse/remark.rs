//! What people write behind an event: `8,0 1 5 0.010 0 C WS 5000 + 8 [0]   <--- 10 ms later`.

use super::{Blkparse, head};
use crate::text::lines::repair;
use crate::text::scan::Scan;
use seekscope_trace::event::Action;

/// The event of a line that goes on behind it. `None` where nothing follows it, or where another
/// event does: that one must not be lost.
pub fn without_remark(line: &[u8]) -> Option<&[u8]> {
    let mut scan = Scan(line);
    match head(&mut scan)?.action? {
        Action::Remap => remapped(&mut scan)?,
        action => {
            let end = bracket_end(scan.0)?;
            scan = Scan(&scan.0[end..]);
            if matches!(action, Action::Unplug | Action::UnplugTimer) {
                scan.blanks().number();
            }
        }
    }
    let remark = scan.0.trim_ascii();
    let is_event = |place: usize| Blkparse::looks_like(&remark[place..]);
    let has_event = std::iter::once(0)
        .chain(repair::event_places(remark))
        .any(is_event);
    (!remark.is_empty() && !has_event).then(|| &line[..line.len() - scan.0.len()])
}

/// Moves behind `1000 + 8 <- (8,1) 937`.
fn remapped(scan: &mut Scan<'_>) -> Option<()> {
    scan.blanks().number()?;
    scan.blanks().byte(b'+')?;
    scan.blanks().number()?;
    scan.blanks().word(b"<-")?;
    scan.blanks().byte(b'(')?;
    scan.blanks().device()?;
    scan.byte(b')')?;
    scan.blanks().number().map(|_| ())
}

/// Behind the first bracket that ends a word.
fn bracket_end(text: &[u8]) -> Option<usize> {
    let goes_on = |b: &u8| b.is_ascii_alphanumeric() || *b == b']';
    (1..=text.len()).find(|&end| text[end - 1] == b']' && !text.get(end).is_some_and(goes_on))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_what_follows_an_event() {
        for (event, remark) in [
            (
                "8,0 1 5 0.010003000 0 C WS 5000 + 8 [0]",
                "  <--- 10 ms later!",
            ),
            ("8,0 1 4 0.000003000 9 D WS 5000 + 8 [fio]", " (dispatched)"),
            ("8,0 1 4 0.000003000 9 Q WS 5000 + 8 [a [b]]", "`"),
            ("8,0 1 4 0.000003000 9 U N [fio] 12", " // 12 bios"),
            ("8,0 1 4 0.000003000 9 P N [fio]", "*"),
            ("8,0 1 4 0.000003000 9 X W 1000 / 1008 [fio]", " # split"),
            ("8,0 1 4 0.000003000 9 A W 1000 + 8 <- (8,1) 937", "*"),
        ] {
            let line = format!("{event}{remark}");
            let found = without_remark(line.as_bytes()).map(<[u8]>::trim_ascii);
            assert_eq!(found, Some(event.as_bytes()), "{line}");
            assert_eq!(without_remark(event.as_bytes()), None, "{event}");
        }
    }

    #[test]
    fn begins_of_wrapped_lines_and_second_events_are_no_remarks() {
        for line in [
            "8,0 1 4 0.000003000 9 Q WS 5000 + 8 [kworker/u16:3-",
            "8,0 1 4 0.000003000 9 A W 1000 + 8 <-",
            "8,0 1 4 0.0 9 D R 8 + 8 [a] 8,0 1 5 0.1 0 C R 8 + 8 [0]",
            "8,0 1 4 0.0 9 m N cfq9 [x] y",
        ] {
            assert_eq!(without_remark(line.as_bytes()), None, "{line}");
        }
    }
}
