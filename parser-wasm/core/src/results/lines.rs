//! Lines of a mail: without the marks of quotation, with their place.

/// Characters read of a line.
const LONGEST: usize = 600;
/// A longer line with as many marks of quotation is a mail whose line ends an archive took.
const MARKS: usize = 8;

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub struct MailLine<'a> {
    /// From 1, after line ends are restored.
    pub number: usize,
    /// Without `> > ` and without spaces at its end; the indentation stays, for columns.
    pub text: &'a str,
}

/// The lines of a text.
pub fn lines(text: &str) -> Vec<MailLine<'_>> {
    let all = text.lines().flat_map(|line| {
        if is_joined(line) {
            restored(line)
        } else {
            vec![line]
        }
    });
    all.enumerate()
        .map(|(i, line)| MailLine {
            number: i + 1,
            text: unquoted(line),
        })
        .collect()
}

fn is_mark(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b == b'>')
}

fn is_joined(line: &str) -> bool {
    line.len() > LONGEST
        && line
            .split(' ')
            .filter(|word| is_mark(word))
            .take(MARKS)
            .count()
            == MARKS
}

/// The lines of a mail that became one: each quoted one began with its marks (`> > `).
fn restored(line: &str) -> Vec<&str> {
    let (mut found, mut from, mut at, mut marked) = (Vec::new(), 0, 0, true);
    for word in line.split(' ') {
        if is_mark(word) && !marked {
            found.push(&line[from..at]);
            from = at;
        }
        marked = is_mark(word);
        at += word.len() + 1;
    }
    found.push(&line[from..]);
    found
}

fn unquoted(line: &str) -> &str {
    let mut line = match line.char_indices().nth(LONGEST) {
        Some((end, _)) => &line[..end],
        None => line,
    };
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    line.trim_end()
}

impl<'a> MailLine<'a> {
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// A line of a frame, below headings, or `^^^^` that points at a value.
    pub fn is_rule(&self) -> bool {
        let strokes = self.text.chars().filter(|c| "-=^~_".contains(*c)).count();
        strokes >= 2 && self.text.chars().all(|c| "-=^~_+|,.`':* ".contains(c))
    }

    pub fn words(&self) -> Vec<&'a str> {
        self.text.split_whitespace().collect()
    }

    pub fn pipes(&self) -> usize {
        self.text.matches('|').count()
    }
}

/// The next line that is no rule, from `at` on.
pub fn past_rules(lines: &[MailLine], mut at: usize) -> usize {
    while lines.get(at).is_some_and(MailLine::is_rule) {
        at += 1;
    }
    at
}
