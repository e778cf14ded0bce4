"""The generator of the site's pages, from the book, the registry and the corpus."""
