package io.colocate.fuzz

import scala.util.Random

/** Random choices with weights. */
final class Dice(seed: Long) {
  private val random = new Random(seed)

  def chance(p: Double): Boolean = random.nextDouble() < p
  def below(n: Int): Int = random.nextInt(n)
  def between(from: Int, to: Int): Int = from + random.nextInt(to - from + 1)
  def one[T](choices: Seq[T]): T = choices(random.nextInt(choices.size))
  def shuffle[T](choices: Seq[T]): Seq[T] = random.shuffle(choices)
  def some[T](choices: Seq[T], n: Int): Seq[T] = shuffle(choices).take(n)

  def weighted[T](choices: (Int, T)*): T = {
    var left = random.nextInt(choices.map(_._1).sum)
    choices.find { case (weight, _) => left -= weight; left < 0 }.get._2
  }
}

object Dice {

  /** A seed for part `n` of a run; near seeds give unrelated ones. */
  def mix(seed: Long, n: Long): Long = {
    var z = seed * 0x9e3779b97f4a7c15L + n * 0xbf58476d1ce4e5b9L
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL
    z ^ (z >>> 31)
  }
}
