//! Converts the bytes of a file to Unicode.

/// Bytes in which a zero shows that a file is no text.
const PROBE: usize = 4096;

/// UTF-8, UTF-16 with or without a byte order mark, else Windows-1252; `None` for binary data.
pub fn decode(bytes: &[u8]) -> Option<String> {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return decode_utf8(rest);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return Some(decode_utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return Some(decode_utf16(rest, u16::from_be_bytes));
    }
    match zero_bytes(bytes) {
        ZeroBytes::None => decode_utf8(bytes),
        ZeroBytes::Odd => Some(decode_utf16(bytes, u16::from_le_bytes)),
        ZeroBytes::Even => Some(decode_utf16(bytes, u16::from_be_bytes)),
        ZeroBytes::Any => None,
    }
}

enum ZeroBytes {
    None,
    Odd,
    Even,
    Any,
}

/// Which bytes of a file are zero: in UTF-16 of mostly ASCII every second byte is.
fn zero_bytes(bytes: &[u8]) -> ZeroBytes {
    let probe = &bytes[..bytes.len().min(PROBE)];
    let count = |parity: usize| {
        probe
            .iter()
            .enumerate()
            .filter(|(index, byte)| index % 2 == parity && **byte == 0)
            .count()
    };
    let pairs = probe.len() / 2;
    match (count(0), count(1)) {
        (0, 0) => ZeroBytes::None,
        (0, odd) if odd * 10 > pairs * 7 => ZeroBytes::Odd,
        (even, 0) if even * 10 > pairs * 7 => ZeroBytes::Even,
        _ => ZeroBytes::Any,
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let decoded = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    let text: String = decoded.collect();
    text.strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text)
}

/// UTF-8, or Windows-1252 where it is not valid: a cut character at the end alone is no reason.
fn decode_utf8(bytes: &[u8]) -> Option<String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        Err(error) if error.error_len().is_none() => {
            Some(String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned())
        }
        Err(_) => Some(bytes.iter().map(|byte| decode_1252(*byte)).collect()),
    }
}

/// Windows-1252 differs from Latin-1 in 0x80 to 0x9f.
fn decode_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
