"""Maintained views: results that are kept up to date."""
