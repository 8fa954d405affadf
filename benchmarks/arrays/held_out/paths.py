"""Shortest paths between all pairs."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        k = np.arange(1, n + 1)
        D = (1 + (k[:, None] * 37 + k * 61) % 101).astype(dtype)
        D[(k[:, None] + k) % 3 == 0] = np.inf
        np.fill_diagonal(D, 0)
        for k in range(n):
            D = np.minimum(D, D[:, k, None] + D[None, k, :])
        return [D.mean(), D.max(), D[1, n - 1]]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    step = wrap(lambda D, column, row: torch.minimum(D, column[:, None] + row[None, :]))

    def run():
        k = torch.arange(1, n + 1, device=device)
        D = (1 + (k[:, None] * 37 + k * 61) % 101).to(dtype)
        D[(k[:, None] + k) % 3 == 0] = torch.inf
        D.fill_diagonal_(0)
        for k in range(n):
            D = step(D, D[:, k], D[k, :])
        return torch.stack([D.mean(), D.max(), D[1, n - 1]])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        k = jnp.arange(1, n + 1)
        D = (1 + (k[:, None] * 37 + k * 61) % 101).astype(dtype)
        D = jnp.where((k[:, None] + k) % 3 == 0, jnp.inf, D)
        D = jnp.where(k[:, None] == k, 0, D).astype(dtype)
        D = lax.fori_loop(0, n, lambda k, D: jnp.minimum(D, D[:, k][:, None] + D[k, :][None, :]), D)
        return D.mean(), D.max(), D[1, n - 1]

    return run
