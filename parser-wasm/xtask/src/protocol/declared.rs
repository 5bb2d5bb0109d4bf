//! Declarations as they stand in the sources: items of Rust, and the macros of the engine that
//! declare answers, queries and enums that are written as words.

use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, LitStr, Pat, Stmt, Token, Type};

/// A declaration that JSON can be made of.
pub enum Declared {
    Struct(syn::ItemStruct),
    Enum(syn::ItemEnum),
    Alias(syn::ItemType),
    /// The body of `answer_object!`.
    Answer(AnswerObject),
}

impl Declared {
    pub fn attributes(&self) -> &[Attribute] {
        match self {
            Declared::Struct(item) => &item.attrs,
            Declared::Enum(item) => &item.attrs,
            Declared::Alias(item) => &item.attrs,
            Declared::Answer(item) => &item.attributes,
        }
    }

    /// The name in TypeScript.
    pub fn name(&self) -> String {
        self.alias().unwrap_or_else(|| match self {
            Declared::Struct(item) => item.ident.to_string(),
            Declared::Enum(item) => item.ident.to_string(),
            Declared::Alias(item) => item.ident.to_string(),
            Declared::Answer(item) => item.name.to_string(),
        })
    }

    /// `#[doc(alias = "...")]`.
    pub fn alias(&self) -> Option<String> {
        let mut found = None;
        for attribute in self
            .attributes()
            .iter()
            .filter(|a| a.path().is_ident("doc"))
        {
            if let syn::Meta::List(_) = attribute.meta {
                let _ = attribute.parse_nested_meta(|meta| {
                    if meta.path.is_ident("alias") {
                        found = Some(meta.value()?.parse::<LitStr>()?.value());
                    }
                    Ok(())
                });
            }
        }
        found
    }
}

/// A declaration and the number of its file.
pub struct Declaration {
    pub source: usize,
    pub item: Declared,
}

/// An object with typed arrays.
pub struct AnswerObject {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    /// Documentation, name in JavaScript, type.
    pub fields: Vec<(Vec<Attribute>, String, Type)>,
}

impl Parse for AnswerObject {
    fn parse(input: ParseStream) -> syn::Result<AnswerObject> {
        let attributes = Attribute::parse_outer(input)?;
        input.parse::<syn::Visibility>()?;
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        let body;
        syn::braced!(body in input);
        let mut fields = Vec::new();
        while !body.is_empty() {
            let docs = Attribute::parse_outer(&body)?;
            let field: Ident = body.parse()?;
            let key = if body.parse::<Option<Token![as]>>()?.is_some() {
                body.parse::<LitStr>()?.value()
            } else {
                field.to_string()
            };
            body.parse::<Token![:]>()?;
            fields.push((docs, key, body.parse()?));
            body.parse::<Option<Token![,]>>()?;
        }
        Ok(AnswerObject {
            attributes,
            name,
            fields,
        })
    }
}

/// The table of queries: documentation, name, type of the parameters, type of the answer.
pub struct Queries(pub Vec<(Vec<Attribute>, String, Type, Type)>);

impl Parse for Queries {
    fn parse(input: ParseStream) -> syn::Result<Queries> {
        let mut rows = Vec::new();
        while !input.is_empty() {
            let docs = Attribute::parse_outer(input)?;
            let name = input.parse::<LitStr>()?.value();
            input.parse::<Token![=>]>()?;
            input.parse::<Ident>()?;
            input.parse::<syn::ExprPath>()?;
            input.parse::<Token![:]>()?;
            let parameters = input.parse()?;
            input.parse::<Token![=>]>()?;
            rows.push((docs, name, parameters, input.parse()?));
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Queries(rows))
    }
}

/// `labels!`: documentation, name, labels by key.
pub struct Labels {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub rows: Vec<(String, String)>,
}

impl Parse for Labels {
    fn parse(input: ParseStream) -> syn::Result<Labels> {
        let attributes = Attribute::parse_outer(input)?;
        let name = input.parse()?;
        let body;
        syn::braced!(body in input);
        let mut rows = Vec::new();
        while !body.is_empty() {
            let key = body.parse::<LitStr>()?.value();
            body.parse::<Token![=>]>()?;
            rows.push((key, body.parse::<LitStr>()?.value()));
            body.parse::<Option<Token![,]>>()?;
        }
        Ok(Labels {
            attributes,
            name,
            rows,
        })
    }
}

/// `serialize_as_word!(Role, name)`.
pub struct WordEnum(pub Ident, pub Ident);

impl Parse for WordEnum {
    fn parse(input: ParseStream) -> syn::Result<WordEnum> {
        let name = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok(WordEnum(name, input.parse()?))
    }
}

/// The text of `unchecked_return_type` of `#[wasm_bindgen]`.
pub fn returned(attributes: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in attributes
        .iter()
        .filter(|a| a.path().is_ident("wasm_bindgen"))
    {
        // Other arguments have forms that are not those of serde: what cannot be read is none.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.input.peek(Token![=]) {
                let value: Expr = meta.value()?.parse()?;
                if meta.path.is_ident("unchecked_return_type")
                    && let Some(text) = text_of(&value)
                {
                    found.push(text);
                }
            }
            Ok(())
        });
    }
    found
}

fn text_of(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The variants and words of a method that is one `match self`.
pub fn word_arms(
    methods: &[syn::ItemImpl],
    name: &Ident,
    method: &Ident,
) -> Option<Vec<(String, String)>> {
    let of_type = methods.iter().filter(|item| match &*item.self_ty {
        Type::Path(path) => path.path.is_ident(name) && item.trait_.is_none(),
        _ => false,
    });
    let body = of_type
        .flat_map(|item| &item.items)
        .find_map(|item| match item {
            syn::ImplItem::Fn(item) if item.sig.ident == *method => Some(&item.block),
            _ => None,
        })?;
    let Some(Stmt::Expr(Expr::Match(arms), None)) = body.stmts.last() else {
        return None;
    };
    let mut words = Vec::new();
    for arm in &arms.arms {
        let word = text_of(&arm.body)?;
        let patterns: Vec<&Pat> = match &arm.pat {
            Pat::Or(patterns) => patterns.cases.iter().collect(),
            pattern => vec![pattern],
        };
        for pattern in patterns {
            let path = match pattern {
                Pat::Path(path) => &path.path,
                Pat::TupleStruct(pattern) => &pattern.path,
                Pat::Struct(pattern) => &pattern.path,
                _ => return None,
            };
            words.push((path.segments.last()?.ident.to_string(), word.clone()));
        }
    }
    Some(words)
}

/// The texts that a function of one `match` has as patterns; its last arm takes all others.
pub fn matched_words(functions: &[syn::ItemFn], name: &Ident) -> Option<Vec<String>> {
    let function = functions.iter().find(|item| item.sig.ident == *name)?;
    let Some(Stmt::Expr(Expr::Match(arms), None)) = function.block.stmts.last() else {
        return None;
    };
    let mut words = Vec::new();
    for arm in &arms.arms {
        let patterns: Vec<&Pat> = match &arm.pat {
            Pat::Or(patterns) => patterns.cases.iter().collect(),
            pattern => vec![pattern],
        };
        for pattern in patterns {
            match pattern {
                Pat::Lit(literal) => match &literal.lit {
                    syn::Lit::Str(text) => words.push(text.value()),
                    _ => return None,
                },
                Pat::Wild(_) => {}
                _ => return None,
            }
        }
    }
    Some(words)
}
