//! Bytes as text for a URL: base64url without padding.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Encodes bytes as text for links.
pub fn to_text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Decodes up to the first invalid character. Line breaks and quote marks of mails are skipped.
pub fn from_text(text: &str) -> Vec<u8> {
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut digits: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '>' | '='))
        .take_while(|&c| is_digit(c))
        .collect();
    while !digits.is_empty() {
        if let Ok(bytes) = URL_SAFE_NO_PAD.decode(&digits) {
            return bytes;
        }
        digits.pop();
    }
    Vec::new()
}
