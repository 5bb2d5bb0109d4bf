//! Build tasks of the workspace: what cargo itself cannot do. Nothing here is needed at run time.
//!
//! `cargo run -p xtask -- wasm [--release [--names]] [--only NAME] [--out DIR]` builds the
//! [`MODULES`], or one of them, for the browser and writes their bindings to
//! `web/engine/generated/`. A release has no names of functions, which are a twelfth of it;
//! profiles need them. The bindings generator is a library of the same version as `wasm-bindgen`,
//! pinned by Cargo.lock, so that no globally installed tool has to match.

mod protocol;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use wasm_bindgen_cli_support::Bindgen;

/// Crates and the names of their bindings: the engine; comparisons, for which the first picture
/// does not wait; statistics, for what has no engine; and the reader of texts, which is loaded only
/// when a text arrives.
const MODULES: [(&str, &str); 4] = [
    ("seekscope-wasm", "seekscope"),
    ("seekscope-comparing-wasm", "comparing"),
    ("seekscope-statistics-wasm", "statistics"),
    ("seekscope-texts-wasm", "texts"),
];
const TARGET: &str = "wasm32-unknown-unknown";
/// Functions are inlined up to a third of the usual size: the module is 6 % smaller, gzipped too,
/// and reads as fast. `opt-level = "s"` takes more than another 6 % off, and is a tenth slower.
const RUSTFLAGS: &str = "-Cllvm-args=-inline-threshold=75";
const USAGE: &str =
    "usage: cargo run -p xtask -- wasm [--release [--names]] [--only NAME] [--out DIR]";

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
    let task = args.next();
    if !matches!(task.as_deref(), Some("wasm" | "protocol")) {
        return Err(USAGE.into());
    }
    let (mut release, mut names) = (false, false);
    let mut modules = MODULES.to_vec();
    let mut out = workspace().join("../web/engine/generated");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--release" => release = true,
            "--names" => names = true,
            "--only" => {
                let only = args.next().ok_or(USAGE)?;
                modules.retain(|(_, name)| *name == only);
                if modules.is_empty() {
                    return Err(format!("--only: there is no module {only}"));
                }
            }
            "--out" => out = args.next().ok_or(USAGE)?.into(),
            _ => return Err(USAGE.into()),
        }
    }
    if task.as_deref() == Some("protocol") {
        return protocol::write(&workspace(), &out, &[]);
    }
    build(&modules, release)?;
    for (package, name) in &modules {
        bind(&module(package, release), name, &out, names || !release)?;
    }
    let bindings: Vec<&str> = modules.iter().map(|(_, name)| *name).collect();
    protocol::write(&workspace(), &out, &bindings)
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
    let config = format!("target.{TARGET}.rustflags=['{RUSTFLAGS}']");
    command
        .args(["build", "--locked", "--target", TARGET, "--config", &config])
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

/// `omit_default_module_path`: the page passes the module itself, else a bundler embeds the file
/// twice.
fn bind(module: &Path, name: &str, out: &Path, names: bool) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bindgen.remove_name_section(!names);
    bindgen
        .input_path(module)
        .out_name(name)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(true)
                .omit_default_module_path(true)
                .remove_producers_section(true)
                .generate(out)
        })
        .map_err(|error| format!("{}: {error:#}", module.display()))
}
