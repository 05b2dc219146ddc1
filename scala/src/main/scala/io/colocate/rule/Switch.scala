package io.colocate.rule

import org.apache.spark.sql.internal.SQLConf

/**
 * What a user sets to switch a rule off.
 *
 * @param text the key, and the value that switches off, beside spark.colocate.enabled=false
 */
final case class Switch(text: String, on: SQLConf => Boolean)

object Switch {
  val Exchange: Switch =
    Switch(s"${ColocateConf.ExchangeEnabled.key}=false", ColocateConf.exchangeOn)
  val Layout: Switch = Switch(s"${ColocateConf.LayoutEnabled.key}=false", ColocateConf.layoutOn)
  val HyperJoin: Switch = Switch(s"${ColocateConf.HyperJoinMode.key}=off", ColocateConf.hyperJoinOn)
  val Multiway: Switch = Switch(s"${ColocateConf.MultiwayMode.key}=off", ColocateConf.multiwayOn)
}
