//! What is above a block and shows which run it belongs to: headings, and what shell commands
//! reveal.

use crate::line::Place;

/// A title, with the level that decides which others it replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The level of its form as in [`level`], times [`nesting::DEPTHS`](super::nesting::DEPTHS),
    /// plus its depth among titles of this form.
    pub level: u8,
    pub label: String,
    pub place: Place,
}

/// A fact that a session reveals of the machine: a kernel, a scheduler, a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFact {
    /// `kernel`, `scheduler`, `commit`, `host`, or the name of a setting.
    pub key: String,
    pub value: String,
    pub place: Place,
}

/// Key of the machine that a prompt names.
pub const HOST: &str = "host";

/// Key of the folder that a prompt names.
pub const FOLDER: &str = "folder";
/// Key of the file that the lines are from, as `cat` and `grep` show it.
pub const FILE: &str = "file";

/// Everything that is known at a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The headings above, the outermost first.
    pub headings: Vec<Heading>,
    pub facts: Vec<SessionFact>,
    /// The last command of a shell.
    pub command: Option<String>,
}

impl Context {
    /// A newer value replaces the one before.
    pub fn add_fact(&mut self, fact: SessionFact) {
        self.facts.retain(|other| other.key != fact.key);
        self.facts.push(fact);
    }
}

/// Levels of titles that are no headings of Markdown, below its six.
pub mod level {
    /// Titles in marks: `=== bfq ===`, `[host]`, `**bold**`.
    pub const MARKED: u8 = 7;
    /// Titles with a colon: `On 6.12:`.
    pub const CAPTION: u8 = 8;
    /// `1) iostat:`, one of several below a caption.
    pub const ITEM: u8 = 9;
    /// `6.1.0-13-amd64` alone in a line above a block, and what `echo` printed.
    pub const BARE: u8 = 10;
}
