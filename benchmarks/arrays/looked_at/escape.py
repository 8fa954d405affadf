"""Escape times of z^2 + c."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        x, y = np.linspace(-2, 0.6, n), np.linspace(-1.3, 1.3, n)
        C = (x[None, :] + 1j * y[:, None]).astype(np.result_type(dtype, np.complex64))
        Z, count = np.zeros_like(C), np.zeros((n, n), dtype)
        for _ in range(steps):
            inside = np.abs(Z) <= 2
            Z[inside] = Z[inside] ** 2 + C[inside]
            count[inside] += 1
        return [count.mean(), count.max(), (count == steps).mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(Z, C, count):
        inside = Z.abs() <= 2
        return torch.where(inside, Z**2 + C, Z), count + inside

    step = wrap(one)

    def run():
        x = torch.linspace(-2, 0.6, n, dtype=dtype, device=device)
        y = torch.linspace(-1.3, 1.3, n, dtype=dtype, device=device)
        C = torch.complex(x[None, :].expand(n, n), y[:, None].expand(n, n))
        Z, count = torch.zeros_like(C), torch.zeros(n, n, dtype=dtype, device=device)
        for _ in range(steps):
            Z, count = step(Z, C, count)
        return torch.stack([count.mean(), count.max(), (count == steps).to(dtype).mean()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        x, y = jnp.linspace(-2, 0.6, n, dtype=dtype), jnp.linspace(-1.3, 1.3, n, dtype=dtype)
        C = x[None, :] + 1j * y[:, None]

        def step(_, state):
            Z, count = state
            inside = jnp.abs(Z) <= 2
            return jnp.where(inside, Z * Z + C, Z), count + inside

        count = jnp.zeros((n, n), dtype)
        _, count = lax.fori_loop(0, steps, step, (jnp.zeros_like(C), count))
        return count.mean(), count.max(), (count == steps).mean()

    return run
