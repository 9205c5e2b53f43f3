"""Builds an executable of this package in release mode."""
import os, subprocess


def built(name):
    """Builds the executable, and returns its path."""
    package = os.path.dirname(os.path.abspath(__file__))
    command = ["swift", "build", "-c", "release", "--product", name, "--package-path", package]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(folder, name)
