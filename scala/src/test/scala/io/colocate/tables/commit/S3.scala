package io.colocate.tables.commit

import java.io.{BufferedReader, File, InputStreamReader}
import java.lang.ProcessBuilder.Redirect

import org.apache.hadoop.conf.Configuration

/** S3 in a process of its own: Hadoop's S3A talks to moto's server over HTTP. */
private[tables] object S3 {

  /** Where its file system begins: a path below it is `uri + "/folder/file"`. */
  val uri: String = "s3a://colocate"

  /** How Hadoop reaches it; it is started when first asked for. */
  lazy val settings: Map[String, String] = Map("fs.s3a.endpoint" -> s"http://127.0.0.1:${start()}",
    "fs.s3a.endpoint.region" -> "us-east-1", "fs.s3a.path.style.access" -> "true",
    "fs.s3a.access.key" -> "anyone", "fs.s3a.secret.key" -> "any")

  def conf: Configuration = {
    val conf = new Configuration()
    settings.foreach { case (key, value) => conf.set(key, value) }
    conf
  }

  /** @return the port */
  private def start(): String = {
    val command =
      Seq(sys.props("colocate.python"), s"${sys.props("colocate.home")}/tests/s3_server.py")
    val errors = File.createTempFile("colocate-s3", ".log")
    val process = new ProcessBuilder(command: _*).redirectError(Redirect.to(errors)).start()
    sys.addShutdownHook(process.destroy())
    val port = new BufferedReader(new InputStreamReader(process.getInputStream)).readLine()
    require(port != null, s"${command.mkString(" ")} did not start, see $errors")
    errors.deleteOnExit()
    port
  }
}
