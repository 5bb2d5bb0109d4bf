//! Lines by which a mail or a mailbox is recognised: its headers, and the line before each message
//! of a mailbox.

/// Names of headers that mails have, and other texts with `Name: value` at their begin rarely.
const KNOWN_NAMES: [&str; 14] = [
    "from",
    "to",
    "cc",
    "subject",
    "date",
    "message-id",
    "mime-version",
    "content-type",
    "received",
    "return-path",
    "delivered-to",
    "content-transfer-encoding",
    "list-id",
    "references",
];

/// The name in front of the colon of a header; `None` if the line is none.
pub fn header_name(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    let valid = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (!name.is_empty() && name.len() <= 60 && name.bytes().all(valid)).then_some(name)
}

/// Whether a header of this name makes a text a mail.
pub fn is_known_header(name: &str) -> bool {
    KNOWN_NAMES
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// `From tester@example.org Mon Mar  4 10:11:12 2024`.
pub fn is_mailbox_line(line: &str) -> bool {
    line.starts_with("From ") && line.split_whitespace().count() >= 4 && line.contains(':')
}

/// Whether a file that begins so may be a mail: its complete lines are headers, or lines that
/// continue them, up to the first empty one. Two of them have to be known, one where there may be
/// more behind `head`: unless it `is_complete`, the whole file.
pub fn begins(head: &[u8], is_complete: bool) -> bool {
    let complete = head
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n"));
    let mut known = 0;
    for (index, line) in complete.enumerate() {
        let Ok(line) = std::str::from_utf8(line) else {
            return false;
        };
        if line.trim().is_empty() {
            return known >= 2;
        }
        if index == 0 && is_mailbox_line(line) || index > 0 && line.starts_with([' ', '\t']) {
            continue;
        }
        match header_name(line) {
            Some(name) => known += u32::from(is_known_header(name)),
            None => return false,
        }
    }
    known >= if is_complete { 2 } else { 1 }
}
