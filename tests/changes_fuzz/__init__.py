"""Random histories of relations, whose joins are kept up by changes and computed anew by Spark."""
