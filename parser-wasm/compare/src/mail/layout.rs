//! Plain ASCII in lines of at most 72 columns.

/// Columns of a line: mails to lists are quoted, and then still fit in 80.
pub const WIDTH: usize = 72;

/// Replaces what is not ASCII: `x` for the sign of multiplication, `u` for micro; what has no
/// similar character becomes `?`.
pub fn ascii(text: &str) -> String {
    let twin = |c: char| match c {
        '\u{d7}' => 'x',
        '\u{b5}' | '\u{3bc}' => 'u',
        '\u{2212}' | '\u{2010}'..='\u{2015}' => '-',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        ' '..='~' => c,
        c if c.is_whitespace() => ' ',
        _ => '?',
    };
    text.chars().map(twin).collect()
}

/// Breaks text between words; a word that is longer than a line is broken, too.
pub fn wrapped(text: &str) -> Vec<String> {
    hung("", text)
}

/// Breaks text after a mark; all lines but the first are indented by the length of the mark.
pub fn hung(mark: &str, text: &str) -> Vec<String> {
    let mark = ascii(mark);
    let indent = mark.len();
    let text = ascii(text);
    let mut lines = vec![mark];
    for word in text.split_whitespace() {
        let mut rest = word;
        loop {
            let last = lines.len() - 1;
            let line = &mut lines[last];
            let empty = line.len() <= indent;
            let room = WIDTH.saturating_sub(line.len() + usize::from(!empty));
            if rest.len() <= room || empty {
                let (now, later) = rest.split_at(rest.len().min(room));
                if !empty {
                    line.push(' ');
                }
                line.push_str(now);
                if later.is_empty() {
                    break;
                }
                rest = later;
            }
            lines.push(" ".repeat(indent));
        }
    }
    lines
}

/// Cuts text to a width; `~` marks the cut.
pub fn cut(text: &str, width: usize) -> String {
    let text = ascii(text);
    if text.len() <= width {
        text
    } else {
        format!("{}~", &text[..width.saturating_sub(1)])
    }
}
