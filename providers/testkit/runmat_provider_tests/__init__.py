"""Conformance tests that any provider of runmat can be held to.

``runmat-provider-tests NAME`` runs them against an installed provider. `reference` evaluates
kernels the slow and obvious way; `null` is a device made of it that records what it is asked.
"""
