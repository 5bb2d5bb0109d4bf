//! Lines of a mail: without the marks of quotation, with their place.

/// Characters read of a line.
const LONGEST: usize = 600;

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub struct MailLine<'a> {
    /// From 1.
    pub number: usize,
    /// Without `> > ` and without spaces at its end; the indentation stays, for columns.
    pub text: &'a str,
}

/// The lines of a text.
pub fn lines(text: &str) -> Vec<MailLine<'_>> {
    text.lines().enumerate().map(|(i, line)| MailLine { number: i + 1, text: unquoted(line) }).collect()
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
