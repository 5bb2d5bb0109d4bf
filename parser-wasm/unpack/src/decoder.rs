//! Decompression: members one after another, metered, damage told of once.

use crate::kind::Kind;
use crate::meter::Meter;
use crate::peek::Peek;
use bzip2::bufread::BzDecoder;
use flate2::bufread::{DeflateDecoder, GzDecoder};
use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufRead, Read};

/// Dictionaries and windows beyond this are absurd; `xz -9` wants 64 MiB, `zstd --long` 128 MiB.
const MOST_MEMORY: u32 = 256 << 20;

/// A way of compressing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Raw, as in zip.
    Deflate,
    Container(Kind),
}

type Input<'p, 'r> = &'p mut Peek<'r>;

enum Member<'p, 'r> {
    Deflate(DeflateDecoder<Input<'p, 'r>>),
    Gzip(GzDecoder<Input<'p, 'r>>),
    Bzip2(BzDecoder<Input<'p, 'r>>),
    Xz(Box<XzReader<Input<'p, 'r>>>),
    Zstd(Box<StreamingDecoder<Input<'p, 'r>, FrameDecoder>>),
}

fn invalid(words: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words.to_string())
}

impl<'p, 'r> Member<'p, 'r> {
    fn open(method: Method, input: Input<'p, 'r>) -> io::Result<Member<'p, 'r>> {
        Ok(match method {
            Method::Deflate => Member::Deflate(DeflateDecoder::new(input)),
            Method::Container(Kind::Gzip) => Member::Gzip(GzDecoder::new(input)),
            Method::Container(Kind::Bzip2) => Member::Bzip2(BzDecoder::new(input)),
            Method::Container(Kind::Xz) => Member::Xz(Box::new(XzReader::new_mem_limit(input, false, MOST_MEMORY >> 10))),
            Method::Container(_) => {
                let decoder = StreamingDecoder::new_with_max_window_size(input, u64::from(MOST_MEMORY)).map_err(invalid)?;
                Member::Zstd(Box::new(decoder))
            }
        })
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Member::Deflate(decoder) => decoder.read(into),
            Member::Gzip(decoder) => decoder.read(into),
            Member::Bzip2(decoder) => decoder.read(into),
            Member::Xz(decoder) => decoder.read(into),
            Member::Zstd(decoder) => match decoder.read(into)? {
                0 if decoder.decoder.get_checksum_from_data() != decoder.decoder.get_calculated_checksum()
                    && decoder.decoder.get_checksum_from_data().is_some() =>
                {
                    Err(invalid("its checksum does not match"))
                }
                n => Ok(n),
            },
        }
    }

    fn into_input(self) -> Input<'p, 'r> {
        match self {
            Member::Deflate(decoder) => decoder.into_inner(),
            Member::Gzip(decoder) => decoder.into_inner(),
            Member::Bzip2(decoder) => decoder.into_inner(),
            Member::Xz(decoder) => decoder.into_inner(),
            Member::Zstd(decoder) => decoder.into_inner(),
        }
    }
}

enum State<'p, 'r> {
    Between(Input<'p, 'r>),
    Within(Box<Member<'p, 'r>>),
    Ended,
    Failed,
}

/// What is in a compressed stream.
pub(crate) struct Decoder<'m, 'p, 'r> {
    meter: &'m Meter,
    method: Method,
    /// Path, for messages.
    inside: String,
    /// Whether more members may follow the first.
    several: bool,
    state: State<'p, 'r>,
}

impl<'m, 'p, 'r> Decoder<'m, 'p, 'r> {
    pub(crate) fn new(meter: &'m Meter, method: Method, inside: &str, several: bool, input: Input<'p, 'r>) -> Self {
        Decoder { meter, method, inside: inside.to_owned(), several, state: State::Between(input) }
    }

    fn step(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(0),
                State::Failed => {
                    self.state = State::Failed;
                    return Err(invalid("it is damaged"));
                }
                State::Between(input) => {
                    if self.method == Method::Container(Kind::Zstd) {
                        skip_frames(input)?;
                    }
                    self.state = State::Within(Box::new(Member::open(self.method, input)?));
                }
                State::Within(mut member) => match member.read(into)? {
                    0 => {
                        let input = member.into_input();
                        let Method::Container(kind) = self.method else { return Ok(0) };
                        if !self.several {
                            return Ok(0);
                        }
                        skip_padding(input)?;
                        if !kind.continues(input.peek(crate::kind::PROBE_BYTES)?) {
                            return Ok(0);
                        }
                        self.state = State::Between(input);
                    }
                    n => {
                        self.state = State::Within(member);
                        return Ok(n);
                    }
                },
            }
        }
    }

    fn kind(&self) -> Kind {
        match self.method {
            Method::Deflate => Kind::Zip,
            Method::Container(kind) => kind,
        }
    }
}

impl Read for Decoder<'_, '_, '_> {
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
            Err(_) if matches!(std::mem::replace(&mut self.state, State::Failed), State::Failed) => Err(invalid("told already")),
            Err(error) => {
                let words = error.to_string();
                // Not every decoder keeps the kind.
                let cut = error.kind() == io::ErrorKind::UnexpectedEof || words.contains("fill whole buffer");
                Err(self.meter.damaged(self.kind(), &self.inside, (!cut).then_some(&words), before))
            }
        }
    }
}

/// Tapes, xz and dd leave zeros between and after members.
fn skip_padding(input: &mut Peek<'_>) -> io::Result<()> {
    loop {
        let zeros = input.fill_buf()?.iter().take_while(|&&byte| byte == 0).count();
        if zeros == 0 {
            return Ok(());
        }
        input.consume(zeros);
    }
}

/// Frames that hold anything but data.
fn skip_frames(input: &mut Peek<'_>) -> io::Result<()> {
    while let &[0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d] = input.peek(8)? {
        input.skip(8 + u64::from(u32::from_le_bytes([a, b, c, d])))?;
    }
    Ok(())
}
