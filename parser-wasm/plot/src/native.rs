//! The text that native tools print for a trace.

use super::answer::BadQuery;
use super::view::View;
use seekscope_report::{blkparse_summary, btt_each};
use serde::{Deserialize, Serialize};

/// A native tool.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NativeTool {
    /// The summary at the end of `blkparse -i`.
    Blkparse,
    /// The tables of `btt -A`.
    Btt,
}

/// Parameters of `nativeText`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct NativeTextQuery {
    tool: NativeTool,
}

/// The output of the tool.
#[derive(Clone, Debug, Serialize)]
pub struct NativeText {
    pub text: String,
}

/// Answers `nativeText`.
pub fn native_text(view: View, query: &NativeTextQuery) -> Result<NativeText, BadQuery> {
    let text = match query.tool {
        NativeTool::Blkparse => blkparse_summary::summary(view.store),
        NativeTool::Btt => btt_each::all(view.store),
    };
    Ok(NativeText { text })
}
