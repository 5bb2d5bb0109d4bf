//! A cache of the latest answers about a complete trace: colours are switched back, zooms are
//! undone, and a link needs what the page shows.
//!
//! An answer may be kept only if it depends on nothing but the trace, the query and the number of
//! lanes. While a trace is being read nothing is kept ([`View::with_answers`]).

use super::answer::{Answer, AnswerValue, BadQuery, IntoAnswer};
use super::query;
use super::view::View;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::VecDeque;
use std::fmt::Debug;

/// Maximum memory of all kept answers, bytes; estimated, not measured.
const MAX_BYTES: usize = 32 << 20;
/// Maximum memory of one kept answer, bytes. The digest of a long recording of several devices has
/// 10 MB and takes longest to compute, so it must fit.
const LARGEST: usize = MAX_BYTES / 2;

/// The answer to a query: the kept one, else what `compute` returns.
pub fn answer<Q: DeserializeOwned + Debug, A: IntoAnswer>(
    view: View,
    kind: &str,
    parameters: &str,
    compute: impl FnOnce(View, &Q) -> Result<A, BadQuery>,
) -> Result<Answer, BadQuery> {
    let query: Q = query::parse(parameters)?;
    // The key is the parsed query, not its JSON: the page and a snapshot write the same query in
    // another order, with keys that are not read, or with 40.0 for 40.
    let meaning = format!("{query:?}");
    if let Some(answer) = view
        .with_answers(|answers, lanes| answers.find(kind, &meaning, lanes))
        .flatten()
    {
        return Ok(answer);
    }
    let answer = compute(view, &query)?.into_answer();
    view.with_answers(|answers, _| answers.keep(kind, &meaning, &answer));
    Ok(answer)
}

#[derive(Clone, Debug)]
struct KeptAnswer {
    kind: String,
    meaning: String,
    bytes: usize,
    answer: Answer,
}

/// The latest answers, oldest first.
#[derive(Clone, Debug, Default)]
pub struct KeptAnswers {
    all: VecDeque<KeptAnswer>,
    bytes: usize,
    /// Number of lanes when the answers were computed. Counters may be added to a complete trace,
    /// and the digest has their means, so another number empties the cache.
    lanes: usize,
}

impl KeptAnswers {
    /// The kept answer to a query, which then counts as the latest.
    pub fn find(&mut self, kind: &str, meaning: &str, lanes: usize) -> Option<Answer> {
        if self.lanes != lanes {
            *self = KeptAnswers {
                lanes,
                ..KeptAnswers::default()
            };
        }
        let index = self
            .all
            .iter()
            .position(|entry| entry.kind == kind && entry.meaning == meaning)?;
        let entry = self.all.remove(index)?;
        let answer = entry.answer.clone();
        self.all.push_back(entry);
        Some(answer)
    }

    /// Keeps an answer, and drops the oldest ones beyond [`MAX_BYTES`].
    pub fn keep(&mut self, kind: &str, meaning: &str, answer: &Answer) {
        let bytes = answer_bytes(answer) + meaning.len();
        if bytes > LARGEST {
            return;
        }
        self.bytes += bytes;
        self.all.push_back(KeptAnswer {
            kind: kind.to_owned(),
            meaning: meaning.to_owned(),
            bytes,
            answer: answer.clone(),
        });
        while self.bytes > MAX_BYTES {
            let Some(oldest) = self.all.pop_front() else {
                return;
            };
            self.bytes -= oldest.bytes;
        }
    }

    pub fn memory(&self) -> usize {
        self.bytes
    }
}

fn answer_bytes(answer: &Answer) -> usize {
    match answer {
        Answer::Json(json) => json_bytes(json),
        Answer::Text(text) => text.len(),
        Answer::Object(properties) => properties
            .iter()
            .map(|(_, value)| match value {
                AnswerValue::F64(list) => list.len() * 8,
                AnswerValue::U32(list) => list.len() * 4,
                AnswerValue::U8(list) => list.len(),
                AnswerValue::Json(json) => json_bytes(json),
                AnswerValue::Number(_) | AnswerValue::Word(_) => 16,
            })
            .sum(),
    }
}

fn json_bytes(json: &Json) -> usize {
    /// Size of a [`Json`] value, about.
    const NODE: usize = 32;
    NODE + match json {
        Json::String(text) => text.len(),
        Json::Array(list) => list.iter().map(json_bytes).sum(),
        Json::Object(fields) => fields
            .iter()
            .map(|(name, value)| NODE + name.len() + json_bytes(value))
            .sum(),
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_answers_are_kept_within_bounds() {
        let mut answers = KeptAnswers::default();
        let answer = |n: usize| Answer::Object(vec![("counts", vec![n as u32; n].into())]);
        answers.keep("seekMap", "a", &answer(9));
        assert_eq!(
            (
                answers.find("seekMap", "a", 0),
                answers.find("seekMap", "b", 0)
            ),
            (Some(answer(9)), None)
        );
        assert_eq!(
            (
                answers.find("rate", "a", 0),
                answers.find("seekMap", "a", 1)
            ),
            (None, None),
            "a counter was added"
        );
        answers.keep("seekMap", "large", &answer(LARGEST));
        assert_eq!(answers.memory(), 0);
        for n in 0..100 {
            answers.keep("seekMap", &n.to_string(), &answer(LARGEST / 8));
            assert!(
                answers.find("seekMap", "0", 1).is_some(),
                "{n}: it was used lately"
            );
        }
        assert!(answers.memory() <= MAX_BYTES && answers.memory() > MAX_BYTES / 2);
        assert_eq!(answers.find("seekMap", "1", 1), None);
    }

    #[test]
    fn a_question_in_other_words_is_the_same() {
        use crate::{Index, answer};
        use seekscope_trace::fixture::store;
        let store = store("10 Q 0+8 WS\n20 D 0+8 WS\n40 C 0+8 WS");
        let index = Index::new(&store);
        let view = View {
            store: &store,
            index: &index,
        };
        let before = index.memory();
        let first = answer(
            view,
            "sizes",
            r#"{"filter":{"device":0},"range":{"t0":0,"t1":40},"at":"issued"}"#,
        )
        .unwrap();
        let after = index.memory();
        assert!(after > before);
        let same =
            r#"{"at":"issued","device":0,"filter":{"device":0},"range":{"t1":40.0,"t0":0.0}}"#;
        assert_eq!(
            (answer(view, "sizes", same).unwrap(), index.memory()),
            (first, after)
        );
        answer(
            view,
            "sizes",
            r#"{"filter":{"device":0},"range":{"t0":0,"t1":40},"at":"queued"}"#,
        )
        .unwrap();
        assert!(index.memory() > after, "another question");
    }
}
