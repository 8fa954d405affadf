"""Bodies that attract each other, all pairs at once."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        k = np.arange(1, n + 1, dtype=dtype)
        x = np.stack([np.cos(k) * k / n, np.sin(k) * k / n, np.cos(3 * k) / 10], 1).astype(dtype)
        v = np.stack([-x[:, 1], x[:, 0], np.zeros(n, dtype)], 1) / 2
        for _ in range(steps):
            dx, dy, dz = (x[None, :, i] - x[:, None, i] for i in range(3))
            d2 = dx**2 + dy**2 + dz**2 + dtype(0.01)
            f = dtype(1 / n) / (d2 * np.sqrt(d2))
            a = np.stack([(f * d).sum(1) for d in (dx, dy, dz)], 1)
            v = v + dtype(0.01) * a
            x = x + dtype(0.01) * v
        return [(v**2).sum() / n, x.max(), np.abs(x[:, 2]).mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(x, v):
        d = x[None, :, :] - x[:, None, :]
        d2 = (d**2).sum(2) + 0.01
        f = (1 / n) / (d2 * torch.sqrt(d2))
        v = v + 0.01 * (f[:, :, None] * d).sum(1)
        return x + 0.01 * v, v

    step = wrap(one)

    def run():
        k = torch.arange(1, n + 1, dtype=dtype, device=device)
        x = torch.stack([torch.cos(k) * k / n, torch.sin(k) * k / n, torch.cos(3 * k) / 10], 1)
        v = torch.stack([-x[:, 1], x[:, 0], torch.zeros_like(k)], 1) / 2
        for _ in range(steps):
            x, v = step(x, v)
        return torch.stack([(v**2).sum() / n, x.max(), x[:, 2].abs().mean()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        k = jnp.arange(1, n + 1, dtype=dtype)
        x = jnp.stack([jnp.cos(k) * k / n, jnp.sin(k) * k / n, jnp.cos(3 * k) / 10], 1)
        v = jnp.stack([-x[:, 1], x[:, 0], jnp.zeros_like(k)], 1) / 2

        def step(_, state):
            x, v = state
            d = x[None, :, :] - x[:, None, :]
            d2 = (d**2).sum(2) + 0.01
            f = (1 / n) / (d2 * jnp.sqrt(d2))
            v = v + 0.01 * (f[:, :, None] * d).sum(1)
            return x + 0.01 * v, v

        x, v = lax.fori_loop(0, steps, step, (x, v))
        return (v**2).sum() / n, x.max(), jnp.abs(x[:, 2]).mean()

    return run
