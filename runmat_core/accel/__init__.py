"""The acceleration core: graph, rewrites, planning, placement, execution, telemetry.

It knows no device by name: providers are found through entry points and spoken to through the
hooks of `runmat_core.api.hookspecs`.
"""
