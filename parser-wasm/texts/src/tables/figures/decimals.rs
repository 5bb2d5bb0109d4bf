//! Whether commas are decimal in a table: `1,012` is 1.012 in a column with `0,812`, and `234.567`
//! is 234567 in one with `1.234.567`. A number alone does not say which one it is.

/// What the separators of a number say of those of its table.
#[derive(Clone, Copy, PartialEq)]
enum Evidence {
    DecimalComma,
    DecimalPoint,
    /// One separator in front of three digits, and the factor from the usual reading, which takes
    /// the comma for one between thousands, to the other one.
    Either(f64),
    None,
}

/// Whether some of the figures have decimal commas for certain, and none a decimal point.
pub fn are_commas<'a>(figures: impl Iterator<Item = &'a str> + Clone) -> bool {
    let has = |evidence| {
        figures
            .clone()
            .any(|figure| evidence_of(figure) == evidence)
    };
    has(Evidence::DecimalComma) && !has(Evidence::DecimalPoint)
}

/// The factor of a figure in a table with decimal commas.
pub fn factor(figure: &str) -> f64 {
    match evidence_of(figure) {
        Evidence::Either(factor) => factor,
        _ => 1.0,
    }
}

fn evidence_of(text: &str) -> Evidence {
    let text = text.trim_start_matches(['~', '+', '-', '\u{2212}', ' ']);
    let is_inside = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ');
    let end = text.find(|c| !is_inside(c)).unwrap_or(text.len());
    let number = text[..end].trim_end_matches(['.', ',', ' ']);
    let Some((front, behind)) = number.rsplit_once(['.', ',']) else {
        return Evidence::None;
    };
    let is_comma = number.as_bytes().get(front.len()) == Some(&b',');
    let (same, other) = if is_comma { (',', '.') } else { ('.', ',') };
    // Lists have separators, too.
    if crate::quantity::number(number).is_none() {
        return Evidence::None;
    }
    let is_fraction = front.contains(other) || behind.len() != 3 || front == "0";
    match (is_fraction, front.contains(same)) {
        (true, _) if is_comma => Evidence::DecimalComma,
        (true, _) => Evidence::DecimalPoint,
        (false, true) if is_comma => Evidence::DecimalPoint,
        (false, true) => Evidence::DecimalComma,
        (false, false) => Evidence::Either(if is_comma { 1e-3 } else { 1e3 }),
    }
}
