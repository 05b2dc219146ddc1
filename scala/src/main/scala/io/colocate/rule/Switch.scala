package io.colocate.rule

import org.apache.spark.sql.internal.SQLConf

/**
 * The setting that switches a capability off.
 *
 * @param capability the capability, as named in its reasons
 * @param key        the setting
 * @param value      the value of the setting that switches off
 * @param above      the switch that switches this capability off too
 */
final case class Switch private (
    capability: String,
    key: ConfEntry[_],
    value: String,
    above: Option[Switch]) {

  def on(conf: SQLConf): Boolean = off(conf).isEmpty

  /** The switch that switches the capability off: this one or one above. */
  def off(conf: SQLConf): Option[Switch] =
    above.flatMap(_.off(conf)).orElse(Option.when(key(conf).toString == value)(this))

  /** "spark.colocate.exchange.enabled=false" */
  def text: String = s"${key.key}=$value"
}

object Switch {

  /** The master switch. */
  val All: Switch = Switch("all", ColocateConf.Enabled, "false", None)

  val Exchange: Switch = Switch("exchange", ColocateConf.ExchangeEnabled, "false", Some(All))
  val Layout: Switch = Switch("layout", ColocateConf.LayoutEnabled, "false", Some(All))
  val HyperJoin: Switch = Switch("hyperjoin", ColocateConf.HyperJoinMode, "off", Some(Layout))
  val Multiway: Switch = Switch("multiway", ColocateConf.MultiwayMode, "off", Some(All))
  val Changes: Switch = Switch("changes", ColocateConf.ChangesEnabled, "false", Some(All))
  val Explain: Switch = Switch("explain", ColocateConf.ExplainEnabled, "false", Some(All))

  /** The switches of the capabilities that change plans. */
  val capabilities: Seq[Switch] = Seq(Exchange, HyperJoin, Multiway, Layout, Changes)
}
