"""The Ising model by Metropolis' rule on a checkerboard."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def field_of(S):
        return np.roll(S, 1, 0) + np.roll(S, -1, 0) + np.roll(S, 1, 1) + np.roll(S, -1, 1)

    def run():
        draw = np.random.default_rng(0)
        odd = np.add.outer(np.arange(n), np.arange(n)) % 2
        S = np.ones((n, n), dtype)
        for _ in range(steps):
            for colour in (0, 1):
                field = field_of(S)
                flip = (odd == colour) & (
                    draw.random((n, n), dtype) < np.exp(dtype(-1.2) * S * field)
                )
                S[flip] = -S[flip]
        return [abs(S.mean()), (S * field).mean() / 4]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def field_of(S):
        return (
            torch.roll(S, 1, 0) + torch.roll(S, -1, 0) + torch.roll(S, 1, 1) + torch.roll(S, -1, 1)
        )

    def one(S, odd, colour, drawn):
        field = field_of(S)
        flip = (odd == colour) & (drawn < torch.exp(-1.2 * S * field))
        return torch.where(flip, -S, S), field

    step = wrap(one)

    def run():
        k = torch.arange(n, device=device)
        odd = (k[:, None] + k[None, :]) % 2
        S = torch.ones(n, n, dtype=dtype, device=device)
        for _ in range(steps):
            for colour in (0, 1):
                S, field = step(S, odd, colour, torch.rand(n, n, dtype=dtype, device=device))
        return torch.stack([S.mean().abs(), (S * field).mean() / 4])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    def field_of(S):
        return jnp.roll(S, 1, 0) + jnp.roll(S, -1, 0) + jnp.roll(S, 1, 1) + jnp.roll(S, -1, 1)

    @jax.jit
    def run():
        k = jnp.arange(n)
        odd = (k[:, None] + k[None, :]) % 2

        def step(S, key):
            for colour, one in enumerate(jax.random.split(key)):
                field = field_of(S)
                drawn = jax.random.uniform(one, (n, n), dtype)
                flip = (odd == colour) & (drawn < jnp.exp(-1.2 * S * field))
                S = jnp.where(flip, -S, S)
            return S, (S * field).mean()

        keys = jax.random.split(jax.random.key(0), steps)
        S, energy = lax.scan(step, jnp.ones((n, n), dtype), keys)
        return jnp.abs(S.mean()), energy[-1] / 4

    return run
