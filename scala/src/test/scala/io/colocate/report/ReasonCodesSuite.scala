package io.colocate.report

import java.net.{URL, URLClassLoader}

import org.scalatest.funsuite.AnyFunSuite

/** The list of codes is whole, whichever code a process meets first. */
class ReasonCodesSuite extends AnyFunSuite {

  /** Loads the classes of reasons again, as a process that has met none of them. */
  final private class Fresh(urls: Array[URL])
      extends URLClassLoader(urls, ReasonCodes.getClass.getClassLoader) {
    override def loadClass(name: String, resolve: Boolean): Class[_] =
      if (!name.startsWith("io.colocate.report.")) super.loadClass(name, resolve)
      else
        getClassLoadingLock(name).synchronized {
          Option(findLoadedClass(name)).getOrElse(findClass(name))
        }
  }

  private val classes = Array(ReasonCodes.getClass.getProtectionDomain.getCodeSource.getLocation)

  private def module(name: String, loader: ClassLoader): AnyRef =
    Class.forName(name, true, loader).getField("MODULE$").get(null)

  for (code <- ReasonCodes.all)
    test(s"${code.name} first") {
      val loader = new Fresh(classes)
      val first = module(code.getClass.getName, loader)
      val codes = module("io.colocate.report.ReasonCodes$", loader)
      val all = codes.getClass.getMethod("all").invoke(codes).asInstanceOf[Seq[AnyRef]]
      assert(all.length == ReasonCodes.all.length && all.contains(first) && !all.contains(null))
    }

  test("no two codes have one name, and no older name is one of another code") {
    val names = ReasonCodes.all.flatMap(code => code.name +: code.aliases)
    assert(names.distinct == names)
  }

  test("an error of ours has one code, which is of no capability") {
    val error = InternalError("join-order", new IllegalStateException("broken"))
    assert(error.toString ==
      "INTERNAL_ERROR: join-order failed: java.lang.IllegalStateException: broken")
    assert(ReasonCodes.all.filter(_.name.endsWith("_ERROR")).map(_.name) ==
      Seq("FILTER_BEHIND_ERROR", "INTERNAL_ERROR"))
    assert(ReasonCodes.capabilities == Seq("exchange", "hyperjoin", "multiway", "layout", "changes",
      "adaptation"))
  }
}
