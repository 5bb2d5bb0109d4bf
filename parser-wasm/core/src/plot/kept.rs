//! Answers about a complete trace that were given lately: colours are switched back, zooms are undone, and a link needs what the page shows.

use super::answer::{Answer, AnswerValue};
use serde_json::Value as Json;
use std::collections::VecDeque;

/// Queries that examine many rows.
const KEPT: [&str; 15] = [
    "facets",
    "bands",
    "seekMap",
    "depth",
    "starved",
    "rate",
    "latencyGrid",
    "distribution",
    "stages",
    "sizes",
    "stripeTime",
    "alignment",
    "tail",
    "slowest",
    "digest",
];
/// Bytes of all answers, about.
const MOST_BYTES: usize = 32 << 20;
/// A larger one is not kept. The digest of a long recording of several devices has 10 MB, and takes longest.
const LARGEST: usize = MOST_BYTES / 2;

#[derive(Clone, Debug)]
struct KeptAnswer {
    kind: String,
    parameters: String,
    bytes: usize,
    answer: Answer,
}

/// The latest answers, oldest first.
#[derive(Clone, Debug, Default)]
pub struct KeptAnswers {
    all: VecDeque<KeptAnswer>,
    bytes: usize,
    /// Lanes of the trace: counters may be added to a complete trace, and the digest has their means.
    lanes: usize,
}

impl KeptAnswers {
    /// The answer to the same query, which counts as the latest again.
    pub fn find(&mut self, kind: &str, parameters: &str, lanes: usize) -> Option<Answer> {
        if self.lanes != lanes {
            *self = KeptAnswers { lanes, ..KeptAnswers::default() };
        }
        let at = self.all.iter().position(|kept| kept.kind == kind && kept.parameters == parameters)?;
        let kept = self.all.remove(at)?;
        let answer = kept.answer.clone();
        self.all.push_back(kept);
        Some(answer)
    }

    pub fn keep(&mut self, kind: &str, parameters: &str, answer: &Answer) {
        let bytes = bytes_of(answer) + parameters.len();
        if !KEPT.contains(&kind) || bytes > LARGEST {
            return;
        }
        self.bytes += bytes;
        self.all.push_back(KeptAnswer {
            kind: kind.to_owned(),
            parameters: parameters.to_owned(),
            bytes,
            answer: answer.clone(),
        });
        while self.bytes > MOST_BYTES {
            let Some(oldest) = self.all.pop_front() else { return };
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
        Json::Object(fields) => fields.iter().map(|(name, value)| NODE + name.len() + bytes_of_json(value)).sum(),
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
        assert_eq!((kept.find("seekMap", "a", 0), kept.find("seekMap", "b", 0)), (Some(answer(9)), None));
        assert_eq!((kept.find("rate", "a", 0), kept.find("seekMap", "a", 1)), (None, None), "a counter was added");
        kept.keep("info", "a", &answer(9));
        kept.keep("seekMap", "large", &answer(LARGEST));
        assert_eq!(kept.memory(), 0);
        for n in 0..100 {
            kept.keep("seekMap", &n.to_string(), &answer(LARGEST / 8));
            assert!(kept.find("seekMap", "0", 1).is_some(), "{n}: it was used lately");
        }
        assert!(kept.memory() <= MOST_BYTES && kept.memory() > MOST_BYTES / 2);
        assert_eq!(kept.find("seekMap", "1", 1), None);
    }
}
