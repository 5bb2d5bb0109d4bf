"""Digests and requests of many recordings with Spark.

    spark-submit fleet.py INPUT... --output FOLDER [--seekscope COMMAND] [--requests]

INPUT are folders or globs of archives (tar, zip, compressed files) on anything Spark reads. Each archive is the input of a process of
`seekscope digest -` on an executor; its rows become `FOLDER/digests`, partitioned by kernel and device, those of `seekscope requests -`
`FOLDER/requests`, and what could not be read `FOLDER/errors`. Node and Seekscope must be installed on the executors.

Spark hands over archives of up to --largest bytes. A larger one is read by the process itself if it is on a disk that all executors have, else it is
in `errors`. Requests are passed on as they are printed: neither they nor a large archive are ever in memory as a whole.
"""

import argparse
import csv
import json
import re
import shlex
import subprocess
import sys
import tempfile
import threading

from pyspark import StorageLevel
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# Columns of docs/at-scale.md that are no figures; figures are numbers, and lists of them over time.
TEXTS = set(
    "run trace sha256 kernel scheduler workload repeat_group folder device dev role model findings settings bench sizes digest source".split()
)
INTEGERS = set(
    "schema position events lost_events truncated_bytes window_from_ns window_to_ns first_queued_ns last_completed_ns bin_ns"
    " tail_threshold_ns tail_requests".split()
)
REQUEST_TEXTS = "source run trace device dev role op rwbs alignment process".split()
REQUEST_INTEGERS = (
    "sector sectors bytes pid submit_cpu complete_cpu bios error queued_ns allocated_ns inserted_ns issued_ns completed_ns"
    " q2c_ns d2c_ns q2d_ns q2g_ns g2i_ns i2d_ns g2d_ns"
).split()

# `seekscope: FILE: code: text` on standard error: what an input lacks, or why it could not be read.
COMPLAINT = re.compile(r"^seekscope: (?P<file>.*?): (?P<code>[a-z][a-z0-9-]*): (?P<message>.*)$")
# Seconds that an archive may take.
LONGEST = 3600


def problem(code, message, file=""):
    return {"file": file, "code": code, "message": message}


def feed(pipe, content):
    try:
        pipe.write(content)
        pipe.close()
    except OSError:
        pass  # The process has ended; its status says why.


def lines_of(command, path, content, problems):
    """Complete lines of standard output as they come; what went wrong is added to `problems`. Without `content`, the process reads the file."""
    # Standard error goes to a file, so that neither pipe waits for the other.
    with tempfile.TemporaryFile() as complaints:
        try:
            if content is None:
                with open(path, "rb") as file:
                    process = subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE, stderr=complaints)
            else:
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints)
                threading.Thread(target=feed, args=(process.stdin, content), daemon=True).start()
        except OSError as error:
            problems.append(problem("not-run", str(error)))
            return
        clock = threading.Timer(LONGEST, process.kill)
        clock.start()
        try:
            for line in process.stdout:
                if line.endswith(b"\n"):
                    yield line.decode("utf-8", "replace")
            status = process.wait()
        finally:
            clock.cancel()
            process.kill()
            process.wait()
        complaints.seek(0)
        text = complaints.read().decode("utf-8", "replace")
    found = [match.groupdict() for match in map(COMPLAINT.match, text.splitlines()) if match]
    if status != 0 and (status < 0 or not found):
        found.append(problem("exit-%d" % status, text[-500:]))
    problems += [one for one in found if one not in problems]


def read(command, wants_requests):
    """A function for partitions of (source, path, content): rows of three tables as (table, JSON)."""

    def of(archives):
        for source, path, content in archives:
            problems, digests = [], 0
            content = None if content is None else bytes(content)
            if content is None and path is None:
                problems.append(problem("too-large", "Larger than --largest, and not on a disk of the executors. Read it with seekscope digest."))
            else:
                for line in lines_of([*command, "digest", "-"], path, content, problems):
                    digests += 1
                    yield "digests", json.dumps({**json.loads(line), "source": source})
            if wants_requests and digests > 0:
                rows = csv.DictReader(lines_of([*command, "requests", "--raw", "-"], path, content, problems))
                try:
                    for row in rows:
                        yield "requests", json.dumps({**{name: cell for name, cell in row.items() if cell != ""}, "source": source})
                except csv.Error as error:
                    problems.append(problem("bad-table", str(error)))
            for one in problems:
                yield "errors", json.dumps({**one, "source": source})

    return of


def local(path):
    """The path of a file that processes can open themselves; None on other storage."""
    found = re.match("file:(?://)?(/.*)$", path, re.DOTALL)
    return found and found[1]


def archives_in(spark, inputs, largest):
    """(source, path, content) of all files; large ones have a path instead of their content, if processes can open them."""
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(inputs)
    # Spark reads neither the content of rows that this leaves out nor that of columns that are not selected.
    small = files.where(F.col("length") <= largest).select("path", "content").rdd.map(lambda row: (row.path, None, row.content))
    large = files.where(F.col("length") > largest).select("path").rdd.map(lambda row: (row.path, local(row.path), None))
    return small.union(large)


def type_of(column):
    if column in TEXTS:
        return "string"
    if column == "compared":
        return "boolean"
    if column in INTEGERS:
        return "bigint"
    return "array<double>" if column.endswith("_bins") else "double"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--output", required=True)
    parser.add_argument("--seekscope", default="npx seekscope", help="how executors start it (default: npx seekscope)")
    parser.add_argument("--requests", action="store_true", help="also write every request")
    parser.add_argument("--largest", type=int, default=256 << 20, help="bytes of an archive that Spark hands over (default: 256 MiB)")
    given = parser.parse_args()

    spark = SparkSession.builder.appName("seekscope").getOrCreate()
    tasks = max(1, spark.sparkContext.defaultParallelism * 4)
    archives = archives_in(spark, given.inputs, given.largest).repartition(tasks)
    # What does not fit in memory goes to disk: nothing is read twice.
    rows = archives.mapPartitions(read(shlex.split(given.seekscope), given.requests)).persist(StorageLevel.MEMORY_AND_DISK)

    def table(name):
        return rows.filter(lambda row: row[0] == name).map(lambda row: row[1])

    columns = sorted(table("digests").flatMap(lambda text: list(json.loads(text))).distinct().collect())
    names = sorted({*columns, "kernel", "device", "trace", "position"})
    digests = spark.read.schema(", ".join(f"`{name}` {type_of(name)}" for name in names)).json(table("digests"))
    order = ["kernel", "device", "trace", "position"]
    parts = digests.repartition("kernel", "device").sortWithinPartitions(*order)
    parts.write.mode("overwrite").partitionBy("kernel", "device").parquet(given.output + "/digests")
    errors = spark.read.schema("source string, file string, code string, message string").json(table("errors"))
    errors.coalesce(1).write.mode("overwrite").parquet(given.output + "/errors")
    if given.requests:
        # Cells of CSV are texts.
        cells = [*REQUEST_TEXTS, "passthrough", *REQUEST_INTEGERS]
        requests = spark.read.schema(", ".join(f"`{name}` string" for name in cells)).json(table("requests"))
        numbers = {name: F.col(name).cast("bigint") for name in REQUEST_INTEGERS}
        requests = requests.withColumns({**numbers, "passthrough": F.col("passthrough").cast("boolean")})
        requests.write.mode("overwrite").partitionBy("device").parquet(given.output + "/requests")
    print(f"{digests.count()} rows of digests, {errors.count()} problems", file=sys.stderr)
    spark.stop()


if __name__ == "__main__":
    main()
