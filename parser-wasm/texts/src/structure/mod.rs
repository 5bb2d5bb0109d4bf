//! Recognises what is around outputs and tables: prefixes of quotations, headings, sessions of a
//! shell.

pub mod announced;
pub mod context;
pub mod diff;
pub mod emphasis;
pub mod fence;
pub mod forum;
pub mod grep;
pub mod heading;
pub mod kind;
pub mod nesting;
pub mod patch;
pub mod prefix;
pub mod prompt;
pub mod revealed;
pub mod side_by_side;
pub mod spacing;
pub mod unwrap;
