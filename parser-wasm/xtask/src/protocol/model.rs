//! What JSON a type is, whichever language says so: `shapes` and `types` make it of the sources,
//! `typescript` and `schema` write it.

/// Lines of documentation, with names in backticks.
#[derive(Default)]
pub struct Docs(pub Vec<String>);

/// A named type.
pub struct Definition {
    pub docs: Docs,
    pub name: String,
    pub body: Body,
}

pub enum Body {
    Object(Object),
    Alias(Shape),
    /// An enum of words only.
    Words(Vec<Word>),
    /// One of the alternatives, or one of the words.
    Union(Vec<(Docs, Alternative)>, Vec<Word>),
}

pub struct Word {
    pub docs: Docs,
    pub word: String,
}

#[derive(Default)]
pub struct Object {
    pub fields: Vec<Field>,
    /// Types whose fields it has, too.
    pub parents: Vec<Parent>,
}

pub struct Field {
    pub docs: Docs,
    pub key: String,
    pub optional: bool,
    pub shape: Shape,
}

pub struct Parent {
    pub shape: Shape,
    /// Without it, none of its fields is there.
    pub partial: bool,
}

/// An alternative of a union that is no word.
pub enum Alternative {
    /// The fields of the content, and the word in a field.
    Tagged {
        tag: String,
        word: String,
        content: Content,
    },
    /// An object with the content in the only field.
    Keyed {
        word: String,
        content: Content,
    },
    Plain(Content),
}

/// What a variant holds.
pub enum Content {
    Nothing,
    Shape(Shape),
    Object(Object),
}

#[derive(PartialEq)]
pub enum Shape {
    Boolean,
    /// `false` is left out.
    True,
    Number,
    /// A number of an answer, which crosses as it is: JSON has `null` for NaN.
    Float,
    Integer,
    /// An integer from 0.
    Natural,
    Quantity(&'static Quantity),
    String,
    Unknown,
    Named(String),
    Nullable(Box<Shape>),
    List(Box<Shape>),
    Tuple(Vec<Shape>),
    Buffer(Element),
    Map(Box<Shape>, Box<Shape>),
}

/// An alias whose name says more than its type.
#[derive(PartialEq, Eq)]
pub struct Quantity {
    pub alias: &'static str,
    /// Its type in `web/lib/units`.
    pub name: &'static str,
    pub integer: bool,
    pub unit: &'static str,
}

/// Elements of typed arrays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Element {
    Float64,
    Uint32,
    Uint8,
}
