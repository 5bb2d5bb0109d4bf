//! Sentences about two sides, in parts: text, values with a unit, and sides. Each output formats
//! numbers in its own way: the page with typographic signs, mail and command line in ASCII. The
//! words are templates in `wording.rs`; rules supply named parameters.

use super::runs::run::ComparisonSide;
use seekscope_trace::quantity::{Unit, factor};
use serde::Serialize;

/// The parts of a sentence, in the order of reading.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Sentence(Vec<SentencePart>);

/// As JSON: a string, `{name, value, unit}` or `{side}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SentencePart {
    /// Text to print as it is.
    Text(String),
    /// A number to format.
    Value {
        /// Name of the parameter; stable.
        name: &'static str,
        value: f64,
        /// Unit of the value, as for figures, or `factor`: a ratio to print as `x19` or `-48%`.
        unit: &'static str,
    },
    /// The label of a side of the document.
    Side {
        /// Its index in `sides`.
        side: usize,
        /// Its name in ASCII output; other outputs take it from `sides`.
        #[serde(skip)]
        label: String,
    },
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub enum Param {
    /// A number in a unit of figures.
    Value(f64, Unit),
    /// A ratio.
    Factor(f64),
    /// Text to print as it is.
    Text(String),
    /// A list that was made from other templates.
    Parts(Sentence),
    /// Prints nothing: keeps the optional part of a template.
    Flag,
}

const FACTOR: &str = "factor";

/// Parameters by name, and the sides that a template may name.
#[derive(Clone, Debug, Default)]
pub struct Params(
    Vec<(&'static str, Param)>,
    Vec<(&'static str, usize, String)>,
);

impl Params {
    /// Parameters with the two sides that templates call by these names.
    pub fn of_sides(sides: [(&'static str, &ComparisonSide); 2]) -> Params {
        Params(
            Vec::new(),
            sides
                .map(|(name, side)| (name, side.index, side.label.clone()))
                .into(),
        )
    }

    /// Adds a value.
    pub fn value(self, name: &'static str, value: f64, unit: Unit) -> Params {
        self.with(name, Param::Value(value, unit))
    }

    /// Adds any parameter.
    pub fn with(mut self, name: &'static str, param: Param) -> Params {
        self.0.push((name, param));
        self
    }

    /// Fills a template: `{name}` is a parameter or a side, `[...]` is left out unless all
    /// parameters in it are known.
    pub fn fill(&self, template: &str) -> Sentence {
        let mut out = Sentence::default();
        let mut rest = template;
        while let Some(start) = rest.find(['{', '[']) {
            out.text(&rest[..start]);
            let tail = &rest[start..];
            let end = if tail.starts_with('[') {
                closing(tail)
            } else {
                tail.find('}').unwrap_or(tail.len() - 1)
            };
            let inner = &tail[1..end];
            if tail.starts_with('[') {
                if names(inner).all(|name| self.has(name)) {
                    out.extend(self.fill(inner));
                }
            } else {
                self.put(inner, &mut out);
            }
            rest = &tail[end + 1..];
        }
        out.text(rest);
        out
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(param, _)| *param == name)
            || self.1.iter().any(|(side, ..)| *side == name)
    }

    fn put(&self, name: &str, out: &mut Sentence) {
        if let Some((_, side, label)) = self.1.iter().find(|(side, ..)| *side == name) {
            out.0.push(SentencePart::Side {
                side: *side,
                label: label.clone(),
            });
        }
        let Some((name, param)) = self.0.iter().find(|(param, _)| *param == name) else {
            return;
        };
        match param {
            Param::Value(value, unit) => out.0.push(SentencePart::Value {
                name,
                value: *value,
                unit: unit.code(),
            }),
            Param::Factor(value) => out.0.push(SentencePart::Value {
                name,
                value: *value,
                unit: FACTOR,
            }),
            Param::Text(text) => out.text(text),
            Param::Parts(parts) => out.extend(parts.clone()),
            Param::Flag => {}
        }
    }
}

/// Where the bracket is that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (index, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    text.len() - 1
}

/// The names of the parameters in a template, without those of nested optional parts.
fn names(template: &str) -> impl Iterator<Item = &str> {
    let outer = template
        .find('[')
        .map_or(template, |index| &template[..index]);
    outer
        .split('{')
        .skip(1)
        .filter_map(|part| part.split('}').next())
}

impl Sentence {
    /// Appends text.
    pub fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(SentencePart::Text(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.0.push(SentencePart::Text(text.to_owned())),
        }
    }

    /// Appends another sentence.
    pub fn extend(&mut self, other: Sentence) {
        for part in other.0 {
            match part {
                SentencePart::Text(text) => self.text(&text),
                part => self.0.push(part),
            }
        }
    }

    /// Whether there is nothing to print.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes a list, with `; ` between its items.
    pub fn joined(items: impl IntoIterator<Item = Sentence>) -> Sentence {
        let mut out = Sentence::default();
        for (i, item) in items.into_iter().enumerate() {
            out.text(if i == 0 { "" } else { "; " });
            out.extend(item);
        }
        out
    }

    /// The sentence in ASCII, except for labels of sides.
    pub fn ascii(&self) -> String {
        let part = |part: &SentencePart| match part {
            SentencePart::Text(text) => text.clone(),
            SentencePart::Value { value, unit, .. } if *unit == FACTOR => factor(*value),
            SentencePart::Value { value, unit, .. } => Unit::from_code(unit).write(*value),
            SentencePart::Side { label, .. } => label.clone(),
        };
        self.0.iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_optional_parts() {
        let params = Params::default()
            .value("n", 1280.0, Unit::Count)
            .with("by", Param::Factor(19.0));
        assert_eq!(
            params
                .fill("{n} requests ({by})[, {gone} lost][; all {n}[ of {gone}]].")
                .ascii(),
            "1,280 requests (x19); all 1,280."
        );
        let json = serde_json::to_value(params.fill("{n} of them")).unwrap();
        assert_eq!(
            json,
            serde_json::json!([{ "name": "n", "value": 1280.0, "unit": "count" }, " of them"])
        );
    }
}
