//! Every question over small traces drawn as text, with answers worked out by hand.

mod bad;
mod events;
mod life;
mod map;
mod shares;
mod time;

use super::{Answer, BadQuery, Index, Tally, Value, View, answer};
use crate::measure::fixture::store;
use crate::store::Store;
use serde_json::{Value as Json, json};

/// A trace and its index.
struct Asked {
    store: Store,
    index: Index,
}

/// An answer, taken apart.
struct Got(Answer);

impl Asked {
    fn of(text: &str) -> Asked {
        let store = store(text);
        let index = Index::of(&store);
        Asked { store, index }
    }

    fn try_ask(&self, kind: &str, ask: &Json) -> Result<Answer, BadQuery> {
        answer(View { store: &self.store, index: &self.index }, kind, &ask.to_string())
    }

    fn ask(&self, kind: &str, ask: Json) -> Got {
        Got(self.try_ask(kind, &ask).unwrap())
    }

    /// The same without the index, as while a trace is being read.
    fn ask_while_reading(&self, kind: &str, ask: Json) -> Got {
        Got(answer(View { store: &self.store, index: &Index::default() }, kind, &ask.to_string()).unwrap())
    }

    fn refusal(&self, kind: &str, ask: Json) -> String {
        self.try_ask(kind, &ask).unwrap_err().0
    }

    fn info(&self) -> Json {
        let mut tally = Tally::default();
        tally.advance(&self.store);
        Got(tally.info(&self.store)).json()
    }
}

impl Got {
    fn property(&self, name: &str) -> &Value {
        let Answer::Object(properties) = &self.0 else { panic!("a document") };
        &properties.iter().find(|p| p.0 == name).unwrap_or_else(|| panic!("no {name}")).1
    }

    /// A number or a list of numbers.
    fn list(&self, name: &str) -> Vec<f64> {
        match self.property(name) {
            Value::Number(n) => vec![*n],
            Value::F64(v) => v.clone(),
            Value::U32(v) => v.iter().map(|&n| f64::from(n)).collect(),
            Value::U8(v) => v.iter().map(|&n| f64::from(n)).collect(),
            other => panic!("{name} is {other:?}"),
        }
    }

    fn number(&self, name: &str) -> f64 {
        self.list(name)[0]
    }

    fn word(&self, name: &str) -> &'static str {
        let Value::Word(word) = self.property(name) else { panic!("{name} is no word") };
        word
    }

    fn json(self) -> Json {
        match self.0 {
            Answer::Json(json) => json,
            Answer::Object(properties) => {
                let plain = |v: Value| match v {
                    Value::Number(n) => json!(n),
                    Value::Word(w) => json!(w),
                    Value::F64(v) => json!(v),
                    Value::U32(v) => json!(v),
                    Value::U8(v) => json!(v),
                    Value::Json(json) => json,
                };
                properties.into_iter().map(|(name, v)| (name.to_owned(), plain(v))).collect::<serde_json::Map<_, _>>().into()
            }
        }
    }
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// `n` requests of one device at random places, each queued, issued and completed; up to 8 in flight.
fn random_trace(n: u64, seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut events: Vec<(u64, u64, String)> = Vec::new();
    for i in 0..n {
        let (place, sectors) = (i * 4096 + dice.below(2048), 1 + dice.below(1024));
        let rwbs = ["R", "W", "WS", "D", "WFS"][dice.below(5) as usize];
        let queued = i * 100 + dice.below(90);
        let issued = queued + dice.below(400);
        let completed = issued + 1 + dice.below(900);
        let tail = format!("{place}+{sectors} {rwbs} pid={} cpu={}", 1 + dice.below(5), dice.below(3));
        events.push((queued, i * 3, format!("Q {tail}")));
        events.push((issued, i * 3 + 1, format!("D {tail}")));
        if dice.below(20) > 0 {
            events.push((completed, i * 3 + 2, format!("C {tail}")));
        }
    }
    events.sort();
    events.into_iter().map(|(time, _, rest)| format!("{time} {rest}\n")).collect()
}
