//! Finds the files in a file, at any depth of containers.

use crate::decoder::{Compression, Decompressor};
use crate::kind::{ContainerKind, PROBE_BYTES, sniff};
use crate::mail::{Attachment, Attachments, MAX_ATTACHED_BYTES};
use crate::meter::{Limits, Meter};
use crate::name;
use crate::peek::Peek;
use crate::problem::ArchiveProblem;
use crate::tar::Tar;
use crate::zip::Zip;
use flate2::Crc;
use std::io::{self, Read};

/// Bytes that are passed on at a time.
const PIECE: usize = 256 << 10;

/// Receives the files that are found. An error ends unpacking.
pub trait FileSink {
    /// A file begins. `path` starts with the path of the archive, as if that were a folder.
    fn begin(&mut self, path: &str) -> io::Result<()>;
    /// Takes the next bytes of the file. `taken` bytes of the archive were read so far.
    fn bytes(&mut self, bytes: &[u8], taken: u64) -> io::Result<()>;
    /// The file is complete, or ends at damage. A file at which a limit stops unpacking does not
    /// end.
    fn end(&mut self) -> io::Result<()>;
}

/// Unpacks `file` of `size` bytes into `sink`; returns the problems. A file that is not a container
/// is one file. Fails only with the errors of `input` and `sink`.
pub fn unpack(
    file: &str,
    size: u64,
    input: impl Read,
    sink: &mut dyn FileSink,
    limits: Limits,
) -> io::Result<Vec<ArchiveProblem>> {
    let meter = Meter::new(file, size, limits);
    let mut failed = None;
    let root = Root {
        input,
        meter: &meter,
        failed: &mut failed,
    };
    let mut walk = Unpacker {
        meter: &meter,
        sink,
        refused: None,
        found: 0,
        piece: vec![0; PIECE],
    };
    // The error was reported, or is handled below.
    let _ = walk.open(&mut Peek::counted(root, &meter.taken), file, file, 0);
    let (found, refused) = (walk.found, walk.refused.take());
    if let Some(error) = failed.or(refused) {
        return Err(error);
    }
    if found == 0 && meter.problems.borrow().is_empty() {
        meter.report(ArchiveProblem::Empty {
            file: file.to_owned(),
        });
    }
    Ok(meter.problems.into_inner())
}

/// The file itself: a failure to read it is not damage.
struct Root<'a, R> {
    input: R,
    meter: &'a Meter,
    failed: &'a mut Option<io::Error>,
}

impl<R: Read> Read for Root<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.input.read(into).map_err(|error| {
            self.failed.get_or_insert(error);
            self.meter.stop()
        })
    }
}

struct Unpacker<'w, 'm> {
    meter: &'m Meter,
    sink: &'w mut dyn FileSink,
    refused: Option<io::Error>,
    /// Number of files that were found.
    found: u64,
    piece: Vec<u8>,
}

impl<'m> Unpacker<'_, 'm> {
    /// `path` names the content; `whole` the container that it is in, for the entries of an
    /// archive.
    fn open(
        &mut self,
        input: &mut Peek<'_>,
        path: &str,
        whole: &str,
        depth: usize,
    ) -> io::Result<()> {
        let Some(kind) = sniff(input.peek(PROBE_BYTES)?) else {
            return self.file(input, path, |_| ());
        };
        if depth >= self.meter.limits.depth {
            self.meter.report(ArchiveProblem::TooDeep {
                path: path.to_owned(),
                depth,
            });
            return Ok(());
        }
        match kind {
            ContainerKind::Tar => self.tar(input, whole, depth),
            ContainerKind::Zip => self.zip(input, whole, depth),
            ContainerKind::Mail => self.mail(input, path, whole, depth),
            _ => {
                let decoder =
                    Decompressor::new(self.meter, Compression::Container(kind), whole, true, input);
                let mut content = Peek::new(decoder);
                self.open(&mut content, &name::unpacked(path), whole, depth + 1)?;
                // An archive ends before the checksum of what it is packed in: without it damage
                // would not be noticed.
                self.rest(&mut content)
            }
        }
    }

    /// Passes on a file; `see` gets its bytes, too.
    fn file(
        &mut self,
        input: &mut Peek<'_>,
        path: &str,
        mut see: impl FnMut(&[u8]),
    ) -> io::Result<()> {
        self.found += 1;
        self.ask(|sink| sink.begin(path))?;
        loop {
            let mut piece = std::mem::take(&mut self.piece);
            let read = input.fill(&mut piece);
            self.piece = piece;
            match read {
                Ok(0) => break,
                Ok(n) => {
                    let taken = self.meter.taken.get();
                    let bytes = &self.piece[..n];
                    see(bytes);
                    if let Err(error) = self.sink.bytes(bytes, taken) {
                        return Err(self.refuse(error));
                    }
                }
                Err(error) if self.meter.stopped.get() => return Err(error),
                // Already reported; what came before is kept.
                Err(_) => break,
            }
        }
        match self.meter.stopped.get() {
            true => Err(io::Error::other("stopped")),
            false => self.ask(|sink| sink.end()),
        }
    }

    fn ask(&mut self, what: impl FnOnce(&mut dyn FileSink) -> io::Result<()>) -> io::Result<()> {
        what(self.sink).map_err(|error| self.refuse(error))
    }

    fn refuse(&mut self, error: io::Error) -> io::Error {
        self.refused = Some(error);
        self.meter.stop()
    }

    /// One entry of an archive; damage inside it does not affect the others.
    fn entry(&mut self, input: &mut Peek<'_>, path: &str, depth: usize) -> io::Result<()> {
        match self.open(input, path, path, depth + 1) {
            Err(error) if self.meter.stopped.get() => Err(error),
            _ => Ok(()),
        }
    }

    /// A mail is a file, and then the files that are attached to it.
    fn mail(
        &mut self,
        input: &mut Peek<'_>,
        path: &str,
        whole: &str,
        depth: usize,
    ) -> io::Result<()> {
        let mut attachments = Attachments::new();
        self.file(input, path, |bytes| attachments.add(bytes))?;
        let (found, too_large) = attachments.finish();
        for name in too_large {
            let limit = MAX_ATTACHED_BYTES >> 20;
            self.meter.report(ArchiveProblem::Unsupported {
                path: name::below(whole, &name),
                why: format!("is too large: the limit for all attachments is {limit} MiB"),
            });
        }
        for Attachment { name, bytes } in found {
            self.meter.entry(Some(bytes.len() as u64))?;
            let path = name::below(whole, &name);
            self.entry(&mut Peek::new(bytes.as_slice()), &path, depth)?;
        }
        Ok(())
    }

    fn tar(&mut self, input: &mut Peek<'_>, whole: &str, depth: usize) -> io::Result<()> {
        let tar = Tar::new(self.meter, whole);
        while let Some(entry) = tar.next(input)? {
            let mut content = input.by_ref().take(entry.size);
            if !name::is_leftover(&entry.name) {
                self.entry(
                    &mut Peek::new(&mut content),
                    &name::below(whole, &entry.name),
                    depth,
                )?;
            }
            let left = content.limit();
            tar.close(input, &entry, left)?;
        }
        Ok(())
    }

    fn zip(&mut self, input: &mut Peek<'_>, whole: &str, depth: usize) -> io::Result<()> {
        let zip = Zip::new(self.meter, whole);
        while let Some(entry) = zip.next(input)? {
            let path = name::below(whole, &entry.name);
            let wanted = !name::is_leftover(&entry.name);
            let crc = match entry.packed {
                Some(packed) => {
                    let mut stored = input.by_ref().take(packed);
                    let crc = self.zipped(
                        &mut Peek::new(&mut stored),
                        entry.method,
                        &path,
                        wanted,
                        depth,
                    )?;
                    let before = self.meter.faults.get();
                    let left = stored.limit();
                    if input.skip(left)? < left {
                        return Err(zip.cut(before));
                    }
                    crc
                }
                None => self.zipped(input, entry.method, &path, wanted, depth)?,
            };
            zip.close(input, &entry, crc)?;
        }
        Ok(())
    }

    /// Returns the checksum of the unpacked data if it was unpacked to the end.
    fn zipped(
        &mut self,
        input: &mut Peek<'_>,
        method: Option<Compression>,
        path: &str,
        wanted: bool,
        depth: usize,
    ) -> io::Result<Option<u32>> {
        let before = self.meter.faults.get();
        let mut crc = Crc::new();
        let mut plain: Box<dyn Read + '_> = match method {
            Some(method) => Box::new(Decompressor::new(self.meter, method, path, false, input)),
            None => Box::new(input),
        };
        let mut content = Peek::new(Summed {
            inner: &mut plain,
            crc: &mut crc,
        });
        if wanted {
            self.entry(&mut content, path, depth)?;
        }
        self.rest(&mut content)?;
        drop(content);
        Ok((self.meter.faults.get() == before).then(|| crc.sum()))
    }

    /// Skips what was not unpacked: directories, containers beyond the limit, bytes after the end
    /// of an archive. Damage there was reported.
    fn rest(&self, content: &mut Peek<'_>) -> io::Result<()> {
        match content.skip(u64::MAX) {
            Err(error) if self.meter.stopped.get() => Err(error),
            _ => Ok(()),
        }
    }
}

struct Summed<'a> {
    inner: &'a mut dyn Read,
    crc: &'a mut Crc,
}

impl Read for Summed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        self.crc.update(&into[..n]);
        Ok(n)
    }
}
