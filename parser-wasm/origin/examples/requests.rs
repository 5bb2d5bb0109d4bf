//! Reads a folder with a recording and its side files, and prints its requests with what they
//! belonged to: `cargo run -p seekscope-origin --example requests FOLDER [TRACE]`. TRACE is a file
//! of the folder that is the trace itself, such as `trace.dat`.

use seekscope_origin::OriginReader;
use seekscope_reading::builder::TraceBuilder;
use seekscope_trace::event::Flags;
use seekscope_trace::store::{NO_OFFSET, Object, ObjectPart, Objects, RequestRow, Role, Store};
use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from) else {
        eprintln!("usage: requests FOLDER [TRACE]");
        return ExitCode::FAILURE;
    };
    match run(&folder, std::env::args().nth(2).as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path, trace: Option<&str>) -> io::Result<()> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let mut traces = Vec::new();
    let mut reader = OriginReader::new();
    for path in &files {
        let inside = path.strip_prefix(folder).unwrap_or(path);
        let name = inside.to_string_lossy().into_owned();
        let bytes = contents(path)?;
        if name.contains(".blktrace.") || trace == Some(&name) {
            traces.push((name.clone(), bytes.clone()));
        }
        let name = name.strip_suffix(".xz").unwrap_or(&name);
        reader.read_binary(&bytes);
        if OriginReader::recognise(name, &bytes) {
            reader.open(name);
            bytes.chunks(1 << 16).for_each(|piece| reader.feed(piece));
            reader.close();
        }
    }
    let parts: Vec<(&str, &[u8])> = traces
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    let store = TraceBuilder::read("trace", &parts)
        .map_err(|error| io::Error::other(format!("{error:?}")))?;
    let objects = reader.finish(&store);
    for (reason, bytes) in &objects.unknown {
        eprintln!("unknown: {reason:?} {bytes} bytes");
    }
    eprintln!("left out: {}", objects.left_out);
    print(&store, &objects)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn contents(path: &Path) -> io::Result<Vec<u8>> {
    if path.extension().is_some_and(|extension| extension == "xz") {
        return Ok(Command::new("xz").arg("-dc").arg(path).output()?.stdout);
    }
    fs::read(path)
}

fn print(store: &Store, objects: &Objects) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(
        out,
        "run,trace,role,op,passthrough,issued_ns,sector,sectors,object,path,inode,file_offset,\
         writer,object_sectors"
    )?;
    for row in 0..store.requests.len() {
        let request = store.requests.row(row);
        let role = store
            .devices
            .get(request.device() as usize)
            .map_or(Role::Disk, |d| d.role);
        let fields = columns(objects, objects.parts(row));
        writeln!(
            out,
            "1,{},{},{},{},{},{},{},{}",
            quoted(&store.name),
            role.name(),
            format!("{:?}", request.op()).to_lowercase(),
            request.flags().has(Flags::PC),
            text(request.issued()),
            request.sector(),
            sectors(request),
            fields.map(|field| quoted(&field)).join(","),
        )?;
    }
    out.flush()
}

fn sectors(request: RequestRow<'_>) -> u64 {
    request.sectors()
}

/// Object, path, inode, offset, writers and lengths of the parts; one value if all have it.
fn columns(objects: &Objects, parts: &[ObjectPart]) -> [String; 6] {
    let object = |part: &ObjectPart| objects.object(part);
    let many = parts.len() > 1;
    let path = |object: &Object| {
        let path = object.path.clone().unwrap_or_default();
        if many {
            path.replace('%', "%25").replace(';', "%3B")
        } else {
            path
        }
    };
    let writers = |part: &ObjectPart| {
        let names = objects
            .writers(part)
            .map(|task| format!("{}[{}]", task.name, task.pid));
        names.collect::<Vec<_>>().join("|")
    };
    let join = |column: &dyn Fn(&ObjectPart) -> String| {
        let values: Vec<String> = parts.iter().map(column).collect();
        values.join(";")
    };
    let offset = |part: &ObjectPart| text((part.offset != NO_OFFSET).then_some(part.offset));
    [
        join(&|part| object(part).map_or(String::new(), |object| object.kind.name().to_owned())),
        join(&|part| object(part).map(path).unwrap_or_default()),
        join(&|part| text(object(part).and_then(|object| object.inode))),
        join(&offset),
        join(&writers),
        if many {
            join(&|part| part.sectors.to_string())
        } else {
            String::new()
        },
    ]
}

fn text(value: Option<impl Display>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}
