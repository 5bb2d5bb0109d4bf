//! Every query on small traces drawn as text (`fixture`), with answers calculated by hand.

mod bad;
mod events;
mod failures;
mod indexed;
mod layers;
mod life;
mod map;
mod plain;
mod playback;
mod shares;
mod tail;
mod through;
mod time;
mod zones;

use super::{Answer, AnswerValue, BadQuery, Index, InfoCounter, IntoAnswer, View, answer};
use seekscope_trace::fixture::store;
use seekscope_trace::store::Store;
use serde_json::{Value as Json, json};

/// A trace and its index.
struct IndexedTrace {
    store: Store,
    index: Index,
}

/// Access to the properties of an answer.
struct AnswerReader(Answer);

impl IndexedTrace {
    fn new(text: &str) -> IndexedTrace {
        let store = store(text);
        let index = Index::new(&store);
        IndexedTrace { store, index }
    }

    fn try_query(&self, kind: &str, query: &Json) -> Result<Answer, BadQuery> {
        answer(
            View {
                store: &self.store,
                index: &self.index,
            },
            kind,
            &query.to_string(),
        )
    }

    fn query(&self, kind: &str, query: Json) -> AnswerReader {
        AnswerReader(self.try_query(kind, &query).unwrap())
    }

    /// Queries without the index, as while a trace is being read.
    fn query_while_reading(&self, kind: &str, query: Json) -> AnswerReader {
        AnswerReader(
            answer(
                View {
                    store: &self.store,
                    index: &Index::default(),
                },
                kind,
                &query.to_string(),
            )
            .unwrap(),
        )
    }

    fn error(&self, kind: &str, query: Json) -> String {
        self.try_query(kind, &query).unwrap_err().0
    }

    fn info(&self) -> Json {
        let mut tally = InfoCounter::default();
        tally.advance(&self.store);
        AnswerReader(tally.info(&self.store).into_answer()).json()
    }
}

impl AnswerReader {
    fn property(&self, name: &str) -> &AnswerValue {
        let Answer::Object(properties) = &self.0 else {
            panic!("a document")
        };
        &properties
            .iter()
            .find(|p| p.0 == name)
            .unwrap_or_else(|| panic!("no {name}"))
            .1
    }

    /// A number or a list of numbers.
    fn list(&self, name: &str) -> Vec<f64> {
        match self.property(name) {
            AnswerValue::Number(n) => vec![*n],
            AnswerValue::F64(v) => v.clone(),
            AnswerValue::U32(v) => v.iter().map(|&n| f64::from(n)).collect(),
            AnswerValue::U8(v) => v.iter().map(|&n| f64::from(n)).collect(),
            other => panic!("{name} is {other:?}"),
        }
    }

    fn number(&self, name: &str) -> f64 {
        self.list(name)[0]
    }

    fn word(&self, name: &str) -> &'static str {
        let AnswerValue::Word(word) = self.property(name) else {
            panic!("{name} is no word")
        };
        word
    }

    fn json(self) -> Json {
        match self.0 {
            Answer::Json(_) | Answer::Text(_) => self.0.document().expect("a document"),
            Answer::Object(properties) => {
                let plain = |v: AnswerValue| match v {
                    AnswerValue::Number(n) => json!(n),
                    AnswerValue::Word(w) => json!(w),
                    AnswerValue::F64(v) => json!(v),
                    AnswerValue::U32(v) => json!(v),
                    AnswerValue::U8(v) => json!(v),
                    AnswerValue::Json(json) => json,
                };
                properties
                    .into_iter()
                    .map(|(name, v)| (name.to_owned(), plain(v)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
        }
    }
}

/// Pseudo-random numbers, the same in every run.
struct DrawnRandom(u64);

impl DrawnRandom {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// `n` requests of one device at random places, each queued, issued and completed; up to 8 in
/// flight.
fn random_trace(n: u64, seed: u64) -> String {
    let mut random = DrawnRandom(seed);
    let mut events: Vec<(u64, u64, String)> = Vec::new();
    for i in 0..n {
        let (place, sectors) = (i * 4096 + random.below(2048), 1 + random.below(1024));
        let rwbs = ["R", "W", "WS", "D", "WFS"][random.below(5) as usize];
        let queued = i * 100 + random.below(90);
        let issued = queued + random.below(400);
        let completed = issued + 1 + random.below(900);
        let tail = format!(
            "{place}+{sectors} {rwbs} pid={} cpu={}",
            1 + random.below(5),
            random.below(3)
        );
        events.push((queued, i * 3, format!("Q {tail}")));
        events.push((issued, i * 3 + 1, format!("D {tail}")));
        if random.below(20) > 0 {
            events.push((completed, i * 3 + 2, format!("C {tail}")));
        }
    }
    events.sort();
    events
        .into_iter()
        .map(|(time, _, rest)| format!("{time} {rest}\n"))
        .collect()
}
