//! Lines as a mailer, a pager, a filter or a terminal changed them. Only lines that no dialect
//! takes come here, and the first lines of a text.

use crate::text::scan::Scan;

/// Bytes at the start of a line in which an event may begin.
const MAX_PREFIX: usize = 160;
const MONTHS: [&[u8]; 12] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// What a page or a terminal shows as something else, and what that is. Escape sequences are found
/// by their form.
const SHOWN: [(&[u8], &[u8]); 22] = [
    // `^C` that ends a live session, before the last event.
    (b"^C", b""),
    (b"<br>", b""),
    (b"<br/>", b""),
    (b"<br />", b""),
    (b"<BR>", b""),
    (b"&nbsp;", b" "),
    (b"&#160;", b" "),
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
    (b"&amp;", b"&"),
    // U+00A0, U+2002 to U+200A, U+202F, U+3000; U+200B and U+FEFF have no width.
    (b"\xc2\xa0", b" "),
    (b"\xe2\x80\x82", b" "),
    (b"\xe2\x80\x83", b" "),
    (b"\xe2\x80\x87", b" "),
    (b"\xe2\x80\x88", b" "),
    (b"\xe2\x80\x89", b" "),
    (b"\xe2\x80\x8a", b" "),
    (b"\xe2\x80\x8b", b""),
    (b"\xe2\x80\xaf", b" "),
    (b"\xe3\x80\x80", b" "),
    (b"\xef\xbb\xbf", b""),
    (b"\r", b""),
];

/// The line as a person sees it; `None` where that is the same.
pub fn shown(line: &[u8]) -> Option<Vec<u8>> {
    let bar = line.trim_ascii_end().ends_with(b"|");
    let marked = |b: &u8| matches!(b, 0x1b | b'^' | b'<' | b'&' | b'\r' | 0x80..);
    if !bar && !line.iter().any(marked) {
        return None;
    }
    let mut text = Vec::with_capacity(line.len());
    let mut rest = line;
    while let [first, after @ ..] = rest {
        if !marked(first) {
            text.push(*first);
            rest = after;
        } else if *first == 0x1b {
            rest = behind_escape(after);
        } else if let Some((seen, shown)) = SHOWN.iter().find(|(seen, _)| rest.starts_with(seen)) {
            text.extend_from_slice(shown);
            rest = &rest[seen.len()..];
        } else {
            text.push(*first);
            rest = after;
        }
    }
    // The last border of a table.
    while bar && matches!(text.last(), Some(b'|' | b' ')) {
        text.pop();
    }
    (text != line).then_some(text)
}

/// After the escape byte: a control sequence ends with a letter, a command to the terminal with
/// BEL.
fn behind_escape(rest: &[u8]) -> &[u8] {
    let end = match rest {
        [b'[', body @ ..] => body
            .iter()
            .position(|b| (0x40..0x7f).contains(b))
            .map(|index| index + 2),
        [b']', body @ ..] => body.iter().position(|b| *b == 7).map(|index| index + 2),
        _ => Some(1),
    };
    &rest[end.unwrap_or(rest.len()).min(rest.len())..]
}

/// Places at which an event may begin after something else: `c 1024 --   9,10 ...`.
pub fn event_places(line: &[u8]) -> impl Iterator<Item = usize> {
    let head = &line[..line.len().min(MAX_PREFIX)];
    (1..head.len()).filter(|&place| {
        head[place].is_ascii_digit()
            && !head[place - 1].is_ascii_alphanumeric()
            && !b",.(-+".contains(&head[place - 1])
    })
}

/// The line behind a prefix of one kind; `None` if it has none.
type PrefixShape = fn(&[u8]) -> Option<&[u8]>;

/// The line without what grep, cat, a logger or a list put before it; `None` if it has nothing of
/// that kind.
pub fn without_prefix(line: &[u8]) -> Option<&[u8]> {
    let shapes: [PrefixShape; 7] = [
        logged, stamped, numbered, of_file, listed, emphasized, quoted,
    ];
    let mut rest = line;
    // `file:12:`, and a quotation of a log.
    for _ in 0..3 {
        match shapes.iter().find_map(|shape| shape(rest)) {
            Some(after) => rest = after,
            None => break,
        }
    }
    (rest.len() < line.len()).then_some(rest)
}

/// `12:` and `12-` of `grep -n`, `    12\t` of `cat -n`, `12. ` of a list.
fn numbered(line: &[u8]) -> Option<&[u8]> {
    let mut scan = Scan(line);
    scan.blanks().number()?;
    match scan.0 {
        [b':' | b'\t', rest @ ..] => Some(rest),
        [b'-', rest @ ..] if rest.first().is_none_or(|b| *b == b' ') => Some(rest),
        [b'.', rest @ ..] if rest.first() == Some(&b' ') => Some(rest),
        _ => None,
    }
}

/// `trace.txt:` of `grep -H`.
fn of_file(line: &[u8]) -> Option<&[u8]> {
    let end = line.iter().position(|b| matches!(b, b':' | b' ' | b'\t'))?;
    let (name, rest) = line.split_at(end);
    let rest = rest.strip_prefix(b":")?;
    let next = rest.first()?;
    let in_folder = name.contains(&b'/')
        && !name.starts_with(b"kworker")
        && (next.is_ascii_digit() || matches!(next, b' ' | b'\t'));
    (name.contains(&b'.') || in_folder).then_some(rest)
}

/// Bytes of `10:11:12`, `10:11:12.123+00:00`.
fn clock_length(text: &[u8]) -> Option<usize> {
    let shape = |(index, b): (usize, &u8)| match index {
        2 | 5 => *b == b':',
        _ => b.is_ascii_digit(),
    };
    if text.len() < 8 || !text[..8].iter().enumerate().all(shape) {
        return None;
    }
    let more = text[8..]
        .iter()
        .take_while(|b| b.is_ascii_digit() || b".,+:Z-".contains(b))
        .count();
    Some(8 + more)
}

/// Bytes of `Jan 12 10:00:01 `, `2026-01-12T10:00:01+0000 `, `2026-01-12 10:00:01 `.
fn stamp_length(line: &[u8]) -> Option<usize> {
    let time_at = if line.get(..3).is_some_and(|month| MONTHS.contains(&month)) {
        let mut scan = Scan(&line[3..]);
        scan.gap()?;
        scan.number()?;
        scan.gap()?;
        line.len() - scan.0.len()
    } else {
        let date = line.get(..10)?;
        (date.iter().filter(|b| **b == b'-').count() == 2 && date[0].is_ascii_digit())
            .then_some(11)?
    };
    let end = time_at + clock_length(line.get(time_at..)?)?;
    matches!(line.get(end), None | Some(b' ' | b'\t' | b']')).then_some(end)
}

/// A time, host and program of syslog or journalctl: `Jan 12 10:00:01 host blkparse[123]: `.
fn logged(line: &[u8]) -> Option<&[u8]> {
    let mut scan = Scan(line.get(stamp_length(line)?..)?);
    scan.gap()?;
    let host = scan.token();
    scan.gap()?;
    let program = scan.token();
    let named = !host.is_empty() && !host.contains(&b':') && program.ends_with(b":");
    let after = scan.0.strip_prefix(b" ").unwrap_or(scan.0);
    named.then_some(after)
}

/// `Jan 12 10:00:01 ` of `ts`, `[10:00:01] `, `[2026-01-12 10:00:01] `.
fn stamped(line: &[u8]) -> Option<&[u8]> {
    if let Some(inner) = line.strip_prefix(b"[") {
        let end = stamp_length(inner).or_else(|| clock_length(inner))?;
        return inner[end..].strip_prefix(b"]")?.strip_prefix(b" ");
    }
    let end = stamp_length(line).or_else(|| clock_length(line))?;
    line[end..].strip_prefix(b" ")
}

/// `* `, `- `, `+ ` of a list or patch, `| ` of a table, `# ` of a script.
fn listed(line: &[u8]) -> Option<&[u8]> {
    match line.trim_ascii_start() {
        [b'*' | b'-' | b'+' | b'|' | b'#', rest @ ..]
            if rest.first().is_none_or(|b| *b == b' ') =>
        {
            Some(rest)
        }
        _ => None,
    }
}

/// The words between marks of Markdown: `` `8,0 ...` ``, `*8,0 ...*`.
fn emphasized(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    let mark = *line.first()?;
    if !matches!(mark, b'`' | b'*' | b'_') {
        return None;
    }
    let count = line.iter().take_while(|b| **b == mark).count();
    let (marks, rest) = line.split_at(count);
    rest.strip_suffix(marks)
}

/// `JA> `
fn quoted(line: &[u8]) -> Option<&[u8]> {
    let initials = line.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let rest = line[initials..].strip_prefix(b">")?;
    (initials <= 3).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_as_it_is_seen() {
        let cases: [(&[u8], &[u8]); 6] = [
            (b"a \x1b[01;31m\x1b[KW\x1b[m\x1b[K b", b"a W b"),
            (b"^C8,0 x", b"8,0 x"),
            (b"a\xc2\xa0\xc2\xa0b<br>", b"a  b"),
            (b"a &lt;- b |", b"a <- b"),
            (b"\x1b]0;title\x07a", b"a"),
            (b"a\x1b[", b"a"),
        ];
        for (line, expected) in cases {
            assert_eq!(shown(line).as_deref(), Some(expected));
        }
        assert_eq!(shown(b"  8,0  0  1  0.0 5 Q W 1 + 8 [a]"), None);
        assert_eq!(shown("kw\u{e9}".as_bytes()), None);
    }

    #[test]
    fn prefixes_of_tools() {
        for line in [
            "12:  dd-1",
            "12-  dd-1",
            "    12\t  dd-1",
            "trace.txt:12:  dd-1",
            "run/trace.txt:  dd-1",
            "Jan 12 10:00:01 host blkparse[123]:   dd-1",
            "2026-01-12T10:00:01+0000 host x:   dd-1",
            "Jan 12 10:00:01   dd-1",
            "[10:00:01]   dd-1",
            "[2026-01-12 10:00:01]   dd-1",
            "10:00:01.123456   dd-1",
            "*   dd-1",
            "|   dd-1",
            "#   dd-1",
            "12. dd-1",
            "`  dd-1`",
            "  **dd-1**",
            "3. `dd-1`",
            "JA>   dd-1",
            "JA> 12:  dd-1",
        ] {
            let rest = without_prefix(line.as_bytes()).map(<[u8]>::trim_ascii);
            assert_eq!(rest, Some(&b"dd-1"[..]), "{line}");
        }
        for line in [
            "  dd-1 [000] ..... 1.5: block_plug: [dd]",
            "  1733 [003] 1.000007: block:block_plug: [x]",
            "kworker/0:1H-kb    56 [000]   133.4: block:x: 1",
            "a-1 b",
            "",
        ] {
            assert_eq!(without_prefix(line.as_bytes()), None, "{line}");
        }
    }
}
