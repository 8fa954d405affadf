"""A particle filter of the usual growth model."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        draw = np.random.default_rng(0)
        x, found = draw.standard_normal(n, dtype), 0.0
        for t in range(1, steps + 1):
            y = 10 + 8 * np.sin(t / 3)
            noise = draw.standard_normal(n, dtype)
            x = 0.5 * x + 25 * x / (1 + x**2) + dtype(8 * np.cos(1.2 * t)) + dtype(10**0.5) * noise
            w = np.exp(-((dtype(y) - x**2 / 20) ** 2) / 2) + dtype(1e-30)
            w /= w.sum()
            found += (w * np.abs(x)).sum()
            edges = np.minimum(np.cumsum(w), 1)
            u = (np.arange(n) + draw.random()) / n
            x = x[np.minimum(np.searchsorted(edges, u.astype(dtype), "right"), n - 1)]
        return [found / steps, np.abs(x).mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(x, noise, y, shift, start, k):
        x = 0.5 * x + 25 * x / (1 + x**2) + shift + 10**0.5 * noise
        w = torch.exp(-((y - x**2 / 20) ** 2) / 2) + 1e-30
        w = w / w.sum()
        found = (w * x.abs()).sum()
        places = torch.searchsorted(torch.cumsum(w, 0), (k + start) / n, right=True)
        return x[places.clamp(max=n - 1)], found

    step = wrap(one)

    def run():
        k = torch.arange(n, dtype=dtype, device=device)
        t = torch.arange(1, steps + 1, dtype=dtype, device=device)
        y, shift = 10 + 8 * torch.sin(t / 3), 8 * torch.cos(1.2 * t)
        x, found = torch.randn(n, dtype=dtype, device=device), 0
        for i in range(steps):
            noise = torch.randn(n, dtype=dtype, device=device)
            start = torch.rand(1, dtype=dtype, device=device)
            x, more = step(x, noise, y[i], shift[i], start, k)
            found = found + more
        return torch.stack([found / steps, x.abs().mean()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        k = jnp.arange(n, dtype=dtype)
        first, rest = jax.random.split(jax.random.key(0))

        def step(x, drawn):
            t, key = drawn
            one, two = jax.random.split(key)
            noise = jax.random.normal(one, (n,), dtype)
            x = 0.5 * x + 25 * x / (1 + x**2) + 8 * jnp.cos(1.2 * t) + 10**0.5 * noise
            w = jnp.exp(-((10 + 8 * jnp.sin(t / 3) - x**2 / 20) ** 2) / 2) + 1e-30
            w = w / w.sum()
            found = (w * jnp.abs(x)).sum()
            u = (k + jax.random.uniform(two, dtype=dtype)) / n
            places = jnp.searchsorted(jnp.cumsum(w), u, side="right", method="sort")
            return x[jnp.minimum(places, n - 1)], found

        t = jnp.arange(1, steps + 1, dtype=dtype)
        x = jax.random.normal(first, (n,), dtype)
        x, found = lax.scan(step, x, (t, jax.random.split(rest, steps)))
        return found.mean(), jnp.abs(x).mean()

    return run
