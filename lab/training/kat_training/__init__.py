"""Trains Kat's networks: volatility of the next 50 minutes and calibrated quantiles of the close. See ../README.md."""
