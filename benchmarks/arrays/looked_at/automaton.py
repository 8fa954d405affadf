"""The game of life on a torus."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        X, Y = np.meshgrid(np.arange(1, n + 1), np.arange(1, n + 1))
        A = (X * Y + X // 3 + Y) % 5 < 2
        for _ in range(steps):
            around = sum(
                np.roll(A, (i, j), (0, 1)).astype(np.int8)
                for i in (-1, 0, 1)
                for j in (-1, 0, 1)
                if i or j
            )
            A = (around == 3) | (A & (around == 2))
        return [A.mean(), A[:, 0].mean(), A[(n + 1) // 2 - 1].mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]

    def one(A):
        around = sum(torch.roll(A, s, (0, 1)).to(torch.int8) for s in shifts)
        return (around == 3) | (A & (around == 2))

    step = wrap(one)

    def run():
        k = torch.arange(1, n + 1, device=device)
        A = (k[None, :] * k[:, None] + k[None, :] // 3 + k[:, None]) % 5 < 2
        for _ in range(steps):
            A = step(A)
        A = A.to(dtype)
        return torch.stack([A.mean(), A[:, 0].mean(), A[(n + 1) // 2 - 1].mean()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]

    @jax.jit
    def run():
        k = jnp.arange(1, n + 1)
        A = (k[None, :] * k[:, None] + k[None, :] // 3 + k[:, None]) % 5 < 2

        def step(_, A):
            around = sum(jnp.roll(A, s, (0, 1)).astype(jnp.int8) for s in shifts)
            return (around == 3) | (A & (around == 2))

        A = lax.fori_loop(0, steps, step, A).astype(dtype)
        return A.mean(), A[:, 0].mean(), A[(n + 1) // 2 - 1].mean()

    return run
