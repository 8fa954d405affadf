"""Optimal transport by Sinkhorn's scaling."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        x = np.linspace(0, 1, n)
        a, b = (
            np.exp(-50 * (x - 0.3) ** 2).astype(dtype),
            np.exp(-20 * (x - 0.6) ** 2).astype(dtype),
        )
        a, b = a / a.sum(), b / b.sum()
        C = ((x[:, None] - x[None, :]) ** 2).astype(dtype)
        K = np.exp(-C / 0.02)
        u = np.ones_like(a)
        for _ in range(steps):
            v = b / (K.T @ u)
            u = a / (K @ v)
        P = u[:, None] * K * v[None, :]
        return [(P * C).sum() * 10, P.max() * n, P.sum()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(a, b, K, u):
        v = b / (K.T @ u)
        return a / (K @ v), v

    step = wrap(one)

    def run():
        x = torch.linspace(0, 1, n, dtype=torch.float64, device=device)
        a, b = torch.exp(-50 * (x - 0.3) ** 2).to(dtype), torch.exp(-20 * (x - 0.6) ** 2).to(dtype)
        a, b = a / a.sum(), b / b.sum()
        C = ((x[:, None] - x[None, :]) ** 2).to(dtype)
        K = torch.exp(-C / 0.02)
        u = torch.ones_like(a)
        for _ in range(steps):
            u, v = step(a, b, K, u)
        P = u[:, None] * K * v[None, :]
        return torch.stack([(P * C).sum() * 10, P.max() * n, P.sum()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        x = jnp.linspace(0, 1, n)
        a, b = (
            jnp.exp(-50 * (x - 0.3) ** 2).astype(dtype),
            jnp.exp(-20 * (x - 0.6) ** 2).astype(dtype),
        )
        a, b = a / a.sum(), b / b.sum()
        C = ((x[:, None] - x[None, :]) ** 2).astype(dtype)
        K = jnp.exp(-C / 0.02)
        u = jnp.ones_like(a)

        def step(_, state):
            v = b / (K.T @ state[0])
            return a / (K @ v), v

        u, v = lax.fori_loop(0, steps, step, (u, u))
        P = u[:, None] * K * v[None, :]
        return (P * C).sum() * 10, P.max() * n, P.sum()

    return run
