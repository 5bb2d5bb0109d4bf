//! What serde's attributes do not say of the types that cross to JavaScript. `xtask` makes their
//! declarations of TypeScript from the sources: see `xtask/src/protocol`.
//!
//! `#[doc(alias = "Range")]` is the name in TypeScript of a type whose name is another one in Rust.
//! An alias `FooJson` of `serde_json::Value` holds a document of the type `Foo`.

/// ns since the first event of the trace.
pub type Ns = u64;
/// The same as a float, exact to 104 days.
pub type FloatNs = f64;
/// A sector of 512 bytes, or a number of them.
pub type SectorNumber = u64;
/// The same as a float, exact to 2^53.
pub type FloatSector = f64;
/// A number of bytes.
pub type ByteCount = u64;
/// An end of an interval: JSON has no infinity, and writes `null` for an open one.
pub type OpenEnd = f64;

/// Code of a finding about two sides; stable. Each has a sentence in `compare/src/wording.rs`.
pub type FindingCode = &'static str;
/// Code of a finding about one run; stable.
pub type RunFindingCode = &'static str;

/// Writes an enum as the word that a method returns, a `match self` with a text per variant. The
/// order of the variants is that of the list in TypeScript.
#[macro_export]
macro_rules! serialize_as_word {
    ($name:ident, $method:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$method())
            }
        }
    };
}
pub use serialize_as_word;

/// The words of a type that is a text in Rust are all that a function matches.
#[macro_export]
macro_rules! words_of_match {
    ($name:ident, $function:ident) => {
        const _: fn(&str) -> &'static str = $function;
    };
}
pub use words_of_match;

/// A table of labels by key, which the page has, too.
#[macro_export]
macro_rules! labels {
    ($(#[$attribute:meta])* $name:ident { $($key:literal => $label:literal),* $(,)? }) => {
        $(#[$attribute])*
        pub const $name: &[(&str, &str)] = &[$(($key, $label)),*];
    };
}
pub use labels;

/// Names types that callers pass as JSON, which no signature shows, for the declarations.
#[macro_export]
macro_rules! protocol_types {
    ($($name:ty),* $(,)?) => {
        const _: usize = 0 $(+ size_of::<$name>())*;
    };
}
