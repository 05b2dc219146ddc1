# Everything there is to do here, by name. `make` alone lists it.
#
# Needs a JDK 17, Python 3.10 or newer (3.11 for Spark 4.3), Maven and git; they fetch everything else.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL: # one sbt at a time
.DEFAULT_GOAL := help

# The Sparks, read from the rows of SparkVersions.scala; the first is the default. SPARK=4.3 chooses another one, for
# every target.
sparks := $(shell sed -nE 's/.*Spark."([0-9.]+)", scala.*/\1/p' project/SparkVersions.scala)
minors := $(basename $(sparks))
default := $(firstword $(minors))
SPARK ?= $(default)
ifeq ($(filter $(SPARK),$(minors)),)
  $(error SPARK=$(SPARK) is not one of: $(minors))
endif

# Each Spark has an environment with its PySpark. The Scala code of all but the default compiles against the jars in it.
venv-of = $(if $(filter $(default),$(1)),.venv,.venv-spark$(1))
spark-of = $(filter $(if $(filter .venv,$(1)),$(default),$(1:.venv-spark%=%)).%,$(sparks))
venv := $(call venv-of,$(SPARK))
py := $(venv)/bin/python
sbt := build/sbt -Dspark.minor=$(SPARK)
spark-jars := $(addsuffix /made,$(filter-out .venv,$(venv)))

version := $(shell sed -nE 's/^__version__ = "(.+)"/\1/p' python/colocate/_version.py)
wheel := dist/colocate_spark-$(version)-py3-none-any.whl
jars := $(minors:%=target/spark-%/jar.stamp)

PYTHON ?= python3
SEED ?= 1
MINUTES ?= 10
SUITES ?= long

# What a jar is made from.
scala-sources := $(shell find scala/src/main -type f) build.sbt $(wildcard project/*.scala project/*.sbt) \
  project/build.properties python/colocate/_version.py LICENSE

##@ See it work
.PHONY: demo
demo: $(venv) jar ## run a few TPC-H and TPC-DS queries with and without Colocate, and leave a report
	$(py) -m benchmarks demo

.PHONY: bench
bench: $(venv) jar ## the benchmark of TPC-H and TPC-DS: make bench ARGS="tpcds --scale 1"
	$(py) -m benchmarks queries $(ARGS)

.PHONY: bench-tables
bench-tables: $(venv) jar ## the benchmark of robust tables: make bench-tables ARGS="--scale 1 --delta"
	$(py) -m benchmarks tables $(ARGS)

.PHONY: bench-joins
bench-joins: $(venv) jar ## the benchmark of joins of stored tables: make bench-joins ARGS="--scale 1"
	$(py) -m benchmarks joins $(ARGS)

.PHONY: bench-claims
bench-claims: $(venv) jar ## the benchmark of queries as users write them: make bench-claims ARGS="--plan-only"
	$(py) -m benchmarks claims $(ARGS)

.PHONY: bench-changes
bench-changes: $(venv) jar ## the benchmark of changes: make bench-changes ARGS="--rows 2000000 --scale 14"
	$(py) -m benchmarks changes $(ARGS)

.PHONY: bench-graphs
bench-graphs: $(venv) jar ## the benchmark of patterns in graphs: make bench-graphs ARGS="--scale 14"
	$(py) -m benchmarks graphs $(ARGS)

##@ Check it
.PHONY: test
test: lint test-scala test-sparks spark-suites-fast test-modes ## all that must pass before a commit: lint, suites, pytest, packaging

.PHONY: test-scala
test-scala: $(venv) ## the Scala suites
	rm -rf target/spark-$(SPARK)/scala/test-reports
	$(sbt) scala/test

# One run of pytest, and its report: $(call pytest,name,settings).
pytest = $(2) $(py) -m pytest --junitxml target/pytest-$(1).xml
rest = $(call pytest,rest-$(1),COLOCATE_TEST_PART=rest COLOCATE_TEST_SHARE=$(1)/3)

# Three lanes beside one another, as none of them keeps a core busy, of about the same length by tests/durations.md.
.PHONY: test-modes
test-modes: $(venv) wheel delta target/spark-classes.jsa ## pytest: what a kind of session matters for in both kinds, and all else
	mkdir -p target
	rm -f target/pytest-*.xml
	( $(call pytest,classic,COLOCATE_TEST_PART=modes) ) > target/pytest-a.log 2>&1 & a=$$!; \
	( status=0; $(call rest,1) || status=$$?; $(call pytest,connect,COLOCATE_TEST_MODE=connect) || status=$$?; exit $$status ) \
	  > target/pytest-b.log 2>&1 & b=$$!; \
	status=0; $(call rest,2) || status=$$?; $(call rest,3) || status=$$?; \
	wait $$a || status=$$?; wait $$b || status=$$?; cat target/pytest-a.log target/pytest-b.log; exit $$status

# What differs between Sparks shows in the golden plans and in what goes through Spark's own commands.
slice := *Golden* *ExplainEndToEndSuite *SqlGrammarSuite *WriterMethodsSuite *HardCasesBucketsSuite

.PHONY: test-sparks
test-sparks: ## golden plans and a slice of the suites with each Spark but the default
	for minor in $(filter-out $(default),$(minors)); do $(MAKE) SPARK=$$minor test-slice; done

.PHONY: test-slice
test-slice: $(spark-jars) ## golden plans and a slice of the suites
	$(sbt) 'scala/testOnly $(slice)'

.PHONY: nightly
nightly: $(venv) wheel delta ## what takes too long for make test, before the fuzzers and Spark's own suites
	COLOCATE_NIGHTLY=true $(sbt) scala/test
	COLOCATE_TEST_PART=rest $(py) -m pytest -m nightly
	COLOCATE_TEST_PART=modes $(py) -m pytest -m nightly
	COLOCATE_TEST_MODE=connect $(py) -m pytest -m nightly

.PHONY: test-python
test-python: $(venv) wheel delta ## pytest, in a classic session
	COLOCATE_TEST_MODE=classic $(py) -m pytest $(ARGS)

.PHONY: test-connect
test-connect: $(venv) wheel delta ## the same pytest suite, over Spark Connect
	COLOCATE_TEST_MODE=connect $(py) -m pytest $(ARGS)

# Reading functions knows no Spark: any Python that has pytest will do, with pandas for functions of frames.
.PHONY: test-analysis
test-analysis: ## how Python functions are read, by another Python: make test-analysis PYTHON=python3.13
	PYTHONPATH=python:. $(PYTHON) -m pytest --noconftest -p no:cacheprovider tests/test_claims_analysis.py \
	  tests/test_claims_frames.py tests/test_claims_reference.py tests/test_claims_values.py

.PHONY: test-one
test-one: $(spark-jars) ## the Scala suites of one room: make test-one ROOM=exchange, or ROOM=tables.scan
	$(sbt) 'scala/testOnly io.colocate.$(ROOM).*'

.PHONY: durations
durations: $(venv) ## write tests/durations.md, how long each suite took in the last `make test`
	$(py) -m tests.durations

.PHONY: delta
delta: target/delta/made ## the jars of Delta Lake, which tests run beside

.PHONY: lint
lint: $(venv) ## style, types, forbidden calls: scalafmt, ruff, mypy, forbiddenapis
	$(venv)/bin/ruff check .
	$(venv)/bin/ruff format --check .
	$(venv)/bin/mypy
	$(sbt) scalafmtCheckAll spark-suites/scalafmtCheckAll scalafmtSbtCheck scala/forbiddenCalls

.PHONY: fuzz
fuzz: $(spark-jars) ## random plans, off against on: make fuzz SEED=1 MINUTES=60
	COLOCATE_FUZZ_SEED=$(SEED) COLOCATE_FUZZ_MINUTES=$(MINUTES) $(sbt) 'scala/testOnly *PlanFuzz*'

.PHONY: fuzz-tables
fuzz-tables: $(venv) jar ## random histories of robust tables by several processes: make fuzz-tables SEED=1 MINUTES=60
	$(py) -m tests.table_fuzz --seed $(SEED) --minutes $(MINUTES) $(ARGS)

.PHONY: fuzz-changes
fuzz-changes: $(venv) jar ## random histories of relations, joined by their changes and anew: make fuzz-changes SEED=1 MINUTES=60
	$(py) -m tests.changes_fuzz --seed $(SEED) --minutes $(MINUTES) $(ARGS)

.PHONY: soak-changes
soak-changes: $(venv) jar ## edges that come and go while queries run: make soak-changes MINUTES=60
	$(py) -m tests.changes_soak --seed $(SEED) --minutes $(MINUTES) $(ARGS)

.PHONY: kill-commits
kill-commits: $(spark-jars) ## each kind of write to a robust table, killed at every step
	COLOCATE_NIGHTLY=true $(sbt) 'scala/testOnly *KilledCommitSuite'

.PHONY: spark-suites
spark-suites: $(venv) ## Spark's own suites with the extension on, hours; SUITES=<group> or names chooses, SUITES='<group> --off' one half
	$(sbt) 'spark-suites/suites $(SUITES)'

.PHONY: spark-suites-fast
spark-suites-fast: $(spark-jars) ## a slice of them that takes minutes
	$(sbt) 'spark-suites/suites fast'

##@ Change it
.PHONY: format
format: $(venv) ## bring all code into the house style
	$(venv)/bin/ruff check --fix .
	$(venv)/bin/ruff format .
	$(sbt) scalafmtAll spark-suites/scalafmtAll scalafmtSbt

.PHONY: golden
golden: $(spark-jars) ## write the golden plans anew; read the difference before committing it
	COLOCATE_UPDATE_GOLDEN=1 COLOCATE_NIGHTLY=true $(sbt) 'scala/testOnly *Golden*'

.PHONY: docs
docs: $(spark-jars) ## write the generated pages of docs/ anew
	$(sbt) 'scala/Test/runMain io.colocate.docs.GenerateDocs'

##@ Ship it
.PHONY: jar
jar: $(jars) ## one jar per supported Spark, in python/colocate/jars

.PHONY: wheel
wheel: $(wheel) ## the Python package with the jars inside, in dist/

.PHONY: publish-local
publish-local: $(spark-jars) ## jar, sources and pom of each Spark in ~/.m2, for spark-submit --packages
	for minor in $(minors); do build/sbt -Dspark.minor=$$minor scala/publishM2; done

.PHONY: clean
clean: ## remove what was built; the environments stay
	rm -rf target dist site python/colocate/jars/*.jar .mypy_cache .pytest_cache .ruff_cache

.PHONY: help
help: ## this list
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@printf '\nSpark %s by default; SPARK=X.Y chooses another one of: %s\n' $(default) '$(minors)'

# --- Files -----------------------------------------------------------------------------------------------------------

# Classes of each Spark have a folder of their own, so only what changed is compiled.
target/spark-%/jar.stamp: $(scala-sources)
	build/sbt -Dspark.minor=$* scala/package
	rm -f python/colocate/jars/colocate-spark$*_*.jar
	cp target/spark-$*/scala/colocate-spark$*_*-$(version).jar python/colocate/jars/
	touch $@

$(foreach m,$(filter-out $(default),$(minors)),$(eval target/spark-$(m)/jar.stamp: | $(call venv-of,$(m))/made))

# For the many short JVMs of pytest, see tests/jvm.py. They do without where a JVM cannot write it.
target/spark-classes.jsa: .venv/made tests/jvm.py
	rm -f $@
	-.venv/bin/python -m tests.jvm

target/delta/made: project/Neighbours.scala
	build/sbt neighbours/deltaJars
	touch $@

$(wheel): $(jars) pyproject.toml hatch_build.py README.md $(shell find python -name '*.py' -o -name py.typed) | .venv/made
	rm -f dist/colocate*.whl
	.venv/bin/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	touch $@

# An environment is made once, and brought up to date when pyproject.toml or the Sparks change.
.PHONY: $(foreach m,$(minors),$(call venv-of,$(m)))
$(foreach m,$(minors),$(call venv-of,$(m))): %: %/made

%/made: pyproject.toml hatch_build.py project/SparkVersions.scala
	@echo "Making $*: this takes a few minutes, once."
	test -x $*/bin/python || $(PYTHON) -m venv $*
	$*/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$*/bin/python -m pip install --quiet --group test --group lint --editable . 'pyspark[connect]==$(call spark-of,$*)'
	touch $@
