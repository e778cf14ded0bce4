"""Running long work in many processes or on many machines, with a progress bar."""
