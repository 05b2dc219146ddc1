package io.colocate.functions.call

import org.apache.spark.sql.types.DataType

/**
 * A parameter of a procedure.
 *
 * @param dataType what DESCRIBE PROCEDURE says; a constant of another type is read as its text
 * @param default  as SQL; None if it must be given
 * @param meaning  in a few words
 */
final private[colocate] case class Parameter(
    name: String,
    dataType: DataType,
    default: Option[String],
    meaning: String)
