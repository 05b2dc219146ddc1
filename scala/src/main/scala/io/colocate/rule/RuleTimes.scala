package io.colocate.rule

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.LongAdder

import scala.jdk.CollectionConverters._

/**
 * The cost of Colocate itself: how often each of its rules ran on this driver, and for how long. Nothing
 * is ever reset, so the cost of one query is the difference between two readings.
 */
object RuleTimes {

  final private class Spent {
    val calls = new LongAdder
    val nanos = new LongAdder
  }

  private val spent = new ConcurrentHashMap[String, Spent]

  /** Nanoseconds of the rules that ran inside the rule that this thread is running. */
  private val within = ThreadLocal.withInitial[Long](() => 0L)

  /**
   * Runs a part of a rule and adds its time, whether it returns or throws. A rule may plan a query; the
   * time of other rules in that planning counts for those rules alone.
   */
  def timed[T](rule: String)(body: => T): T = {
    val before = within.get
    within.set(0L)
    val started = System.nanoTime
    try body
    finally {
      val taken = System.nanoTime - started
      val own = of(rule)
      own.calls.increment()
      own.nanos.add(taken - within.get)
      within.set(before + taken)
    }
  }

  /** Looks first, as `computeIfAbsent` may lock. */
  private def of(rule: String): Spent =
    Option(spent.get(rule)).getOrElse(spent.computeIfAbsent(rule, _ => new Spent))

  /** Runs, within a rule, work that Spark would have done without it: its time counts for no rule. */
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
