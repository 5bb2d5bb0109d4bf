//! Declarations of TypeScript of all that crosses between the engine and its callers, made from the
//! sources of the crates.
//!
//! The sources are read, not compiled: a derive with reflection would need a second, native build
//! of the engine. What serde does is known here (`attributes`), and what
//! is not known is an error. Types are found from the functions of the WASM modules
//! (`unchecked_return_type`), the table of queries (`queries!`) and the lists of what callers pass
//! (`protocol_types!`).

mod attributes;
mod declared;
mod model;
mod schema;
mod shapes;
mod source;
mod types;
mod typescript;

use self::attributes::documentation;
use self::declared::Labels;
use self::model::{Docs, Shape};
use self::schema::{quoted, schema, write_shape};
use self::source::Sources;
use self::types::Types;
use self::typescript::{UNITS, comment, declaration, property};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Where types that cross are declared.
const CRATES: [&str; 15] = [
    "trace",
    "formats",
    "error",
    "counters",
    "notes",
    "measure",
    "report",
    "compare",
    "plot",
    "statistics",
    "snapshot",
    "reading",
    "texts",
    "wasm",
    "statistics-wasm",
];
/// The declarations, and the schemas of the same types.
const FILES: [&str; 2] = ["protocol.ts", "schemas.ts"];
const HEADER: &str = "// Made by parser-wasm/xtask from the types of the crates. Do not edit.\n";

/// A query of a trace.
struct Query<'a> {
    docs: Docs,
    name: &'a str,
    ask: Shape,
    answer: Shape,
}

/// Writes the declarations into `out`, and lets the declarations of the bindings import them.
pub fn write(workspace: &Path, out: &Path, bindings: &[&str]) -> Result<(), String> {
    let sources = Sources::read(workspace, &CRATES)?;
    let mut types = Types::new(&sources);
    let mut returned = BTreeSet::new();
    for (source, text) in &sources.returned {
        returned.extend(types.named(*source, text)?);
    }
    for (source, ty) in &sources.exported {
        types.json(*source, ty)?;
    }
    let mut queries = Vec::new();
    for (source, table) in &sources.queries {
        for (docs, name, parameters, answer) in &table.0 {
            queries.push(Query {
                docs: documentation(docs),
                name,
                ask: types.json(*source, parameters)?,
                answer: types.json(*source, answer)?,
            });
        }
    }
    let texts = [
        declarations(&types, &sources.labels, &queries),
        schemas(&types, &queries)?,
    ];
    let failed = |error| format!("{}: {error}", out.display());
    fs::create_dir_all(out).map_err(failed)?;
    for (name, text) in FILES.iter().zip(texts) {
        fs::write(out.join(name), text).map_err(failed)?;
    }
    for name in bindings {
        import_into(&out.join(format!("{name}.d.ts")), &returned)?;
    }
    Ok(())
}

/// The module of declarations.
fn declarations(types: &Types, labels: &[Labels], queries: &[Query]) -> String {
    let imports = types
        .quantities()
        .map(|name| format!("import type {{ {name} }} from '{UNITS}'\n"));
    let imports: String = imports.collect();
    let all: Vec<String> = types.definitions().map(declaration).collect();
    let labels: String = labels.iter().map(label_table).collect();
    let rows = queries.iter().map(|query| {
        let [ask, answer] = [&query.ask, &query.answer].map(typescript::write_shape);
        format!(
            "{}  {}: {{ ask: {ask}; answer: {answer} }}\n",
            comment(&query.docs, "  "),
            query.name
        )
    });
    let rows: String = rows.collect();
    format!(
        "{HEADER}{imports}\n{}\n{labels}\
        /** Queries of a trace, with their parameters and answers. */\n\
        export interface TraceQueries {{\n{rows}}}\n",
        all.join("\n")
    )
}

/// What a query answers: its own documentation, else that of the type of its answer.
fn about(types: &Types, query: &Query) -> Result<String, String> {
    let answer_docs = || {
        let Shape::Named(name) = &query.answer else {
            return None;
        };
        let mut definitions = types.definitions();
        let definition = definitions.find(|definition| definition.name == *name)?;
        Some(&definition.docs)
    };
    let docs = Some(&query.docs).filter(|docs| !docs.0.is_empty());
    let docs = docs.or_else(answer_docs).map(|docs| docs.0.join(" "));
    docs.filter(|text| !text.is_empty())
        .ok_or_else(|| format!("query {}: nothing says what it answers", query.name))
}

/// The module of schemas. They refer to each other as `#/$defs/NAME`.
fn schemas(types: &Types, queries: &[Query]) -> Result<String, String> {
    let mut rows = String::new();
    for definition in types.definitions() {
        let schema = schema(types, definition)
            .map_err(|error| format!("schema of {}: {error}", definition.name))?;
        rows += &format!("  {}: {schema},\n", definition.name);
    }
    let query_rows = queries.iter().map(|query| {
        let [ask, answer] = [&query.ask, &query.answer].map(write_shape);
        let about = quoted(&about(types, query)?);
        Ok(format!(
            "  {}: {{ about: {about}, ask: {{{ask}}}, answer: {{{answer}}} }},\n",
            query.name
        ))
    });
    let query_rows: String = query_rows.collect::<Result<_, String>>()?;
    Ok(format!(
        "{HEADER}\
        import type {{ TraceQueries }} from './protocol'\n\n\
        export type JsonSchema = Readonly<Record<string, unknown>>\n\n\
        /** Schemas by the name of the type; `#/$defs/NAME` in them is another one of these. */\n\
        export const DEFINITIONS: Readonly<Record<string, JsonSchema>> = {{\n{rows}}}\n\n\
        /** Queries of a trace: what each answers, and the schemas of its parameters and its answer. */\n\
        export const QUERIES: Readonly<\n\
        \x20 Record<keyof TraceQueries, {{ readonly about: string; readonly ask: JsonSchema; readonly answer: JsonSchema }}>\n\
        > = {{\n{query_rows}}}\n"
    ))
}

/// A table of labels as an object.
fn label_table(labels: &Labels) -> String {
    let rows = labels.rows.iter();
    let rows = rows.map(|(key, label)| format!("  {}: '{label}',\n", property(key)));
    format!(
        "{}export const {} = {{\n{}}} as const\n\n",
        comment(&documentation(&labels.attributes), ""),
        labels.name,
        rows.collect::<String>()
    )
}

/// Imports the types that the declarations of a module's bindings name.
fn import_into(file: &Path, types: &BTreeSet<String>) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(failed)?;
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let used: Vec<&str> = types
        .iter()
        .map(String::as_str)
        .filter(|name| words.contains(name))
        .collect();
    if used.is_empty() {
        return Ok(());
    }
    let import = format!("import type {{ {} }} from './protocol'\n", used.join(", "));
    fs::write(file, import + &text).map_err(failed)
}
