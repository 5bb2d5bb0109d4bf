//! The short run: seeds as they are, inputs that once broke something, and repeatable damage. `npm
//! run fuzz` is the long one.

use seekscope_fuzz::mutate::{Noise, damage};
use seekscope_fuzz::{TARGETS, Target};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Damaged inputs a target, and the bytes of all of them.
const ROUNDS: usize = 150;
const BYTES: usize = 600 << 10;
/// Inputs that broke something, one folder per target.
const FOUND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/found");

fn target(name: &str) -> &'static Target {
    TARGETS
        .iter()
        .find(|t| t.name == name)
        .expect("a target of that name")
}

/// Runs an input. One that breaks something is named and copied to the folder for temporary files.
fn survive(target: &Target, what: &str, data: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| (target.run)(data))).is_err() {
        let copy = std::env::temp_dir().join(format!(
            "seekscope-{}-{}",
            target.name,
            what.replace([' ', '/'], "-")
        ));
        std::fs::write(&copy, data).expect("the folder for temporary files can be written");
        panic!(
            "{} breaks on {what}, kept as {}",
            target.name,
            copy.display()
        );
    }
}

fn short_run(name: &str) {
    let target = target(name);
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty());
    for (i, seed) in seeds.iter().enumerate() {
        survive(
            target,
            &format!("seed {i}"),
            &seed[..seed.len().min(target.longest)],
        );
    }
    for (path, data) in found(name) {
        survive(target, &path, &data);
    }
    let usual = seeds.iter().map(Vec::len).sum::<usize>() / seeds.len() + 1;
    for round in 0..(BYTES / usual).clamp(3, ROUNDS) {
        let mut noise = Noise::new(round as u64);
        let mut data = seeds[noise.below(seeds.len())].clone();
        data.truncate(target.longest);
        damage(
            &mut data,
            &seeds[noise.below(seeds.len())],
            &mut noise,
            target.longest,
        );
        survive(target, &format!("damage {round}"), &data);
    }
}

/// What once broke this target, by name.
fn found(name: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(Path::new(FOUND).join(name)) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        (name, std::fs::read(path).expect("a finding can be read"))
    };
    files.into_iter().map(read).collect()
}

#[test]
fn findings_have_targets() {
    for entry in std::fs::read_dir(FOUND)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
    {
        let name = entry.file_name();
        assert!(
            TARGETS.iter().any(|t| name == t.name),
            "tests/found/{}",
            name.display()
        );
    }
}

/// A test a target, so that they run beside each other.
macro_rules! short_runs {
    ($($name:ident)*) => {
        $(#[test] fn $name() { short_run(stringify!($name)); })*

        #[test]
        fn every_target_has_a_short_run() {
            let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

short_runs!(
    blktrace window text pattern binary group notes beside counters tables transport structure
    recordings queries snapshot encoded tar zip gzip bzip2 xz zstd mail
);
