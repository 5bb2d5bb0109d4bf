//! The functions that get hostile input, and what must hold for any bytes: an answer in bounded
//! time and memory, the same in whatever pieces the bytes arrive, or an error that says what to do.
//! The targets of cargo-fuzz and the short run of `cargo test` call the same functions.

mod beside;
mod boxes;
mod counters;
mod encoded;
mod files;
mod mails;
pub mod mutate;
mod notes;
mod questions;
mod recordings;
mod resources;
mod road;
mod seeds;
mod seeds_binary;
mod snapshots;
mod tables;
mod windows;

/// A function that takes bytes, with the inputs to begin with.
pub struct Target {
    /// The name in `npm run fuzz -- name`, and of the folder with its findings.
    pub name: &'static str,
    /// Panics where the bytes break a promise.
    pub run: fn(&[u8]),
    /// Real inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Longest input worth trying, bytes.
    pub longest: usize,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "blktrace",
        run: road::one_file,
        seeds: seeds::blktrace,
        longest: 4 << 10,
    },
    Target {
        name: "window",
        run: windows::any,
        seeds: windows::seeds,
        longest: 4 << 10,
    },
    Target {
        name: "text",
        run: road::one_file,
        seeds: seeds::text,
        longest: 4 << 10,
    },
    Target {
        name: "pattern",
        run: road::with_pattern,
        seeds: seeds::pattern,
        longest: 4 << 10,
    },
    Target {
        name: "binary",
        run: beside::binary,
        seeds: seeds_binary::seeds,
        longest: 16 << 10,
    },
    Target {
        name: "group",
        run: files::several,
        seeds: seeds::group,
        longest: 8 << 10,
    },
    Target {
        name: "notes",
        run: notes::any,
        seeds: seeds::notes,
        longest: 8 << 10,
    },
    Target {
        name: "beside",
        run: beside::any,
        seeds: beside::seeds,
        longest: 16 << 10,
    },
    Target {
        name: "counters",
        run: counters::any,
        seeds: seeds::counters,
        longest: 8 << 10,
    },
    Target {
        name: "tables",
        run: tables::any,
        seeds: seeds::tables,
        longest: 8 << 10,
    },
    Target {
        name: "transport",
        run: mails::transport,
        seeds: seeds::mails,
        longest: 8 << 10,
    },
    Target {
        name: "structure",
        run: mails::structure,
        seeds: seeds::mails,
        longest: 8 << 10,
    },
    Target {
        name: "recordings",
        run: recordings::any,
        seeds: recordings::seeds,
        longest: 8 << 10,
    },
    Target {
        name: "queries",
        run: questions::any,
        seeds: seeds::queries,
        longest: 1 << 10,
    },
    Target {
        name: "snapshot",
        run: snapshots::any,
        seeds: snapshots::seeds,
        longest: 8 << 10,
    },
    Target {
        name: "encoded",
        run: encoded::any,
        seeds: encoded::seeds,
        longest: 512,
    },
    Target {
        name: "tar",
        run: boxes::tar,
        seeds: || seeds::container("tar"),
        longest: 16 << 10,
    },
    Target {
        name: "zip",
        run: boxes::plain,
        seeds: || seeds::container("zip"),
        longest: 12 << 10,
    },
    Target {
        name: "gzip",
        run: boxes::plain,
        seeds: || seeds::container("gzip"),
        longest: 4 << 10,
    },
    Target {
        name: "bzip2",
        run: boxes::plain,
        seeds: || seeds::container("bzip2"),
        longest: 4 << 10,
    },
    Target {
        name: "xz",
        run: boxes::xz,
        seeds: || seeds::container("xz"),
        longest: 12 << 10,
    },
    Target {
        name: "zstd",
        run: boxes::plain,
        seeds: || seeds::container("zstd"),
        longest: 12 << 10,
    },
    Target {
        name: "mail",
        run: boxes::plain,
        seeds: || seeds::container("mail"),
        longest: 4 << 10,
    },
];

/// Runs a target.
///
/// # Panics
/// When there is no such target, when the input broke something, and in the long run when it took
/// too much memory.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS
        .iter()
        .find(|t| t.name == name)
        .unwrap_or_else(|| panic!("there is no target {name}"));
    resources::bounded(data.len(), || (target.run)(data));
}
