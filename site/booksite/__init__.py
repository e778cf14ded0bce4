"""The pages of the site, written from the book, the registry and the corpus."""
