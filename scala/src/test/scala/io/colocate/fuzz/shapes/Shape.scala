package io.colocate.fuzz.shapes

import io.colocate.report.{ExchangeReasons => R, ReasonCode}

/**
 * A shape of queries that each run of the fuzzer must have seen rewritten.
 *
 * @param fact what explain() says where the shape itself is rewritten; None if another plan is enough
 */
final case class Shape(name: String, fact: Option[ReasonCode])

object Shape {

  private def by(fact: ReasonCode)(name: String): Shape = Shape(name, Some(fact))

  val FullOuterChain: Shape = by(R.OuterKey)("FULL OUTER chain")
  val FullOuterUsing: Shape = by(R.OuterKey)("FULL OUTER ... USING")

  /** The ways to write the key of one side or the other. */
  val spellings: Seq[Shape] = Seq("COALESCE", "NVL", "IFNULL", "IF", "CASE").map(by(R.OuterKey))

  /** What coarser grains are made of. */
  val dates: Seq[Shape] = Seq("date_trunc", "trunc", "to_date", "year").map(by(R.FunctionOfKeys))

  val StructOfKeys: Shape = by(R.FunctionOfKeys)("structure of keys")
  val FieldOfKey: Shape = by(R.FunctionOfKeys)("field of a structure")

  val LowerCase: Shape = Shape("UTF8_LCASE", None)
  val Unicode: Shape = Shape("UNICODE_CI", None)

  val Doubles: Shape = by(R.NormalisedKey)("NaN and -0.0 as DOUBLE")
  val Floats: Shape = by(R.NormalisedKey)("NaN and -0.0 as FLOAT")
  val Decimals: Shape = by(R.FunctionOfKeys)("decimals of two scales")

  val SeveralDistinct: Shape = by(R.ExpandedKeys)("several DISTINCT aggregates")
  val GroupingSets: Shape = by(R.ExpandedKeys)("GROUPING SETS")

  /** They keep no column in all their lists; what is above and below them can be rewritten. */
  val subtotals: Seq[Shape] = Seq(Shape("ROLLUP", None), Shape("CUBE", None))

  val NullSafe: Shape = by(R.FunctionOfKeys)("<=>, then a grouping")

  /** Their joins compare functions of the columns. */
  val ofSets: Seq[Shape] = Seq("INTERSECT", "EXCEPT").map(by(R.FunctionOfKeys))

  /** They are aggregates over unions, on all columns. */
  val ofBags: Seq[Shape] = Seq("INTERSECT ALL", "EXCEPT ALL").map(Shape(_, None))

  val Merged: Shape = by(R.MergedPartitions)("coalesce(n), then a grouping")
  val EqualColumns: Shape = by(R.EqualColumns)("equal columns")

  val DeclaredKey: Shape = by(R.DeclaredKeys)("declared key")
  val DeclaredUnique: Shape = by(R.DeclaredKeys)("declared UNIQUE")
  val DeclaredDependency: Shape = by(R.DeclaredKeys)("declared dependency")
  val Carried: Shape = by(R.CarriedKey)("two sides of one declared table")
  val Windows: Shape = by(R.DeterminedKeys)("windows over windows by a determined column")

  val all: Seq[Shape] = Seq(FullOuterChain, FullOuterUsing) ++ spellings ++ dates ++
    Seq(StructOfKeys, FieldOfKey, LowerCase, Unicode, Doubles, Floats, Decimals, SeveralDistinct,
      GroupingSets) ++ subtotals ++ Seq(NullSafe) ++ ofSets ++ ofBags ++
    Seq(Merged, EqualColumns, DeclaredKey, DeclaredUnique, DeclaredDependency, Carried, Windows)
}
