//! How the values of a figure are written next to each other: one unit and as many decimals for all
//! of its cells. The page, pictures, the mail and the command line write them by this.

use seekscope_trace::quantity::fixed;
use serde::Serialize;

/// How the values of one figure are written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Notation {
    /// The divisor of values.
    pub per: f64,
    /// Name of the unit in ASCII; empty for none.
    pub unit: String,
    pub decimals: usize,
}

/// Units of a quantity, the largest first: divisor, name, and the value from which the unit is
/// used.
const TIMES: [(f64, &str, f64); 3] = [(1e9, "s", 2e9), (1e6, "ms", 1e5), (1e3, "us", 0.0)];
const SIZES: [(f64, &str, f64); 4] = [
    (1073741824.0, "GiB", 2147483648.0),
    (1048576.0, "MiB", 1048576.0),
    (1024.0, "KiB", 1024.0),
    (1.0, "B", 0.0),
];

impl Notation {
    /// The notation of all `values` of a figure, whose unit has this code.
    pub fn new(code: &str, values: &[f64]) -> Notation {
        let largest = values
            .iter()
            .fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let choose = |units: &[(f64, &'static str, f64)]| {
            let unit = units.iter().find(|(_, _, from)| largest >= *from);
            unit.map_or((1.0, ""), |&(per, unit, _)| (per, unit))
        };
        let (per, unit) = match code {
            "ns" => choose(&TIMES),
            "bytes" => choose(&SIZES),
            "bytes/s" => (1e6, "MB/s"),
            "share" => (0.01, "%"),
            "count" | "number" => (1.0, ""),
            other => (1.0, other),
        };
        let values: Vec<f64> = values.iter().map(|value| value / per).collect();
        Notation {
            per,
            unit: unit.to_owned(),
            decimals: decimals(&values),
        }
    }

    /// Writes a value in the unit, without its name: `43,600`, `0.80`.
    pub fn write(&self, value: f64) -> String {
        fixed(value / self.per, self.decimals)
    }
}

/// The number of decimals: three digits of the largest value, and one more where the smallest would
/// keep fewer than two.
fn decimals(values: &[f64]) -> usize {
    if values.iter().all(|value| value.fract() == 0.0) {
        return 0;
    }
    let sizes = || values.iter().map(|value| value.abs()).filter(|a| *a > 0.0);
    let largest = sizes().fold(0.0, f64::max);
    let smallest = sizes().fold(f64::INFINITY, f64::min);
    // 99.96 is written as 100, so it counts as three digits before the point.
    let needed = |value: f64, digits: i32| {
        let rounded = value * (1.0 + 0.5 / 10f64.powi(digits));
        (digits - 1 - rounded.log10().floor() as i32).clamp(0, 4) as usize
    };
    let usual = needed(largest, 3);
    usual.max(needed(smallest, 2).min(usual + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(unit: &str, values: &[f64]) -> (Vec<String>, String) {
        let notation = Notation::new(unit, values);
        let texts = values.iter().map(|v| notation.write(*v)).collect();
        (texts, notation.unit)
    }

    /// `web/compare/scale.ts` passes the same cases.
    #[test]
    fn the_largest_value_chooses_the_unit_as_on_the_page() {
        let cases: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../notation.cases.json")).unwrap();
        assert!(cases.len() >= 18);
        for case in cases {
            let unit = case["unit"].as_str().unwrap();
            let notation = Notation::new(unit, &[case["largest"].as_f64().unwrap()]);
            let expected = (
                case["per"].as_f64().unwrap(),
                case["name"].as_str().unwrap(),
            );
            assert_eq!((notation.per, notation.unit.as_str()), expected, "{case}");
        }
    }

    #[test]
    fn all_values_share_a_unit_and_their_decimals() {
        let cases: [(&str, &[f64], &[&str], &str); 9] = [
            ("1/s", &[43600.0, 3498.0], &["43,600", "3,498"], "1/s"),
            ("ns", &[0.8e6, 15.32e6], &["0.80", "15.32"], "ms"),
            ("ns", &[117190.0, 105000.0], &["0.117", "0.105"], "ms"),
            ("ns", &[17070.0, 3756000.0], &["0.017", "3.756"], "ms"),
            ("ns", &[4340.12, 22100.0], &["4.3", "22.1"], "us"),
            ("share", &[0.029, 0.195], &["2.9", "19.5"], "%"),
            ("bytes/s", &[7.8e6, 380.5e6], &["7.8", "380.5"], "MB/s"),
            (
                "",
                &[2.177e9, 9.287e10],
                &["2,177,000,000", "92,870,000,000"],
                "",
            ),
            ("bytes", &[4096.0, 1046528.0], &["4", "1,022"], "KiB"),
        ];
        for (unit, values, expected, name) in cases {
            let (texts, written_unit) = written(unit, values);
            assert_eq!(texts, expected);
            assert_eq!(written_unit, name);
        }
    }

    #[test]
    fn nothing_and_zero_have_no_decimals() {
        assert_eq!(Notation::new("1/s", &[]).decimals, 0);
        assert_eq!(Notation::new("ns", &[0.0]).write(0.0), "0");
    }
}
