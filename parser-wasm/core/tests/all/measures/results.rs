//! Matrices of tables in texts: their axes, bases and bounds.

use seekscope_core::compare::results;
use seekscope_core::results::{ResultAxis, ResultBase, ResultLayout, ResultSet};
use seekscope_texts::{TextInput, read};

fn set() -> ResultSet {
    let bytes = include_bytes!("../../../../../tests/tables/dds.txt");
    read(&[TextInput {
        path: "dds.txt",
        argument: None,
        bytes,
    }])
}

fn keys(keys: &[&str]) -> Option<Vec<String>> {
    Some(keys.iter().map(|key| (*key).to_owned()).collect())
}

#[test]
fn axes_are_moved() {
    let turned = ResultLayout {
        table: 1,
        rows: keys(&["number-of-dds"]),
        columns: keys(&["kernel"]),
        ..ResultLayout::default()
    };
    let document = results(&set().laid_out(&turned));
    let table = &document.tables[1];
    assert_eq!(table.arrangement.row_values, [["1"], ["2"], ["4"]]);
    assert_eq!(table.arrangement.column_values.len(), 3);
    assert_eq!(
        table.table.base,
        Some(ResultBase {
            axis: ResultAxis::Row,
            key: "1".to_owned()
        })
    );
    assert_eq!(
        table.answer.figures[0]
            .cells
            .iter()
            .map(|cell| cell.mean.unwrap_or(0.0) / 1e6)
            .collect::<Vec<_>>()[..3],
        [23.4, 23.2, 22.3]
    );
    // Another base, none, and one that is no line.
    let comparison = |base: &str, no_base| {
        let base = Some(ResultBase {
            axis: ResultAxis::Column,
            key: base.to_owned(),
        });
        set()
            .laid_out(&ResultLayout {
                base,
                no_base,
                ..turned.clone()
            })
            .tables[1]
            .base
            .clone()
            .map(|base| base.key)
    };
    assert_eq!(
        (
            comparison("2.6.18-193", false),
            comparison("2.6.18-193", true),
            comparison("6.1", false)
        ),
        (Some("2.6.18-193".to_owned()), None, Some("1".to_owned()))
    );
}

#[test]
fn dimensions_on_no_axis_are_averaged() {
    let averaged = ResultLayout {
        table: 1,
        rows: keys(&["kernel"]),
        columns: keys(&[]),
        ..ResultLayout::default()
    };
    let document = results(&set().laid_out(&averaged));
    assert_eq!(
        document.tables[1].arrangement.cells,
        [vec![0, 1, 2], vec![3, 4, 5], vec![6, 7, 8]]
    );
    assert_eq!(document.tables[1].answer.figures[0].cells[0].n, 3);
    let both = ResultLayout {
        table: 1,
        rows: keys(&["kernel", "number-of-dds"]),
        columns: keys(&[]),
        ..ResultLayout::default()
    };
    let table = &results(&set().laid_out(&both)).tables[1];
    assert_eq!(
        (
            table.arrangement.row_values.len(),
            table.arrangement.pairs.len()
        ),
        (9, 8)
    );
    assert_eq!(
        table.table.base.as_ref().map(|base| base.key.as_str()),
        Some("2.6.18-186\u{1}1")
    );
    // These are columns of another table, and of no table at all.
    let unknown = ResultLayout {
        table: 1,
        rows: keys(&["scheduler"]),
        ..ResultLayout::default()
    };
    assert_eq!(set().laid_out(&unknown), set());
    assert_eq!(
        set().laid_out(&ResultLayout {
            table: 9,
            ..averaged
        }),
        set()
    );
}

#[test]
fn a_damaged_table_is_bounded() {
    let mut set = set();
    set.tables[1].runs[0].values.clear();
    set.tables[1].runs[1].figures[0].value = f64::NAN;
    set.tables[0].runs = vec![set.tables[0].runs[0].clone(); 5000];
    let document = results(&set.bounded());
    assert_eq!(
        (
            document.tables[1].table.runs.len(),
            document.tables[0].table.runs.len()
        ),
        (9, 2000)
    );
}
