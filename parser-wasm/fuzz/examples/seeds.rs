//! Writes the seeds of a target, one file each: `seeds TARGET FOLDER`. Without arguments it lists
//! `target longest`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(name), Some(folder)) = (args.next(), args.next().map(PathBuf::from)) else {
        for target in seekscope_fuzz::TARGETS {
            println!("{} {}", target.name, target.longest);
        }
        return Ok(());
    };
    let Some(target) = seekscope_fuzz::TARGETS.iter().find(|t| t.name == name) else {
        return Err(std::io::Error::other(format!("there is no target {name}")));
    };
    std::fs::create_dir_all(&folder)?;
    for (i, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(
            folder.join(format!("seed-{i}")),
            &seed[..seed.len().min(target.longest)],
        )?;
    }
    Ok(())
}
