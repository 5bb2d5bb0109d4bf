//! Splits names into tokens.

use super::date;
use super::words::{
    CACHE_MODES, COUNTS, DEVICES, EMPTY, FILESYSTEMS, KERNEL_ENDS, MAX_REPEAT, PARAMETERS, R,
    RAID_LEVELS, REPEATS, SCHEDULERS, SETTINGS, SIDES, UNITS,
};
use seekscope_trace::names::{device_name, without_endings};

/// Units of a size alone: it is that of blocks.
const BLOCK_UNITS: [&str; 6] = ["k", "kb", "kib", "m", "mb", "mib"];
/// Characters of a name that are read.
const LONGEST: usize = 300;

/// The dimension that a token is a value of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The token is a value of the dimension with this key.
    Of(String),
    /// A word whose dimension is not known.
    Word,
    /// A number that may count repeats, with the letters before it: `1` of `nr64-1`, `r1` of
    /// `nr64/r1`. Only the names of all runs together can tell (`repeats.rs`).
    Serial(&'static str),
}

/// A part of a name that has a meaning of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// The text as in the name; of counts (`4w`) and repeats (`run3`) only the number.
    pub value: String,
}

/// The tokens of a path, each once. A number in brackets at the end is dropped: it makes equal
/// names unique.
pub fn tokens(path: &str) -> Vec<Token> {
    let path: String = path.chars().take(LONGEST).collect();
    let path: Vec<&str> = path.split('/').map(without_endings).collect();
    let path = path.join("/");
    let mut reading = Reading::default();
    let mut rest = bracketed(&path)
        .map_or(path.as_str(), |(before, _)| before)
        .to_owned();
    for name in SETTINGS {
        if let Some((token, span)) = setting(&rest, name) {
            reading.add(Some(token));
            rest.replace_range(span, " ");
        }
    }
    let names: Vec<&str> = rest
        .split(|c: char| c.is_whitespace() || "/\\,;()[]_=:#".contains(c))
        .filter(|name| !name.is_empty())
        .collect();
    for (i, name) in names.iter().enumerate() {
        let mut pieces: Vec<&str> = name.split('-').filter(|piece| !piece.is_empty()).collect();
        if i + 1 == names.len()
            && let Some((stem, number)) = pieces.last().and_then(|piece| attached(piece))
        {
            pieces.pop();
            pieces.extend([stem, number]);
        }
        let mut used = 0;
        while used < pieces.len() {
            used += reading.read(&pieces[used..]);
        }
    }
    reading.finish()
}

/// The name before a number in brackets at its end, and the number: of `trace (2)`.
pub fn bracketed(name: &str) -> Option<(&str, u32)> {
    let (before, number) = name.rsplit_once('(')?;
    let number = number.strip_suffix(')')?.parse().ok()?;
    let before = before.trim_end();
    (!before.is_empty()).then_some((before, number))
}

/// `old1`, `bfq2` and `nr64.1` as name and number.
fn attached(piece: &str) -> Option<(&str, &str)> {
    let stem = piece.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &piece[stem.len()..];
    let lower = stem.to_ascii_lowercase();
    let begins = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic());
    if number.is_empty() || kernel(&piece.to_ascii_lowercase()).is_some() {
        return None;
    }
    if SIDES.contains(&lower.as_str()) || SCHEDULERS.contains(&lower.as_str()) {
        return Some((stem, number));
    }
    let name = stem.strip_suffix('.').filter(|name| begins(name))?;
    Some((name, number))
}

/// The tokens that were found, and what the last piece was.
#[derive(Default)]
struct Reading {
    found: Vec<Token>,
    /// The piece before the last one, and the last token if it is a plain number.
    previous: String,
    number: Option<(String, Token)>,
}

impl Reading {
    fn add(&mut self, token: Option<Token>) {
        self.found
            .extend(token.filter(|token| !self.found.contains(token)));
    }

    /// Reads the first token of the pieces. Returns how many pieces it has.
    fn read(&mut self, pieces: &[&str]) -> usize {
        let lower = pieces[0].to_ascii_lowercase();
        let (token, taken) = if let Some((token, taken)) = date::date(pieces) {
            (self.in_kernel(token), taken)
        } else if self.after_date() && date::is_time(&lower) {
            (None, 1)
        } else if is_number(&lower) && REPEATS.contains(&self.previous.as_str()) {
            self.found
                .retain(|token| token.value.to_ascii_lowercase() != self.previous);
            (token_of("repeat", pieces[0]), 1)
        } else {
            next(pieces)
        };
        let plain = token
            .clone()
            .filter(|token| token.kind == TokenKind::Of("number".to_owned()));
        if !EMPTY.contains(&lower.as_str()) {
            self.number = plain.map(|token| (self.previous.clone(), token));
        }
        self.previous = pieces[taken - 1].to_ascii_lowercase();
        self.add(token);
        taken
    }

    /// The date of `next-20261101` is the version of a kernel.
    fn in_kernel(&mut self, date: Token) -> Option<Token> {
        if self.previous != "next" {
            return Some(date);
        }
        self.found
            .retain(|token| token.value.to_ascii_lowercase() != self.previous);
        token_of("kernel", &format!("next-{}", date.value))
    }

    fn after_date(&self) -> bool {
        self.found
            .last()
            .is_some_and(|token| token.kind == TokenKind::Of(date::KEY.to_owned()))
    }

    /// A number at the end may count repeats, unless the word before it gives it a meaning.
    fn finish(mut self) -> Vec<Token> {
        let counts = |before: &str| {
            !before.is_empty()
                && !PARAMETERS.contains(&before)
                && !COUNTS.iter().any(|(_, words)| words.contains(&before))
                && device_name(before).is_none()
        };
        if let Some((before, number)) = self.number.take()
            && counts(&before)
            && number.value.parse::<u32>().is_ok_and(|n| n <= MAX_REPEAT)
            && let Some(token) = self.found.iter_mut().find(|token| **token == number)
        {
            token.kind = TokenKind::Serial("");
        }
        self.found
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `slice_idle 8`, `slice_idle=8`: the token and its bytes in the text.
fn setting(text: &str, name: &str) -> Option<(Token, std::ops::Range<usize>)> {
    let start = text.find(name)?;
    let value = start + name.len();
    let digits = text[value..].trim_start_matches([' ', '=', ':']);
    let from = text.len() - digits.len();
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    (from > value && length > 0).then(|| {
        let token = Token {
            kind: TokenKind::Of(name.to_owned()),
            value: digits[..length].to_owned(),
        };
        (token, start..from + length)
    })
}

fn token_of(key: &str, value: &str) -> Option<Token> {
    Some(Token {
        kind: TokenKind::Of(key.to_owned()),
        value: value.to_owned(),
    })
}

/// The first token of the pieces, and how many of them it uses.
fn next(pieces: &[&str]) -> (Option<Token>, usize) {
    let piece = pieces[0];
    let lower = piece.to_ascii_lowercase();
    let word = lower.as_str();
    if let Some(version) = kernel(word) {
        let build = version.matches('.').count() >= 2;
        let belongs = |piece: &&&str| {
            let p = piece.to_ascii_lowercase();
            let rc = p
                .strip_prefix("rc")
                .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
            rc || KERNEL_ENDS.contains(&p.as_str())
                || (build
                    && p.starts_with(|c: char| c.is_ascii_digit())
                    && (is_number(&p) || p.contains('.')))
        };
        let more = pieces[1..].iter().take_while(belongs).count();
        let whole = pieces[..=more].join("-");
        return (
            token_of("kernel", &whole[piece.len() - version.len()..]),
            1 + more,
        );
    }
    if word == "mq"
        && pieces
            .get(1)
            .is_some_and(|p| p.eq_ignore_ascii_case("deadline"))
    {
        return (token_of("scheduler", "mq-deadline"), 2);
    }
    for (key, words) in [
        ("scheduler", &SCHEDULERS[..]),
        ("filesystem", &FILESYSTEMS),
        ("device", &DEVICES),
    ] {
        if words.contains(&word) {
            return (token_of(key, piece), 1);
        }
    }
    if EMPTY.contains(&word) || UNITS.contains(&word) {
        return (None, 1);
    }
    if REPEATS.contains(&word) && pieces.get(1).is_some_and(|p| is_number(p)) {
        return (token_of("repeat", pieces[1]), 2);
    }
    if is_number(word) {
        return (token_of("number", piece), 1);
    }
    (
        numbered(piece, word).or_else(|| {
            Some(Token {
                kind: TokenKind::Word,
                value: piece.to_owned(),
            })
        }),
        1,
    )
}

/// `4w`, `w4`, `run3`, `idle8`, `qd32`, `bs4k`, `4k`.
fn numbered(piece: &str, word: &str) -> Option<Token> {
    let letters = word.find(|c: char| c.is_ascii_digit())?;
    let (begin, rest) = word.split_at(letters);
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (count, end) = rest.split_at(digits);
    let what = if begin.is_empty() { end } else { begin };
    if begin.is_empty() && BLOCK_UNITS.contains(&end) {
        return token_of("bs", piece);
    }
    if begin.is_empty() || end.is_empty() {
        if let Some((key, _)) = COUNTS.iter().find(|(_, words)| words.contains(&what)) {
            return token_of(key, count);
        }
        if REPEATS.contains(&begin) {
            return token_of("repeat", count);
        }
        if begin == R && count.parse::<u32>().is_ok_and(|n| n <= MAX_REPEAT) {
            return Some(Token {
                kind: TokenKind::Serial(R),
                value: count.to_owned(),
            });
        }
    }
    let plain =
        !begin.is_empty() && begin.bytes().all(|b| b.is_ascii_lowercase()) && end.len() <= 3;
    if plain { token_of(begin, piece) } else { None }
}

/// The version in `6.12`, `k6.12`, `v5.10`, `linux5.4`, `2.6.35+`, `6.12.113+deb12`: at least two
/// numbers with a dot.
pub(super) fn kernel(word: &str) -> Option<&str> {
    let version = ["linux", "kernel", "k", "v"]
        .iter()
        .find_map(|p| word.strip_prefix(p))
        .unwrap_or(word);
    let mut numbers = version.splitn(3, '.');
    let first = numbers
        .next()
        .filter(|n| (1..=2).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit()));
    let second = numbers.next().is_some_and(|n| {
        let digits = n.bytes().take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&digits) && !n[digits..].starts_with(|c: char| c.is_alphabetic())
    });
    (first.is_some() && second).then_some(version)
}

/// The dimension of a word with a known form: `kernel`, `scheduler`, `filesystem`, `device`,
/// `raid`, `cache`.
pub fn dimension_of(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let word = lower.as_str();
    if kernel(word)
        .is_some_and(|version| version.splitn(3, '.').count() == 3 || version.len() < word.len())
    {
        return Some("kernel");
    }
    let dimensions = [
        ("scheduler", &SCHEDULERS[..]),
        ("filesystem", &FILESYSTEMS),
        ("device", &DEVICES),
        ("raid", &RAID_LEVELS),
        ("cache", &CACHE_MODES),
    ];
    dimensions
        .into_iter()
        .find(|(_, words)| words.contains(&word))
        .map(|(name, _)| name)
}
