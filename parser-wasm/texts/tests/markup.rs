//! Tables in the languages of wikis, documents and forums.

mod shown;

use shown::{assert_has, figures};

/// The same table with the unit in the title or in the corner.
const TABLES: [&str; 9] = [
    "{| class=\"wikitable\"\n|+ Throughput in MB/s\n! test !! 5.10 !! 6.1\n|-\n\
        | seq read || 512.5 || 431.5\n|-\n| seq write || 401.5 || '''398.5'''\n|}\n",
    "{| class=\"wikitable\"\n|+ Throughput in MB/s\n|-\n! test\n! 5.10\n! 6.1\n|-\n\
        | seq read\n| 512.5\n| style=\"color:red\" | 431.5\n|-\n\
        | seq write\n| 401.5\n| 398.5\n|}\n",
    "\\begin{tabular}{l|rr}\n\\hline\nMB/s & 5.10 & 6.1 \\\\ \\hline\n\
        seq read & 512.5 & \\textbf{431.5} \\\\\nseq write & $401.5$ & 398.5 \\\\\n\
        \\hline\n\\end{tabular}\n",
    "|===\n|MB/s |5.10 |6.1\n\n|seq read |512.5 |431.5\n|seq write |401.5 |398.5\n|===\n",
    ".Throughput in MB/s\n[cols=\"1,1,1\", options=\"header\"]\n|===\n|test |5.10 |6.1\n\n\
        |seq read\n|512.5\n|431.5\n\n|seq write\n|401.5\n|398.5\n|===\n",
    ".. list-table:: Throughput in MB/s\n   :header-rows: 1\n\n   * - test\n     - 5.10\n\
     \u{20}    - 6.1\n   * - seq read\n     - 512.5\n     - 431.5\n   * - seq write\n\
     \u{20}    - 401.5\n     - 398.5\n",
    "[table]\n[tr][th]MB/s[/th][th]5.10[/th][th]6.1[/th][/tr]\n\
        [tr][td]seq read[/td][td]512.5[/td][td][b]431.5[/b][/td][/tr]\n\
        [tr][td]seq write[/td][td]401.5[/td][td]398.5[/td][/tr]\n[/table]\n",
    "^ MB/s ^ 5.10 ^ 6.1 ^\n| seq read | 512.5 | 431.5 |\n| seq write | 401.5 | 398.5 |\n",
    ".. list-table::\n   :header-rows: 1\n\n   * -\n     - 5.10\n     - 6.1\n\
        \u{20}  * - seq read (MB/s)\n     - `512.5`\n     - **431.5**\n\
        \u{20}  * - seq write (MB/s)\n     - 401.5\n     - 398.5\n",
];

#[test]
fn tables_of_all_languages_are_read() {
    for table in TABLES {
        let rows = [
            "kernel=5.10 test=seq read throughput 512500000",
            "kernel=6.1 test=seq read throughput 431500000",
            "kernel=5.10 test=seq write throughput 401500000",
            "kernel=6.1 test=seq write throughput 398500000",
        ];
        assert_has(table, 4, &rows);
        assert_has(
            &format!("Hi all,\n\nour results are\n\n{table}\nBye\n"),
            4,
            &rows,
        );
    }
}

#[test]
fn tables_that_are_cut_off_or_uneven_are_none() {
    for text in [
        "{| class=\"wikitable\"\n! MB/s !! 5.10 !! 6.1\n|-\n| seq read || 512.5\n|}\n",
        "{|\n{|\n{|\n",
        "|===\n",
        "^ \u{20ac}",
        "[table]\n[td]512[/td]\n[/table]\n",
        ".. list-table::\n   - 512\n",
        "\\begin{tabular}\n\\\\\n\\end{tabular}\n",
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}
