//! Answers about a complete trace that were given lately: colours are switched back, zooms are
//! undone, and a link needs what the page shows.

use super::answer::{Answer, AnswerValue, BadQuery, IntoAnswer};
use super::query;
use super::view::View;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::VecDeque;
use std::fmt::Debug;

/// Bytes of all answers, about.
const MAX_BYTES: usize = 32 << 20;
/// A larger one is not kept. The digest of a long recording of several devices has 10 MB, and takes
/// longest.
const LARGEST: usize = MAX_BYTES / 2;

/// The answer to a query by `ask`, or the one that was kept.
pub fn answer<Q: DeserializeOwned + Debug, A: IntoAnswer>(
    view: View,
    kind: &str,
    parameters: &str,
    ask: impl FnOnce(View, &Q) -> Result<A, BadQuery>,
) -> Result<Answer, BadQuery> {
    let query: Q = query::parse(parameters)?;
    // What was understood, not how it was written: the page and a snapshot put the same question in
    // other words.
    let meaning = format!("{query:?}");
    if let Some(known) = view
        .kept(|kept, lanes| kept.find(kind, &meaning, lanes))
        .flatten()
    {
        return Ok(known);
    }
    let answer = ask(view, &query)?.into_answer();
    view.kept(|kept, _| kept.keep(kind, &meaning, &answer));
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
    /// Lanes of the trace: counters may be added to a complete trace, and the digest has their
    /// means.
    lanes: usize,
}

impl KeptAnswers {
    /// The answer to the same query, which counts as the latest again.
    pub fn find(&mut self, kind: &str, meaning: &str, lanes: usize) -> Option<Answer> {
        if self.lanes != lanes {
            *self = KeptAnswers {
                lanes,
                ..KeptAnswers::default()
            };
        }
        let at = self
            .all
            .iter()
            .position(|kept| kept.kind == kind && kept.meaning == meaning)?;
        let kept = self.all.remove(at)?;
        let answer = kept.answer.clone();
        self.all.push_back(kept);
        Some(answer)
    }

    pub fn keep(&mut self, kind: &str, meaning: &str, answer: &Answer) {
        let bytes = bytes_of(answer) + meaning.len();
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

fn bytes_of(answer: &Answer) -> usize {
    match answer {
        Answer::Json(json) => bytes_of_json(json),
        Answer::Text(text) => text.len(),
        Answer::Object(properties) => properties
            .iter()
            .map(|(_, value)| match value {
                AnswerValue::F64(list) => list.len() * 8,
                AnswerValue::U32(list) => list.len() * 4,
                AnswerValue::U8(list) => list.len(),
                AnswerValue::Json(json) => bytes_of_json(json),
                AnswerValue::Number(_) | AnswerValue::Word(_) => 16,
            })
            .sum(),
    }
}

fn bytes_of_json(json: &Json) -> usize {
    const NODE: usize = 32;
    NODE + match json {
        Json::String(text) => text.len(),
        Json::Array(list) => list.iter().map(bytes_of_json).sum(),
        Json::Object(fields) => fields
            .iter()
            .map(|(name, value)| NODE + name.len() + bytes_of_json(value))
            .sum(),
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_answers_are_kept_within_bounds() {
        let mut kept = KeptAnswers::default();
        let answer = |n: usize| Answer::Object(vec![("counts", vec![n as u32; n].into())]);
        kept.keep("seekMap", "a", &answer(9));
        assert_eq!(
            (kept.find("seekMap", "a", 0), kept.find("seekMap", "b", 0)),
            (Some(answer(9)), None)
        );
        assert_eq!(
            (kept.find("rate", "a", 0), kept.find("seekMap", "a", 1)),
            (None, None),
            "a counter was added"
        );
        kept.keep("seekMap", "large", &answer(LARGEST));
        assert_eq!(kept.memory(), 0);
        for n in 0..100 {
            kept.keep("seekMap", &n.to_string(), &answer(LARGEST / 8));
            assert!(
                kept.find("seekMap", "0", 1).is_some(),
                "{n}: it was used lately"
            );
        }
        assert!(kept.memory() <= MAX_BYTES && kept.memory() > MAX_BYTES / 2);
        assert_eq!(kept.find("seekMap", "1", 1), None);
    }

    #[test]
    fn a_question_in_other_words_is_the_same() {
        use crate::{Index, answer};
        use seekscope_trace::fixture::store;
        let store = store("10 Q 0+8 WS\n20 D 0+8 WS\n40 C 0+8 WS");
        let index = Index::of(&store);
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
        let kept = index.memory();
        assert!(kept > before);
        let same =
            r#"{"at":"issued","device":0,"filter":{"device":0},"range":{"t1":40.0,"t0":0.0}}"#;
        assert_eq!(
            (answer(view, "sizes", same).unwrap(), index.memory()),
            (first, kept)
        );
        answer(
            view,
            "sizes",
            r#"{"filter":{"device":0},"range":{"t0":0,"t1":40},"at":"queued"}"#,
        )
        .unwrap();
        assert!(index.memory() > kept, "another question");
    }
}
