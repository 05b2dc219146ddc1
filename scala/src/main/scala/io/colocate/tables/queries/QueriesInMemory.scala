package io.colocate.tables.queries

import scala.collection.mutable.ArrayDeque

/** The newest queries of a table. Threads may add some and store some at the same time. */
final private[queries] class QueriesInMemory {

  import QueriesInMemory._

  private val entries = ArrayDeque.empty[Entry]
  private var why: Option[String] = None

  /** The oldest first. */
  def all: Seq[AskedQuery] = synchronized(entries.view.map(_.query).toVector)

  /** How many wait to be written to a file. */
  def waiting: Int = synchronized(entries.count(_.state == Waiting))

  /** Why no more files are written, if writing one has failed. */
  def refused: Option[String] = synchronized(why)

  /** @param store true if it is to be written to a file */
  def add(query: AskedQuery, store: Boolean): Unit = synchronized {
    val state = if (store && why.isEmpty) Waiting else InMemory
    val same = entries.lastIndexWhere(there => there.state == state && there.query.isLike(query))
    if (same >= 0) entries(same) = Entry(entries(same).query.and(query), state)
    else {
      if (entries.length >= Most) entries.removeHead()
      entries.append(Entry(query, state))
    }
  }

  /**
   * Calls `write` with the queries that wait for it. If that fails they stay in memory, and so do all
   * that come later.
   */
  def store(write: Seq[AskedQuery] => Unit): Unit = {
    val some = synchronized {
      val taken = entries.view.filter(_.state == Waiting).map(_.query).toVector
      entries.mapInPlace(there => if (there.state == Waiting) there.copy(state = Stored) else there)
      taken
    }
    if (some.nonEmpty)
      try write(some)
      catch {
        case e: Exception =>
          synchronized {
            why = Some(e.toString)
          }
          throw e
      }
  }
}

private[queries] object QueriesInMemory {

  val Most: Int = 256

  sealed private trait State
  private case object InMemory extends State
  private case object Waiting extends State
  private case object Stored extends State

  private case class Entry(query: AskedQuery, state: State)
}
