//! Roles of columns that only their neighbours decide.

use crate::{TextInput, read};

#[test]
fn a_unit_of_sizes_beside_a_rate_is_the_size_of_blocks() {
    let set = read(&[TextInput {
        path: "mail.txt",
        argument: None,
        bytes: b"threads, KB, MB/s\n1, 4, 23.5\n2, 4, 19.25\n",
    }]);
    let [table] = set.tables.as_slice() else {
        panic!("{} tables", set.tables.len());
    };
    assert_eq!(
        (
            table.common[0].name.as_str(),
            table.common[0].value.as_str()
        ),
        ("KB", "4")
    );
    let values: Vec<Vec<f64>> = table
        .runs
        .iter()
        .map(|run| run.figures.iter().map(|figure| figure.value).collect())
        .collect();
    assert_eq!(values, [[23.5e6], [19.25e6]]);
}
