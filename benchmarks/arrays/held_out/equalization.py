"""Histogram equalisation of several images."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        found = 0
        for s in range(1, steps + 1):
            i = np.arange(1, n + 1)
            image = np.floor(127 * (1 + np.sin(i[None, :] / 50 + s) * np.cos(i[:, None] / 70)))
            counts = np.bincount(image.astype(int).ravel(), minlength=256)
            J = (np.cumsum(counts) / image.size)[image.astype(int)].astype(dtype)
            found = found + np.array([J.mean(), J.max(), np.abs(J - 0.5).mean()])
        return found / steps

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def run():
        found = 0
        for s in range(1, steps + 1):
            i = torch.arange(1, n + 1, dtype=torch.float64, device=device)
            image = (127 * (1 + torch.sin(i[None, :] / 50 + s) * torch.cos(i[:, None] / 70))).long()
            counts = torch.bincount(image.ravel(), minlength=256)
            J = (torch.cumsum(counts, 0) / image.numel())[image].to(dtype)
            found = found + torch.stack([J.mean(), J.max(), torch.abs(J - 0.5).mean()])
        return found / steps

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp = jax.numpy

    @jax.jit
    def run():
        found = 0
        for s in range(1, steps + 1):
            i = jnp.arange(1, n + 1)
            image = 127 * (1 + jnp.sin(i[None, :] / 50 + s) * jnp.cos(i[:, None] / 70))
            counts = jnp.bincount(image.astype(int).ravel(), length=256)
            J = (jnp.cumsum(counts) / image.size)[image.astype(int)].astype(dtype)
            found = found + jnp.stack([J.mean(), J.max(), jnp.abs(J - 0.5).mean()])
        return found / steps

    return run
