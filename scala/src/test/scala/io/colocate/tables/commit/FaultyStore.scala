package io.colocate.tables.commit

import java.io.{InputStream, IOException, OutputStream}

import io.colocate.tables.format.LogStore

/** The process ends: nothing that comes after it runs, and nobody may catch it. */
final class Crash extends VirtualMachineError("crash")

/**
 * Ends the process at the given step of what is done with a store. A put has three: before it, when
 * half is written, and after it.
 *
 * @param at counted from 0
 */
final class CrashingStore(inner: LogStore, at: Int) extends LogStore {

  private var steps = 0

  /** Was the step reached? */
  def crashed: Boolean = steps > at

  private def step(): Unit = {
    steps += 1
    if (crashed) throw new Crash
  }

  override def list(): Seq[String] = {
    step()
    inner.list()
  }

  override def exists(name: String): Boolean = {
    step()
    inner.exists(name)
  }

  override def open(name: String): InputStream = {
    step()
    inner.open(name)
  }

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
    step()
    val put = inner.putIfAbsent(name) { out =>
      write(new OutputStream {
        private var half = true
        override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)
        override def write(bytes: Array[Byte], from: Int, length: Int): Unit = {
          out.write(bytes, from, length / 2)
          if (half) {
            half = false
            step()
          }
          out.write(bytes, from + length / 2, length - length / 2)
        }
      })
    }
    step()
    put
  }

  override def replace(name: String)(write: OutputStream => Unit): Unit = {
    step()
    inner.replace(name)(write)
  }

  override def delete(name: String): Unit = {
    step()
    inner.delete(name)
  }

  override def path(name: String): String = inner.path(name)
}

/** A store whose calls fail, or say something else than what they did. */
class LyingStore(inner: LogStore) extends LogStore {
  var beforePut: () => Unit = () => ()
  var afterPut: Boolean => Boolean = identity
  var onExists: () => Unit = () => ()

  override def list(): Seq[String] = inner.list()

  override def exists(name: String): Boolean = {
    onExists()
    inner.exists(name)
  }

  override def open(name: String): InputStream = inner.open(name)

  override def putIfAbsent(name: String)(write: OutputStream => Unit): Boolean = {
    beforePut()
    afterPut(inner.putIfAbsent(name)(write))
  }

  override def replace(name: String)(write: OutputStream => Unit): Unit = inner.replace(name)(write)

  override def delete(name: String): Unit = inner.delete(name)

  override def path(name: String): String = inner.path(name)
}

object LyingStore {
  def fail(): Nothing = throw new IOException("the network is gone")
}
