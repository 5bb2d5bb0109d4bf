//! What a terminal would show of a line.

use std::borrow::Cow;

/// Removes escape sequences, applies backspaces and carriage returns, and makes blanks of all
/// characters that look like one.
pub fn clean(line: &str) -> Cow<'_, str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let plain = line
        .bytes()
        .all(|byte| byte == b'\t' || (0x20..0x7f).contains(&byte));
    if plain {
        return Cow::Borrowed(line);
    }
    let mut shown = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{8}' => {
                shown.pop();
            }
            // A line that is drawn again replaces the last one; a bare return at the end does not.
            '\r' => {
                if chars.peek().is_some_and(|next| *next != '\r') {
                    shown.clear();
                }
            }
            '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' | '\u{2002}'..='\u{200a}' => {
                shown.push(' ');
            }
            // Arrows up and down, symbols and emoji only repeat what a figure says: `512 MB/s ✅`.
            '\u{2191}'
            | '\u{2193}'
            | '\u{2600}'..='\u{2793}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{1f300}'..='\u{1faff}' => shown.push(' '),
            '\u{fe0f}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{ad}' | '\u{2060}' => {}
            '\t' => shown.push('\t'),
            c if c.is_control() => {}
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Control sequences end with a letter, commands to the terminal with BEL or ST.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars>) {
    match chars.next() {
        Some('[') => {
            for c in chars.by_ref() {
                if ('\u{40}'..='\u{7e}').contains(&c) {
                    return;
                }
            }
        }
        Some(']') => {
            while let Some(c) = chars.next() {
                if c == '\u{7}' {
                    return;
                }
                if c == '\u{1b}' {
                    chars.next();
                    return;
                }
            }
        }
        Some('(' | ')') => {
            chars.next();
        }
        _ => {}
    }
}
