//! Build tasks of the workspace: what cargo itself cannot do. Nothing here is needed at run time.
//!
//! `wasm [--release [--names]] [--only NAME] [--out DIR]` builds the [`MODULES`], or one of them, for
//! the browser and writes their bindings to `web/engine/generated/`. A release has no names of
//! functions, which are a twelfth of it; profiles need them. `.cargo/config.toml` has the flags of
//! the compiler. The bindings generator is a library of the same version as `wasm-bindgen`, pinned
//! by Cargo.lock, so that no globally installed tool has to match. `protocol` writes only the
//! declarations of the protocol.
//!
//! `instrument ENGINE OUT` and `split ENGINE ENTERED PART...` make the parts of the engine
//! ([`parts`]) of its module as `wasm` built it.

mod data;
mod order;
mod parts;
mod protocol;

use std::collections::HashSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use wasm_bindgen_cli_support::Bindgen;

/// Name of the bindings of the module that is split.
const ENGINE: &str = "seekscope";
/// Crates and the names of their bindings: the engine, and statistics for what has no engine.
const MODULES: [(&str, &str); 2] = [
    ("seekscope-wasm", ENGINE),
    ("seekscope-statistics-wasm", "statistics"),
];
const TARGET: &str = "wasm32-unknown-unknown";
const USAGE: &str = "usage: cargo run -p xtask -- TASK
  wasm [--release [--names]] [--only NAME] [--out DIR]
  protocol [--out DIR]
  instrument ENGINE OUT
  split ENGINE ENTERED PART...";

fn main() -> ExitCode {
    match run(env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let task = args.next().ok_or(USAGE)?;
    let args: Vec<String> = args.collect();
    match (task.as_str(), args.as_slice()) {
        ("wasm", options) => wasm(&Options::parse(options)?),
        ("protocol", options) => protocol::write(&workspace(), &Options::parse(options)?.out, &[]),
        ("instrument", [engine, out]) => write(Path::new(out), &parts::instrument(&read(engine)?)?),
        ("split", [engine, entered, parts @ ..]) => split(engine, entered, parts),
        _ => Err(USAGE.into()),
    }
}

struct Options {
    release: bool,
    names: bool,
    modules: Vec<(&'static str, &'static str)>,
    out: PathBuf,
}

impl Options {
    fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            release: false,
            names: false,
            modules: MODULES.to_vec(),
            out: workspace().join("../web/engine/generated"),
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--release" => options.release = true,
                "--names" => options.names = true,
                "--only" => {
                    let only = args.next().ok_or(USAGE)?;
                    options.modules.retain(|(_, name)| name == only);
                    if options.modules.is_empty() {
                        return Err(format!("--only: there is no module {only}"));
                    }
                }
                "--out" => options.out = args.next().ok_or(USAGE)?.into(),
                _ => return Err(USAGE.into()),
            }
        }
        Ok(options)
    }
}

/// The engine is complete in one module. Later parts of an earlier build may be next to it: it never
/// loads them.
fn wasm(options: &Options) -> Result<(), String> {
    let Options {
        release,
        names: has_names,
        modules,
        out,
    } = options;
    build(modules, *release)?;
    for (package, name) in modules {
        let linked = read(module(package, *release))?;
        let names = match (*has_names || !*release, *name == ENGINE) {
            (true, _) => Names::Plain,
            (false, true) => Names::Mangled,
            (false, false) => Names::None,
        };
        bind(&linked, name, out, names)?;
        if names == Names::Mangled {
            let bound = out.join(format!("{name}_bg.wasm"));
            let engine = data::annotate(&linked, &read(&bound)?)?;
            write(&bound, &engine)?;
        }
    }
    let bindings: Vec<&str> = modules.iter().map(|(_, name)| *name).collect();
    protocol::write(&workspace(), out, &bindings)
}

/// Splits an engine into files with these paths. `entered` is a file with a line per part but the
/// last: indices of the functions that it enters.
fn split(engine: &str, entered: &str, paths: &[String]) -> Result<(), String> {
    let lines = String::from_utf8(read(entered)?).map_err(|error| format!("{entered}: {error}"))?;
    let indices = |line: &str| line.split_ascii_whitespace().map(str::parse).collect();
    let sets: Result<Vec<HashSet<usize>>, _> = lines.lines().map(indices).collect();
    let sets = sets.map_err(|error| format!("an index of a function: {error}"))?;
    if sets.len() + 1 != paths.len() {
        return Err(format!("{entered} has {} lines", sets.len()));
    }
    for (path, part) in paths.iter().zip(parts::split(&read(engine)?, &sets)?) {
        write(Path::new(path), &order::alike_together(&part)?)?;
    }
    Ok(())
}

fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, String> {
    let path = path.as_ref();
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The workspace in which cargo runs this program. The path at compile time would be another one
/// where `target` is a copy.
fn workspace() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR");
    let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).join("..")
}

fn build(modules: &[(&str, &str)], release: bool) -> Result<(), String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["build", "--locked", "--target", TARGET])
        .args(modules.iter().flat_map(|(package, _)| ["-p", package]))
        .current_dir(workspace());
    if release {
        command.arg("--release");
    }
    let status = command
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("cargo build failed".into())
    }
}

fn module(package: &str, release: bool) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace().join("target"), PathBuf::from)
        .join(TARGET)
        .join(if release { "release" } else { "debug" })
        .join(package.replace('-', "_"))
        .with_extension("wasm")
}

/// Names of the functions of a module that are kept.
#[derive(Clone, Copy, PartialEq)]
enum Names {
    /// As people read them.
    Plain,
    /// As the linker has them: no two functions have the same.
    Mangled,
    None,
}

/// `omit_default_module_path`: the page passes the module itself, else a bundler embeds the file
/// twice.
fn bind(linked: &[u8], name: &str, out: &Path, names: Names) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bindgen
        .remove_name_section(names == Names::None)
        .demangle(names == Names::Plain);
    bindgen
        .input_bytes(name, data::without_relocations(linked)?)
        .out_name(name)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(true)
                .omit_default_module_path(true)
                .remove_producers_section(true)
                .generate(out)
        })
        .map_err(|error| format!("bindings of {name}: {error:#}"))
}
