# Everything there is to do here, by name. `make` alone lists it.
#
# Needs a JDK 17, Python 3.10 or newer (3.11 for Spark 4.3), Maven and git; everything else is fetched into this folder.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The Sparks, read from the rows of SparkVersions.scala: 4.2.0 4.3.0; the first is the default.
sparks := $(shell sed -nE 's/^ *Spark."([0-9.]+)".*/\1/p' project/SparkVersions.scala)
minors := $(foreach v,$(sparks),$(basename $(v)))
default := $(firstword $(minors))
others := $(filter-out $(default),$(minors))
spark-of = $(filter $(1).%,$(sparks))

version := $(shell sed -nE 's/^__version__ = "(.+)"/\1/p' python/colocate/_version.py)
wheel := dist/colocate-$(version)-py3-none-any.whl
jars := $(foreach m,$(minors),target/spark-$(m)/jar.stamp)

PYTHON ?= python3
py := .venv/bin/python
sbt := build/sbt

# What a jar is made from.
scala-sources := $(shell find scala/src/main -type f 2>/dev/null) build.sbt $(wildcard project/*.scala project/*.sbt) \
  project/build.properties python/colocate/_version.py LICENSE

##@ See it work
.PHONY: demo
demo: .venv jar ## run a few TPC-H and TPC-DS queries with and without Colocate, and leave a report
	$(py) -m benchmarks.demo

.PHONY: bench
bench: .venv jar ## the benchmarks: make bench ARGS="..." (ARGS=--help lists them)
	$(py) -m benchmarks.run $(ARGS)

##@ Check it
.PHONY: test
test: lint test-scala test-python test-connect ## all that must pass before a commit

.PHONY: test-scala
test-scala: ## the Scala suites, for the default Spark
	$(sbt) scala/test

.PHONY: test-python
test-python: .venv wheel ## pytest, in a classic session
	COLOCATE_TEST_MODE=classic $(py) -m pytest $(ARGS)

.PHONY: test-connect
test-connect: .venv wheel ## the same pytest suite, over Spark Connect
	COLOCATE_TEST_MODE=connect $(py) -m pytest $(ARGS)

.PHONY: $(others:%=test-spark%)
$(others:%=test-spark%): test-spark%: .venv-spark% wheel ## everything, for another Spark: the Scala suites and pytest in both modes
	$(sbt) -Dspark.minor=$* scala/test
	COLOCATE_TEST_MODE=classic .venv-spark$*/bin/python -m pytest $(ARGS)
	COLOCATE_TEST_MODE=connect .venv-spark$*/bin/python -m pytest $(ARGS)

.PHONY: lint
lint: .venv ## style and types: scalafmt, ruff, mypy
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	$(sbt) scalafmtCheckAll scalafmtSbtCheck

.PHONY: fuzz
fuzz: ## random plans, off against on: make fuzz SEED=1 MINUTES=60
	COLOCATE_FUZZ_SEED=$(SEED) COLOCATE_FUZZ_MINUTES=$(MINUTES) $(sbt) 'scala/testOnly *PlanFuzz*'

.PHONY: spark-suites
spark-suites: ## Spark's own suites with the extension switched on (long)
	$(sbt) spark-suites/test

##@ Change it
.PHONY: format
format: .venv ## bring all code into the house style
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	$(sbt) scalafmtAll scalafmtSbt

.PHONY: golden
golden: ## write the golden plans anew; read the difference before committing it
	COLOCATE_UPDATE_GOLDEN=1 $(sbt) 'scala/testOnly *Golden*'

.PHONY: docs
docs: ## write the generated pages of docs/ anew
	$(sbt) 'scala/Test/runMain io.colocate.docs.GenerateDocs'

##@ Ship it
.PHONY: jar
jar: $(jars) ## one jar per supported Spark, in python/colocate/jars

.PHONY: wheel
wheel: $(wheel) ## the Python package with the jars inside, in dist/

.PHONY: clean
clean: ## remove what was built; the environments stay
	rm -rf target dist site python/colocate/jars/*.jar .mypy_cache .pytest_cache .ruff_cache

.PHONY: help
help: ## this list
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z$$(][^=]*:.*## / { name = $$1; gsub(/:.*|\$$\(others:%=/, "", name); gsub(/%\)/, "X.Y", name); printf "  %-14s %s\n", name, $$2 }' \
	  $(MAKEFILE_LIST)
	@echo; echo "Sparks: $(sparks), the first by default."

# --- Files -----------------------------------------------------------------------------------------------------------

# The compiled classes of each Spark have a folder of their own, so only what changed is compiled.
target/spark-%/jar.stamp: $(scala-sources)
	$(sbt) -Dspark.minor=$* scala/package
	rm -f python/colocate/jars/colocate-spark$*_*.jar
	cp target/spark-$*/scala/colocate-spark$*_*-$(version).jar python/colocate/jars/
	touch $@

# Spark minors that Maven does not have compile against the jars of their PySpark.
$(others:%=target/spark-%/jar.stamp): target/spark-%/jar.stamp: | .venv-spark%

$(wheel): $(jars) pyproject.toml hatch_build.py README.md $(shell find python -name '*.py' -o -name py.typed) | .venv
	rm -f dist/colocate-*.whl
	$(py) -m pip wheel --quiet --no-deps --wheel-dir dist .
	touch $@

# An environment per Spark, made once, and brought up to date when pyproject.toml or the Spark changes.
.PHONY: .venv $(others:%=.venv-spark%)
.venv: .venv/made
$(others:%=.venv-spark%): %: %/made

define environment
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(@D)/bin/python -m pip install --quiet --group test --group lint 'pyspark[connect]==$(1)' --editable .
	touch $@
endef

.venv/made: pyproject.toml project/SparkVersions.scala
	$(call environment,$(call spark-of,$(default)))

.venv-spark%/made: pyproject.toml project/SparkVersions.scala
	$(call environment,$(call spark-of,$*))
