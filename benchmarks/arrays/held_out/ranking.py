"""The ranks of pages by power iteration."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        k = np.arange(1, n + 1)
        A = ((k[:, None] * k + k[:, None] // 3) % 11 == 0).astype(dtype)
        A /= np.maximum(A.sum(0), 1)
        x, change, count = np.full(n, 1 / n, dtype), 1, 0
        while change > 1e-5 and count < steps:
            y = dtype(0.85) * (A @ x) + dtype(0.15 / n)
            y /= y.sum()
            x, change, count = y, np.abs(y - x).sum(), count + 1
        return [x.max() * n, (x**2).sum() * n, x[0] * n]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(A, x):
        y = 0.85 * (A @ x) + 0.15 / n
        y = y / y.sum()
        return y, (y - x).abs().sum()

    step = wrap(one)

    def run():
        k = torch.arange(1, n + 1, device=device)
        A = ((k[:, None] * k + k[:, None] // 3) % 11 == 0).to(dtype)
        A = A / A.sum(0).clamp(min=1)
        x, change, count = torch.full((n,), 1 / n, dtype=dtype, device=device), 1, 0
        while change > 1e-5 and count < steps:
            x, change = step(A, x)
            count += 1
        return torch.stack([x.max() * n, (x**2).sum() * n, x[0] * n])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        k = jnp.arange(1, n + 1)
        A = ((k[:, None] * k + k[:, None] // 3) % 11 == 0).astype(dtype)
        A = A / jnp.maximum(A.sum(0), 1)

        def step(state):
            x, _change, count = state
            y = 0.85 * (A @ x) + 0.15 / n
            y = y / y.sum()
            return y, jnp.abs(y - x).sum(), count + 1

        def going(state):
            return (state[1] > 1e-5) & (state[2] < steps)

        x = lax.while_loop(going, step, (jnp.full(n, 1 / n, dtype), jnp.asarray(1, dtype), 0))[0]
        return x.max() * n, (x**2).sum() * n, x[0] * n

    return run
