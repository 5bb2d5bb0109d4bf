//! Prints the requests of a recording with their parents as CSV: a folder with the per-CPU files of
//! blktrace and texts beside them.

use seekscope_layers::LayersReader;
use seekscope_reading::builder::TraceBuilder;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::store::Store;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: requests FOLDER")?;
    let mut paths = Vec::new();
    list(Path::new(&folder), &mut paths)?;
    paths.sort();
    let mut traces: Vec<(String, Vec<u8>)> = Vec::new();
    let mut reader = LayersReader::new();
    for path in &paths {
        let name = path.strip_prefix(&folder)?.to_string_lossy().into_owned();
        let bytes = read(path)?;
        if name.contains(".blktrace.") {
            traces.push((name, bytes));
        } else if LayersReader::recognise(&name, &bytes) {
            reader.open(name.trim_end_matches(".xz"));
            bytes.chunks(4093).for_each(|piece| reader.feed(piece));
            reader.close();
        }
    }
    let files: Vec<(&str, &[u8])> = traces
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    let store = TraceBuilder::read("trace", &files).map_err(|error| format!("{error:?}"))?;
    print!("{}", csv(&store, reader));
    Ok(())
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    if path.extension().is_some_and(|end| end == "xz") {
        let output = std::process::Command::new("xz")
            .arg("-dc")
            .arg(path)
            .output()?;
        return Ok(output.stdout);
    }
    Ok(std::fs::read(path)?)
}

fn csv(store: &Store, reader: LayersReader) -> String {
    let begin = std::time::Instant::now();
    let parents = reader.finish(store).parents;
    eprintln!("{} requests in {:?}", store.requests.len(), begin.elapsed());
    for (device, tallies) in store.devices.iter().zip(&parents.tallies) {
        eprintln!("{} {tallies:?}", device.name);
    }
    eprintln!("{:?}", parents.layers());
    let mut out = "run,trace,device,dev,role,op,rwbs,passthrough,sector,sectors,bytes,process,pid,\
                   queued_ns,issued_ns,completed_ns,parent,submitter\n"
        .to_owned();
    let (mut tops, mut tasks) = (Vec::new(), Vec::new());
    for row in 0..store.requests.len() {
        let request = store.requests.row(row);
        let device = &store.devices[request.device() as usize];
        let task = store.processes.get(request.process() as usize);
        let text = |value: Option<u64>| value.map_or_else(String::new, |n| n.to_string());
        let op = ["read", "write", "discard", "flush"][request.op() as usize];
        let sector = (request.op() != Op::Flush).then(|| request.sector());
        let flags = request.flags();
        let _ = write!(
            out,
            "run,trace,\"{}\",\"{}\",{},{op},{},{},{},{},{},{},{},{},{},{},",
            device.name,
            device.number,
            device.role.name(),
            flags.rwbs(request.bytes()),
            flags.has(Flags::PC),
            text(sector.filter(|n| *n != u64::MAX)),
            request.sectors(),
            request.bytes(),
            task.and_then(|task| task.name.clone()).unwrap_or_default(),
            text(task.map(|task| u64::from(task.pid))),
            text(request.queued()),
            text(request.issued()),
            text(request.completed()),
        );
        parents.tasks(store, row, &mut tops, &mut tasks);
        let rows: Vec<String> = tops.iter().map(|top| (top + 1).to_string()).collect();
        let names = tasks.iter().filter_map(|&task| {
            let task = store.processes.get(task as usize)?;
            Some(format!("{}[{}]", task.name.as_deref()?, task.pid))
        });
        let names: Vec<String> = names.collect();
        let _ = writeln!(out, "{},{}", rows.join("|"), names.join("|"));
    }
    out
}
