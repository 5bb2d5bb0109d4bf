//! Distributions that two figures of a table share to the digit. Measurements do not repeat a mean,
//! a deviation and an extreme; a tool that prints one block for reads and writes does, and so does
//! a text in which a block was copied and not edited.

use super::headline::FigureSection;
use super::matrix::{MatrixAnswer, MatrixFigure};
use seekscope_notes::results::ResultTable;
use seekscope_trace::sorting::map_of;
use std::collections::BTreeMap;

/// Maximum number of remarks about one table; one more counts the others.
const MAX_REMARKS: usize = 3;

/// Sentences about distributions that occur twice, in the order of the figures.
pub fn copied(table: &ResultTable, answer: &MatrixAnswer) -> Vec<String> {
    let by_key: BTreeMap<&str, &MatrixFigure> =
        map_of((answer.figures.iter()).map(|figure| (figure.key.as_str(), figure)));
    let mut first_of: BTreeMap<[u64; 3], (usize, usize)> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, figure) in answer.figures.iter().enumerate() {
        if figure.section != Some(FigureSection::Latency) {
            continue;
        }
        let beside = &figure.beside;
        let extreme = beside.most.as_ref().or(beside.least.as_ref());
        let figure_of = |key: Option<&String>| by_key.get(key?.as_str());
        let beside = (figure_of(beside.sd.as_ref()), figure_of(extreme));
        let (Some(&deviation), Some(&extreme)) = beside else {
            continue;
        };
        for run in 0..table.runs.len() {
            let values = [figure, deviation, extreme].map(|figure| figure.values[run]);
            let [Some(mean), Some(deviation), Some(extreme)] = values else {
                continue;
            };
            // Without a deviation all requests took equally long, which two runs may do.
            if deviation == 0.0 {
                continue;
            }
            let key = [mean, deviation, extreme].map(f64::to_bits);
            let place = (index, run);
            let first = *first_of.entry(key).or_insert(place);
            if first != place {
                found.push((first, place));
            }
        }
    }
    let name = |(index, run): (usize, usize)| {
        let label = &table.runs[run].label;
        format!("{} of {label}", answer.figures[index].label)
    };
    let sentences = found.iter().map(|&(first, second)| {
        format!(
            "{} and {} agree to the digit, with their deviation and extremes: the tool printed \
             one block for both, or it was copied.",
            name(first),
            name(second)
        )
    });
    let mut remarks: Vec<String> = sentences.take(MAX_REMARKS).collect();
    if found.len() > MAX_REMARKS {
        remarks.push(format!(
            "{} more pairs of figures agree in this way.",
            found.len() - MAX_REMARKS
        ));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::super::results::results;
    use seekscope_notes::results::{ResultRun, ResultSet, ResultTable};
    use seekscope_notes::{BenchFigure, BenchUnit, Good};

    fn figures(operation: &str, values: [f64; 3]) -> Vec<BenchFigure> {
        let statistics = ["mean", "stdev", "max"].into_iter().zip(values);
        statistics
            .map(|(statistic, value)| BenchFigure {
                key: format!("bench.fio.{operation}.clat.{statistic}"),
                label: format!("fio {operation} clat {statistic}"),
                unit: BenchUnit::Nanoseconds,
                good: Some(Good::Less),
                value,
                ..BenchFigure::default()
            })
            .collect()
    }

    fn remarks(runs: &[(&str, Vec<BenchFigure>)]) -> Vec<String> {
        let runs = runs.iter().map(|(label, figures)| ResultRun {
            label: (*label).to_owned(),
            values: vec![(*label).to_owned()],
            figures: figures.clone(),
            ..ResultRun::default()
        });
        let table = ResultTable {
            runs: runs.collect(),
            ..ResultTable::default()
        };
        let set = ResultSet {
            tables: vec![table],
        };
        results(&set).tables.remove(0).remarks
    }

    #[test]
    fn reads_and_writes_with_one_distribution_are_named() {
        let both = |values| [figures("read", values), figures("write", values)].concat();
        let found = remarks(&[
            ("BFQ", both([2255.86, 720.8, 6095.0])),
            (
                "none",
                [
                    figures("read", [825.86, 120.8, 2095.0]),
                    figures("write", [825.87, 120.8, 2095.0]),
                ]
                .concat(),
            ),
        ]);
        assert_eq!(
            found,
            [
                "fio read clat mean of BFQ and fio write clat mean of BFQ agree to the digit, with \
                 their deviation and extremes: the tool printed one block for both, or it was \
                 copied."
            ]
        );
    }

    #[test]
    fn many_copies_are_counted_and_requests_without_a_deviation_are_none() {
        let copies: Vec<(&str, Vec<BenchFigure>)> = ["a", "b", "c", "d", "e", "f"]
            .map(|label| (label, figures("read", [5.5, 1.5, 9.0])))
            .into();
        let found = remarks(&copies);
        assert_eq!(found.len(), 4);
        assert_eq!(found[3], "2 more pairs of figures agree in this way.");
        let steady = ["a", "b"].map(|label| (label, figures("read", [5.5, 0.0, 5.5])));
        assert_eq!(remarks(&steady), Vec::<String>::new());
    }
}
