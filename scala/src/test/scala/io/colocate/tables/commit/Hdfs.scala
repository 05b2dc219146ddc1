package io.colocate.tables.commit

import java.nio.file.Files

import org.apache.commons.io.FileUtils
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster

/** HDFS in this JVM: one name node and one data node, started when first asked for. */
private[tables] object Hdfs {

  /** Where its file system begins: a path below it is `uri + "/folder/file"`. */
  lazy val uri: String = {
    val folder = Files.createTempDirectory("colocate-hdfs").toFile
    val conf = new Configuration()
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString)
    val cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build()
    sys.addShutdownHook {
      cluster.shutdown()
      FileUtils.deleteQuietly(folder)
    }
    cluster.waitActive()
    cluster.getURI.toString
  }
}
