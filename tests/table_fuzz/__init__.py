"""Random histories of robust tables, held against an oracle outside of Spark.

`python -m tests.table_fuzz --seed 1 --minutes 60` lets several Spark processes append to,
overwrite, compact, vacuum and read one table at once, and kills some of them. The oracle
(`oracle.py`) reads the log and the data files by itself and says which rows each version has to
hold.
"""
