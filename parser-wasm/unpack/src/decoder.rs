//! Decompression: member by member, metered; damage is reported once.

use crate::kind::ContainerKind;
use crate::meter::{Meter, OpenWindow};
use crate::peek::Peek;
use crate::problem::TooLarge;
use bzip2::bufread::BzDecoder;
use flate2::bufread::{DeflateDecoder, GzDecoder};
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufRead, Read};

/// A decoder of bzip2 begins with tables of 4 bytes for each byte of a block, a digit times
/// 100,000, and sets them to zero: that takes as long as unpacking so many bytes per digit.
const BZIP2_COST: u64 = 32 << 10;

/// The method of a compressed stream.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    /// Raw deflate, as zip has it.
    Deflate,
    Container(ContainerKind),
}

type PeekInput<'p, 'r> = &'p mut Peek<'r>;

enum CompressedMember<'p, 'r> {
    Deflate(DeflateDecoder<PeekInput<'p, 'r>>),
    Gzip(GzDecoder<PeekInput<'p, 'r>>),
    Bzip2(BzDecoder<PeekInput<'p, 'r>>),
    Xz(Box<XzReader<PeekInput<'p, 'r>>>),
    Zstd(Box<StreamingDecoder<PeekInput<'p, 'r>, FrameDecoder>>),
}

/// More memory than there is for it, in bytes where the data say so.
fn needs(bytes: Option<u64>, limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, TooLarge { bytes, limit })
}

fn invalid(words: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words.to_string())
}

impl<'p, 'r> CompressedMember<'p, 'r> {
    /// `limit`: bytes of its window or dictionary.
    fn open(
        method: Compression,
        input: PeekInput<'p, 'r>,
        limit: u64,
    ) -> io::Result<CompressedMember<'p, 'r>> {
        Ok(match method {
            Compression::Deflate => CompressedMember::Deflate(DeflateDecoder::new(input)),
            Compression::Container(ContainerKind::Gzip) => {
                CompressedMember::Gzip(GzDecoder::new(input))
            }
            Compression::Container(ContainerKind::Bzip2) => {
                CompressedMember::Bzip2(BzDecoder::new(input))
            }
            Compression::Container(ContainerKind::Xz) => CompressedMember::Xz(Box::new(
                XzReader::new_mem_limit(input, false, (limit >> 10) as u32),
            )),
            Compression::Container(_) => {
                let refused = |error| match error {
                    FrameDecoderError::WindowSizeTooBig { requested, .. } => {
                        needs(Some(requested), limit)
                    }
                    error => invalid(error),
                };
                let decoder =
                    StreamingDecoder::new_with_max_window_size(input, limit).map_err(refused)?;
                CompressedMember::Zstd(Box::new(decoder))
            }
        })
    }

    fn read(&mut self, into: &mut [u8], limit: u64) -> io::Result<usize> {
        match self {
            CompressedMember::Deflate(decoder) => decoder.read(into),
            CompressedMember::Gzip(decoder) => decoder.read(into),
            CompressedMember::Bzip2(decoder) => decoder.read(into),
            CompressedMember::Xz(decoder) => {
                decoder.read(into).map_err(|error| match error.kind() {
                    io::ErrorKind::OutOfMemory => needs(None, limit),
                    _ => error,
                })
            }
            CompressedMember::Zstd(decoder) => match decoder.read(into)? {
                0 if decoder.decoder.get_checksum_from_data()
                    != decoder.decoder.get_calculated_checksum()
                    && decoder.decoder.get_checksum_from_data().is_some() =>
                {
                    Err(invalid("its checksum does not match"))
                }
                n => Ok(n),
            },
        }
    }

    fn into_input(self) -> PeekInput<'p, 'r> {
        match self {
            CompressedMember::Deflate(decoder) => decoder.into_inner(),
            CompressedMember::Gzip(decoder) => decoder.into_inner(),
            CompressedMember::Bzip2(decoder) => decoder.into_inner(),
            CompressedMember::Xz(decoder) => decoder.into_inner(),
            CompressedMember::Zstd(decoder) => decoder.into_inner(),
        }
    }
}

enum DecompressorState<'p, 'r> {
    Between(PeekInput<'p, 'r>),
    Within(Box<CompressedMember<'p, 'r>>),
    Ended,
    Failed,
}

/// Reads the content of a compressed stream.
pub(crate) struct Decompressor<'m, 'p, 'r> {
    meter: &'m Meter,
    method: Compression,
    /// Path of the stream, for messages.
    inside: String,
    /// Whether more members may follow the first.
    several: bool,
    /// The memory that an xz or zstd stream takes.
    window: Option<OpenWindow<'m>>,
    state: DecompressorState<'p, 'r>,
}

impl<'m, 'p, 'r> Decompressor<'m, 'p, 'r> {
    pub(crate) fn new(
        meter: &'m Meter,
        method: Compression,
        inside: &str,
        several: bool,
        input: PeekInput<'p, 'r>,
    ) -> Self {
        let has_window = matches!(
            method,
            Compression::Container(ContainerKind::Xz | ContainerKind::Zstd)
        );
        let window = has_window.then(|| meter.open_window());
        Decompressor {
            meter,
            method,
            inside: inside.to_owned(),
            several,
            window,
            state: DecompressorState::Between(input),
        }
    }

    fn step(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let limit = self.window.as_ref().map_or(0, |window| window.limit);
        loop {
            match std::mem::replace(&mut self.state, DecompressorState::Ended) {
                DecompressorState::Ended => return Ok(0),
                DecompressorState::Failed => {
                    self.state = DecompressorState::Failed;
                    return Err(invalid("invalid data"));
                }
                DecompressorState::Between(input) => {
                    if self.method == Compression::Container(ContainerKind::Bzip2) {
                        let digit = input.peek(4)?.get(3).map_or(0, |b| b.wrapping_sub(b'0'));
                        self.meter.stream(u64::from(digit.min(9)) * BZIP2_COST)?;
                    }
                    if self.method == Compression::Container(ContainerKind::Zstd) {
                        skip_frames(input)?;
                    }
                    self.state = DecompressorState::Within(Box::new(CompressedMember::open(
                        self.method,
                        input,
                        limit,
                    )?));
                }
                DecompressorState::Within(mut member) => match member.read(into, limit)? {
                    0 => {
                        let input = member.into_input();
                        let Compression::Container(kind) = self.method else {
                            return Ok(0);
                        };
                        if !self.several {
                            return Ok(0);
                        }
                        skip_padding(input)?;
                        if !kind.continues(input.peek(crate::kind::PROBE_BYTES)?) {
                            return Ok(0);
                        }
                        self.state = DecompressorState::Between(input);
                    }
                    n => {
                        self.state = DecompressorState::Within(member);
                        return Ok(n);
                    }
                },
            }
        }
    }

    fn kind(&self) -> ContainerKind {
        match self.method {
            Compression::Deflate => ContainerKind::Zip,
            Compression::Container(kind) => kind,
        }
    }
}

impl Read for Decompressor<'_, '_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let before = self.meter.faults.get();
        match self.step(into) {
            Ok(n) => {
                self.meter.unpacked(n)?;
                Ok(n)
            }
            Err(_)
                if matches!(
                    std::mem::replace(&mut self.state, DecompressorState::Failed),
                    DecompressorState::Failed
                ) =>
            {
                Err(invalid("already reported"))
            }
            Err(error) => {
                if let Some(&too_large) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
                    return Err(self
                        .meter
                        .too_large(self.kind(), &self.inside, too_large, before));
                }
                let words = error.to_string();
                // Some decoders lose the error kind, so the text decides.
                let cut = error.kind() == io::ErrorKind::UnexpectedEof
                    || words.contains("fill whole buffer");
                Err(self
                    .meter
                    .damaged(self.kind(), &self.inside, (!cut).then_some(&words), before))
            }
        }
    }
}

/// Tapes, xz and dd leave zeros between and after members.
fn skip_padding(input: &mut Peek<'_>) -> io::Result<()> {
    loop {
        let zeros = input
            .fill_buf()?
            .iter()
            .take_while(|&&byte| byte == 0)
            .count();
        if zeros == 0 {
            return Ok(());
        }
        input.consume(zeros);
    }
}

/// Skips the frames of zstd that have no data.
fn skip_frames(input: &mut Peek<'_>) -> io::Result<()> {
    while let &[0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d] = input.peek(8)? {
        input.skip(8 + u64::from(u32::from_le_bytes([a, b, c, d])))?;
    }
    Ok(())
}
