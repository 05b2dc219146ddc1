package io.colocate.rule

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.LongAdder

import scala.jdk.CollectionConverters._

/**
 * What Colocate itself costs: how often each of our rules ran on this driver, and for how long.
 * Nothing is ever reset, so whoever wants the price of one query takes the difference.
 */
object RuleTimes {

  final private class Spent {
    val calls = new LongAdder
    val nanos = new LongAdder
  }

  private val spent = new ConcurrentHashMap[String, Spent]

  /** Nanoseconds of the rules that ran within the one that this thread is in. */
  private val within = ThreadLocal.withInitial[Long](() => 0L)

  /**
   * Runs a part of a rule and adds its time, whether it returns or throws. A rule may have a query planned;
   * what other rules of ours take for that is theirs alone.
   */
  def timed[T](rule: String)(body: => T): T = {
    val before = within.get
    within.set(0L)
    val started = System.nanoTime
    try body
    finally {
      val taken = System.nanoTime - started
      val own = spent.computeIfAbsent(rule, _ => new Spent)
      own.calls.increment()
      own.nanos.add(taken - within.get)
      within.set(before + taken)
    }
  }

  /** Runs, within a rule, what Spark would have done without it: that time is nobody's. */
  def ofSpark[T](body: => T): T = {
    val before = within.get
    val started = System.nanoTime
    try body
    finally within.set(before + System.nanoTime - started)
  }

  /** Each rule with its calls and seconds so far, by name. */
  def soFar: Seq[(String, Long, Double)] =
    spent.asScala.toSeq.sortBy(_._1).map { case (rule, own) =>
      (rule, own.calls.sum, own.nanos.sum / 1e9)
    }
}
