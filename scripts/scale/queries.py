"""Answers SQL on Parquet files with Spark: {"views": {name: path}, "queries": [text]} in the file that is named, lists of rows as JSON on standard output."""

import json
import sys

from pyspark.sql import SparkSession

with open(sys.argv[1], encoding="utf-8") as file:
    asked = json.load(file)
spark = SparkSession.builder.appName("seekscope queries").getOrCreate()
# A kernel 6.10 in the name of a folder is no number.
spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
for name, path in asked["views"].items():
    spark.read.parquet(path).createOrReplaceTempView(name)
answers = [[row.asDict() for row in spark.sql(text).collect()] for text in asked["queries"]]
print("ANSWERS " + json.dumps(answers, default=float))
spark.stop()
