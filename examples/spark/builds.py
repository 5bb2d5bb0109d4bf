"""Change points over builds with Spark: `seekscope builds` for each group of digests.

    spark-submit builds.py DIGESTS --output FOLDER --by build [--per COLUMN]... [--where SQL] [--seekscope COMMAND] [-- OPTION...]

DIGESTS is a table of digests as Parquet: of `seekscope digest`, `seekscope fleet`, or of fleet.py. Rows with the same values in the columns of --per
(a workload, a lab; without it all rows) go to one process of the command on an executor, which needs the digests of that group in memory. Its rows
become `FOLDER/changes`, its texts for mail `FOLDER/mails`, and what it could not do `FOLDER/errors`, each with the columns of --per in `group`. What
follows `--` are further options of the command: --series, --figure, --since.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession

# Columns of docs/at-scale.md; others are what the series differ by.
NUMBERS = "before after ratio ratio_low ratio_high p fdr".split()


def changes(command, options):
    """A function for (group, lines of JSON): rows of three tables as (table, JSON)."""

    def of(item):
        group, lines = item
        with tempfile.TemporaryDirectory() as folder:
            digests, rows = os.path.join(folder, "digests.jsonl"), os.path.join(folder, "rows.jsonl")
            with open(digests, "w", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in lines)
            try:
                done = subprocess.run(
                    [*command, "builds", "--digests", digests, *options, "-o", rows], capture_output=True, text=True, timeout=3600
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                return [("errors", json.dumps({"group": group, "message": str(error)}))]
            # 3: --fail-if applies.
            if done.returncode not in (0, 3):
                return [("errors", json.dumps({"group": group, "message": done.stderr[-1000:]}))]
            with open(rows, encoding="utf-8") as file:
                found = [("changes", json.dumps({**json.loads(line), "group": group})) for line in file]
            return [("mails", json.dumps({"group": group, "text": done.stdout})), *found]

    return of


def type_of(column):
    if column in NUMBERS:
        return "double"
    return "bigint" if column == "event" else "string"


def main():
    own, separator, options = sys.argv[1:], "--", []
    if separator in own:
        own, options = own[: own.index(separator)], own[own.index(separator) + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("digests")
    parser.add_argument("--output", required=True)
    parser.add_argument("--by", default="kernel")
    parser.add_argument("--per", action="append", default=[], help="a column; repeat it")
    parser.add_argument("--where", help="a condition of SQL for the rows that are read")
    parser.add_argument("--seekscope", default="npx seekscope", help="how executors start it (default: npx seekscope)")
    given = parser.parse_args(own)

    spark = SparkSession.builder.appName("seekscope builds").getOrCreate()
    # A kernel 6.10 in the name of a folder is no number.
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    table = spark.read.parquet(given.digests)
    if given.where:
        table = table.where(given.where)
    # The command takes figures over time from the digest.
    table = table.drop(*[name for name in table.columns if name.endswith("_bins")])

    def keyed(line):
        row = json.loads(line)
        return json.dumps({name: row.get(name) for name in given.per}), line

    command = changes(shlex.split(given.seekscope), ["--by", given.by, *options])
    rows = table.toJSON().map(keyed).groupByKey().flatMap(command).cache()

    def named(name):
        return rows.filter(lambda row: row[0] == name).map(lambda row: row[1])

    columns = sorted({"group", "figure", "build"}.union(named("changes").flatMap(lambda text: list(json.loads(text))).distinct().collect()))
    for name, schema in (
        ("changes", ", ".join(f"`{column}` {type_of(column)}" for column in columns)),
        ("mails", "`group` string, text string"),
        ("errors", "`group` string, message string"),
    ):
        found = spark.read.schema(schema).json(named(name))
        found.coalesce(1).write.mode("overwrite").parquet(f"{given.output}/{name}")
        print(f"{found.count()} {name}", file=sys.stderr)
    spark.stop()


if __name__ == "__main__":
    main()
