//! What native tools print of a whole trace, as text.

use super::answer::{Answer, BadQuery, Value};
use super::reach::View;
use crate::report::{blkparse_summary, btt_text};
use serde::Deserialize;

/// A native tool.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// The summary that `blkparse -i` ends with.
    Blkparse,
    /// The tables of `btt -A`.
    Btt,
}

/// Parameters of `nativeText`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct NativeAsk {
    tool: Tool,
}

/// Answers `nativeText`.
pub fn native_text(view: View, ask: &NativeAsk) -> Result<Answer, BadQuery> {
    let text = match ask.tool {
        Tool::Blkparse => blkparse_summary::summary(view.store),
        Tool::Btt => btt_text::all(view.store),
    };
    Ok(Answer::Object(vec![("text", Value::Json(text.into()))]))
}
