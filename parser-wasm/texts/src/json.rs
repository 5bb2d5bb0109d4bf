//! JSON in a text, as people paste it: between other lines, cut off, with parts left out, or as
//! Python prints a dictionary. Each number knows its place.

use crate::line::Place;
use crate::recognise::Cursor;
use std::borrow::Cow;

/// Limit for the nesting.
const MAX_DEPTH: usize = 48;
/// Lines of a string that was wrapped.
const MAX_STRING_LINES: usize = 4;

#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`, `true`, `nan`, and what cannot be a figure.
    Other,
    Number(f64, Place),
    Text(Cow<'a, str>, Place),
    Array(Vec<Value<'a>>),
    Object(Object<'a>),
}

/// The members in their order; a key may occur several times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object<'a> {
    pub members: Vec<(Cow<'a, str>, Value<'a>)>,
}

impl<'a> Object<'a> {
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        let found = self.members.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    pub fn object(&self, key: &str) -> Option<&Object<'a>> {
        self.get(key)?.as_object()
    }

    pub fn array(&self, key: &str) -> Option<&[Value<'a>]> {
        match self.get(key)? {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    pub fn number(&self, key: &str) -> Option<(f64, Place)> {
        self.get(key)?.as_number()
    }

    /// Whether no member has members itself.
    pub fn is_flat(&self) -> bool {
        let mut values = self.members.iter().map(|(_, value)| value);
        values.all(|value| !matches!(value, Value::Object(_) | Value::Array(_)))
    }
}

impl<'a> Value<'a> {
    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// A number, also one in quotation marks.
    pub fn as_number(&self) -> Option<(f64, Place)> {
        match self {
            Value::Number(value, place) => Some((*value, *place)),
            Value::Text(text, place) => {
                let value = text.trim().parse::<f64>().ok()?;
                value.is_finite().then_some((value, *place))
            }
            _ => None,
        }
    }
}

/// A value in a text, and where it ends.
pub struct Parsed<'a> {
    pub value: Value<'a>,
    /// Offset of the line behind the value.
    pub end: usize,
    /// Whether all brackets were closed, and nothing else is in the last line.
    pub complete: bool,
}

/// The value that begins with the line at an offset; as much of it as there is.
pub fn parse(cursor: Cursor<'_>, offset: usize) -> Option<Parsed<'_>> {
    let mut parser = Parser::new(cursor, offset);
    let value = match parser.peek()? {
        b'{' | b'[' => parser.value(0),
        _ => return None,
    };
    parser.finish(value)
}

/// The line behind the records that follow a value: a line each, with the keys of it.
pub fn behind_records(cursor: Cursor, end: usize, first: &Value) -> usize {
    let keys = |value: &Value| -> Option<Vec<String>> {
        let object = value.as_object().filter(|object| object.is_flat())?;
        Some(
            object
                .members
                .iter()
                .map(|(key, _)| key.to_string())
                .collect(),
        )
    };
    let first = keys(first);
    let mut behind = end;
    while first.is_some()
        && let Some(parsed) = parse(cursor, behind)
        && parsed.complete
        && keys(&parsed.value) == first
    {
        behind = parsed.end;
    }
    behind
}

/// Members of an object whose begin was cut off: `"read" : {` and what follows.
pub fn parse_members(cursor: Cursor<'_>, offset: usize) -> Option<Parsed<'_>> {
    let mut parser = Parser::new(cursor, offset);
    if parser.peek()? != b'"' {
        return None;
    }
    let value = parser.members(b'}', 0);
    parser.finish(Value::Object(value))
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    /// Offset of the line, and the byte in it.
    line: usize,
    byte: usize,
    /// Set at something that is no JSON, or at the end of the text.
    broken: bool,
}

impl<'a> Parser<'a> {
    fn new(cursor: Cursor<'a>, offset: usize) -> Parser<'a> {
        Parser {
            cursor,
            line: offset,
            byte: 0,
            broken: false,
        }
    }

    fn finish(mut self, value: Value<'a>) -> Option<Parsed<'a>> {
        let rest = self.text().get(self.byte..).unwrap_or("").trim();
        let closed = !self.broken && matches!(rest, "" | "," | ";");
        // A line that stopped the parser belongs to what follows.
        let stopped = self.broken && self.text().get(..self.byte).unwrap_or("").trim().is_empty();
        if !stopped {
            self.line += 1;
        }
        Some(Parsed {
            value,
            end: self.line,
            complete: closed,
        })
    }

    fn text(&self) -> &'a str {
        self.cursor.text(self.line)
    }

    /// The next byte that is no blank.
    fn peek(&mut self) -> Option<u8> {
        if self.broken {
            return None;
        }
        loop {
            let rest = self.text().as_bytes().get(self.byte..).unwrap_or(&[]);
            let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            if let Some(byte) = rest.get(blanks) {
                self.byte += blanks;
                return Some(*byte);
            }
            if self.cursor.line(self.line + 1).is_none() {
                self.broken = true;
                return None;
            }
            self.line += 1;
            self.byte = 0;
        }
    }

    /// Skips a byte if it is the next one.
    fn accept(&mut self, expected: u8) -> bool {
        let found = self.peek() == Some(expected);
        self.byte += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Value<'a> {
        if depth >= MAX_DEPTH {
            self.broken = true;
        }
        match self.peek() {
            Some(b'{') => {
                self.byte += 1;
                Value::Object(self.members(b'}', depth))
            }
            Some(b'[') => {
                self.byte += 1;
                Value::Array(self.elements(depth))
            }
            Some(b'"' | b'\'') => self.string_value(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(byte) if byte.is_ascii_alphabetic() => self.word(),
            _ => {
                self.broken = true;
                Value::Other
            }
        }
    }

    fn members(&mut self, close: u8, depth: usize) -> Object<'a> {
        let mut object = Object::default();
        loop {
            self.skip_elision();
            if self.accept(close) || self.accept(b',') {
                if self.before() == Some(close) {
                    return object;
                }
                continue;
            }
            if !matches!(self.peek(), Some(b'"' | b'\'')) {
                self.broken = true;
                return object;
            }
            let Some((key, _)) = self.string() else {
                return object;
            };
            if !self.accept(b':') {
                self.broken = true;
                return object;
            }
            let value = self.value(depth + 1);
            object.members.push((key, value));
            if self.broken {
                return object;
            }
        }
    }

    fn elements(&mut self, depth: usize) -> Vec<Value<'a>> {
        let mut values = Vec::new();
        loop {
            self.skip_elision();
            if self.accept(b']') {
                return values;
            }
            if self.accept(b',') {
                continue;
            }
            let value = self.value(depth + 1);
            if self.broken && value == Value::Other {
                return values;
            }
            values.push(value);
            if self.broken {
                return values;
            }
        }
    }

    /// The byte that was read last.
    fn before(&self) -> Option<u8> {
        self.text()
            .as_bytes()
            .get(self.byte.checked_sub(1)?)
            .copied()
    }

    /// Skips lines that stand for a part that was left out.
    fn skip_elision(&mut self) {
        while self.peek().is_some() {
            let rest = self.text().get(self.byte..).unwrap_or("").trim();
            let elision = matches!(
                rest.trim_end_matches(','),
                "..." | "[...]" | "\u{2026}" | "[\u{2026}]" | "<snip>" | "[snip]" | "(...)"
            );
            if !elision {
                return;
            }
            self.byte = self.text().len();
        }
    }

    fn string_value(&mut self) -> Value<'a> {
        match self.string() {
            Some((text, place)) => Value::Text(text, place),
            None => Value::Other,
        }
    }

    fn string(&mut self) -> Option<(Cow<'a, str>, Place)> {
        let quote = self.peek()?;
        self.byte += 1;
        let (first_line, begin) = (self.line, self.byte);
        let mut wrapped: Option<String> = None;
        for _ in 0..MAX_STRING_LINES {
            let text = self.text();
            let rest = text.get(self.byte..)?;
            if let Some(length) = closing(rest, quote) {
                let piece = rest.get(..length)?;
                let end = self.byte + length;
                let line = self.cursor.line(first_line)?;
                let place = match wrapped {
                    Some(_) => line.place(begin..line.text().len()),
                    None => line.place(begin..end),
                };
                self.byte = end + 1;
                let complete = match wrapped {
                    Some(front) => Cow::Owned(format!("{front} {}", piece.trim_start())),
                    None => Cow::Borrowed(piece),
                };
                return Some((unescaped(complete), place));
            }
            let front = wrapped.take().map_or(String::new(), |front| front + " ");
            wrapped = Some(front + rest.trim());
            if self.cursor.line(self.line + 1).is_none() {
                break;
            }
            self.line += 1;
            self.byte = 0;
        }
        self.broken = true;
        None
    }

    fn number(&mut self) -> Value<'a> {
        let rest = self.text().get(self.byte..).unwrap_or("");
        let length = rest
            .bytes()
            .take_while(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'))
            .count();
        let word = rest.get(..length).unwrap_or("");
        let next = rest.as_bytes().get(length);
        let ended = next.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b',' | b']' | b'}'));
        let value = word.parse::<f64>().ok().filter(|_| ended);
        let (Some(value), Some(line)) = (value, self.cursor.line(self.line)) else {
            // Old programs print `-nan`.
            if rest.starts_with("-nan") || rest.starts_with("-inf") {
                self.byte += 1;
                return self.word();
            }
            self.broken = true;
            return Value::Other;
        };
        let place = line.place(self.byte..self.byte + length);
        self.byte += length;
        if value.is_finite() {
            Value::Number(value, place)
        } else {
            Value::Other
        }
    }

    /// `null`, `true`, `False`, `nan`; `b'vda'` of Python.
    fn word(&mut self) -> Value<'a> {
        let rest = self.text().get(self.byte..).unwrap_or("");
        if rest.starts_with("b'") {
            self.byte += 1;
            return self.string_value();
        }
        let words = [
            "null", "true", "false", "None", "True", "False", "nan", "NaN", "inf", "Infinity",
        ];
        match words.iter().find(|word| rest.starts_with(**word)) {
            Some(word) => self.byte += word.len(),
            None => self.broken = true,
        }
        Value::Other
    }
}

/// Number of bytes before the closing quotation mark.
fn closing(text: &str, quote: u8) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// Names and words with few escapes: `\"`, `\\`, `\/`; others are kept as they are.
fn unescaped(text: Cow<str>) -> Cow<str> {
    if text.contains('\\') {
        let plain = text
            .replace("\\\"", "\"")
            .replace("\\/", "/")
            .replace("\\\\", "\\");
        return Cow::Owned(plain);
    }
    text
}
