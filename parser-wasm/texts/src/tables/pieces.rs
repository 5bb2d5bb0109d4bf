//! Lines with blanks between their cells, cut into pieces.

/// Characters of a spread or change in brackets.
const MAX_BRACKET: usize = 40;

/// A piece of a line, with its first and last column.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
}

/// Headings that are counts of one thing with a blank between them: `1 thread* 2 threads`.
pub fn counted(text: &str) -> Option<Vec<Piece<'_>>> {
    let words = split(text, 1);
    let is_count = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let is_noun = |word: &str| word.starts_with(|c: char| c.is_alphabetic());
    let paired = words.len() >= 4
        && words.chunks(2).all(
            |pair| matches!(pair, [count, noun] if is_count(count.text) && is_noun(noun.text)),
        );
    paired.then(|| {
        words
            .chunks(2)
            .map(|pair| Piece {
                text: &text[pair[0].start..pair[1].end],
                start: pair[0].start,
                end: pair[1].end,
            })
            .collect()
    })
}

/// Pieces of a text between runs of at least so many blanks. Blanks within brackets do not count:
/// `231.41 (   0.00%)` is one cell.
pub fn split(text: &str, blanks: usize) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut begin: Option<usize> = None;
    let (mut last_end, mut run, mut closed) = (0, 0, 0);
    for (index, c) in text.char_indices() {
        if (c == ' ' || c == '\t') && index >= closed {
            run += if c == '\t' { 8 } else { 1 };
            continue;
        }
        if let Some(start) = begin.filter(|_| run >= blanks) {
            pieces.push(Piece {
                text: &text[start..last_end],
                start,
                end: last_end,
            });
            begin = None;
        }
        begin.get_or_insert(index);
        run = 0;
        last_end = index + c.len_utf8();
        if index >= closed {
            closed = bracketed(&text[index..]).map_or(closed, |length| index + length);
        }
    }
    if let Some(start) = begin {
        pieces.push(Piece {
            text: &text[start..last_end],
            start,
            end: last_end,
        });
    }
    pieces
}

/// Bytes of `(   0.00%)`, `[391, 405]`, `*   5.49%*` at the begin of a text.
fn bracketed(text: &str) -> Option<usize> {
    let close = match text.chars().next()? {
        '(' => ')',
        '[' => ']',
        '*' => '*',
        _ => return None,
    };
    // Without a bound, each bracket of a long line would look through the rest.
    let length = text
        .char_indices()
        .skip(1)
        .take(MAX_BRACKET)
        .find(|(_, c)| *c == close)?
        .0
        + 1;
    let inside = &text[1..length - 1];
    let figures = inside
        .chars()
        .all(|c| c.is_ascii_digit() || " .,+-%~\u{2212}\u{2013}".contains(c));
    (figures && inside.contains(|c: char| c.is_ascii_digit())).then_some(length)
}

/// The words of headings with an option and the program in front of it as one: `ls -R`.
pub fn with_options<'a>(words: Vec<Piece<'a>>, text: &'a str) -> Vec<Piece<'a>> {
    let mut joined: Vec<Piece> = Vec::with_capacity(words.len());
    for word in words {
        let is_option = word.text.strip_prefix('-').is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.len() <= 2
        });
        match joined.last_mut() {
            Some(program) if is_option && word.start == program.end + 1 => {
                program.end = word.end;
                program.text = &text[program.start..word.end];
            }
            _ => joined.push(word),
        }
    }
    joined
}
