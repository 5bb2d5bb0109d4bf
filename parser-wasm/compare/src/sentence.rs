//! Sentences about two sides, in parts: text, values with a unit, and sides. Each output formats
//! numbers in its own way: the page with typographic signs, mail and command line in ASCII. The
//! words are templates in `wording.rs`; rules supply named parameters.

use super::runs::run::ComparisonSide;
use seekscope_trace::quantity::{Unit, factor};
use serde::Serialize;

/// Parts in the order of reading.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Sentence(Vec<SentencePart>);

/// As JSON: a string, `{name, value, unit}` or `{side}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SentencePart {
    /// As it is.
    Text(String),
    /// A number to format.
    Value {
        /// Of the parameter; stable.
        name: &'static str,
        /// In the unit.
        value: f64,
        /// As of figures, or `factor`: a ratio to print as `x19` or `-48%`.
        unit: &'static str,
    },
    /// The label of a side of the document.
    Side {
        /// Its place in `sides`.
        side: usize,
        /// For ASCII.
        #[serde(skip)]
        label: String,
    },
}

/// What a template may refer to.
#[derive(Clone, Debug)]
pub enum Param {
    /// In a unit of figures.
    Value(f64, Unit),
    /// A ratio.
    Factor(f64),
    /// As it is.
    Text(String),
    /// A list that was made of other templates.
    Parts(Sentence),
    /// Prints nothing: keeps the optional part of a template.
    Flag,
}

const FACTOR: &str = "factor";

/// Parameters by name; sides included.
#[derive(Clone, Debug, Default)]
pub struct Params(
    Vec<(&'static str, Param)>,
    Vec<(&'static str, usize, String)>,
);

impl Params {
    /// With the two sides that templates call by these names.
    pub fn of_sides(sides: [(&'static str, &ComparisonSide); 2]) -> Params {
        Params(
            Vec::new(),
            sides
                .map(|(name, side)| (name, side.at, side.label.clone()))
                .into(),
        )
    }

    /// With a value.
    pub fn value(self, name: &'static str, value: f64, unit: Unit) -> Params {
        self.with(name, Param::Value(value, unit))
    }

    /// With any parameter.
    pub fn with(mut self, name: &'static str, param: Param) -> Params {
        self.0.push((name, param));
        self
    }

    /// Fills a template: `{name}` is a parameter or a side, `[...]` is left out unless all
    /// parameters in it are known.
    pub fn fill(&self, template: &str) -> Sentence {
        let mut out = Sentence::default();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '[']) {
            out.text(&rest[..at]);
            let tail = &rest[at..];
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
        self.0.iter().any(|(known, _)| *known == name)
            || self.1.iter().any(|(known, ..)| *known == name)
    }

    fn put(&self, name: &str, out: &mut Sentence) {
        if let Some((_, side, label)) = self.1.iter().find(|(known, ..)| *known == name) {
            out.0.push(SentencePart::Side {
                side: *side,
                label: label.clone(),
            });
        }
        let Some((name, param)) = self.0.iter().find(|(known, _)| *known == name) else {
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

/// The bracket that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len() - 1
}

/// Of parameters, without those of nested optional parts.
fn names(template: &str) -> impl Iterator<Item = &str> {
    let outer = template.find('[').map_or(template, |at| &template[..at]);
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

    /// A list, `; ` between its items.
    pub fn joined(items: impl IntoIterator<Item = Sentence>) -> Sentence {
        let mut out = Sentence::default();
        for (i, item) in items.into_iter().enumerate() {
            out.text(if i == 0 { "" } else { "; " });
            out.extend(item);
        }
        out
    }

    /// In ASCII, but for the labels of sides.
    pub fn ascii(&self) -> String {
        let part = |part: &SentencePart| match part {
            SentencePart::Text(text) => text.clone(),
            SentencePart::Value { value, unit, .. } if *unit == FACTOR => factor(*value),
            SentencePart::Value { value, unit, .. } => Unit::of(unit).write(*value),
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
