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
mod shapes;
mod source;
mod typescript;

use self::attributes::documentation;
use self::declared::Labels;
use self::shapes::property;
use self::source::Sources;
use self::typescript::Declarations;
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
/// The file.
const FILE: &str = "protocol.ts";

/// Writes the declarations into `out`, and lets the declarations of the bindings import them.
pub fn write(workspace: &Path, out: &Path, bindings: &[&str]) -> Result<(), String> {
    let sources = Sources::read(workspace, &CRATES)?;
    let mut declarations = Declarations::new(&sources);
    let mut returned = BTreeSet::new();
    for (source, text) in &sources.returned {
        returned.extend(declarations.named(*source, text)?);
    }
    for (source, ty) in &sources.exported {
        declarations.json(*source, ty)?;
    }
    let mut rows = String::new();
    for (source, queries) in &sources.queries {
        for (docs, name, parameters, answer) in &queries.0 {
            let ask = declarations.json(*source, parameters)?;
            let answer = declarations.json(*source, answer)?;
            rows += &documentation(docs, "  ");
            rows += &format!("  {name}: {{ ask: {ask}; answer: {answer} }}\n");
        }
    }
    let table = format!(
        "/** Queries of a trace, with their parameters and answers. */\n\
        export interface TraceQueries {{\n{rows}}}\n"
    );
    let labels: String = sources.labels.iter().map(label_table).collect();
    let header = "// Made by parser-wasm/xtask from the types of the crates. Do not edit.\n";
    let text = format!("{header}{}", declarations.module(&(labels + &table)));
    let failed = |error| format!("{}: {error}", out.display());
    fs::create_dir_all(out).map_err(failed)?;
    fs::write(out.join(FILE), text).map_err(failed)?;
    for name in bindings {
        import_into(&out.join(format!("{name}.d.ts")), &returned)?;
    }
    Ok(())
}

/// A table of labels as an object.
fn label_table(labels: &Labels) -> String {
    let rows = labels.rows.iter();
    let rows = rows.map(|(key, label)| format!("  {}: '{label}',\n", property(key)));
    format!(
        "{}export const {} = {{\n{}}} as const\n\n",
        documentation(&labels.attributes, ""),
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
