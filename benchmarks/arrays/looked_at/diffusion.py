"""Heat in a square plate by explicit steps."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        k = np.linspace(0, 1, n)
        T = np.exp(-80 * ((k[None, :] - 0.5) ** 2 + (k[:, None] - 0.4) ** 2)).astype(dtype)
        for _ in range(steps):
            T[1:-1, 1:-1] += dtype(0.2) * (
                T[:-2, 1:-1] + T[2:, 1:-1] + T[1:-1, :-2] + T[1:-1, 2:] - 4 * T[1:-1, 1:-1]
            )
        return [T.mean(), T.max(), T[(n + 1) // 2 - 1, (2 * n + 3) // 6 - 1]]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(T):
        inner = T[:-2, 1:-1] + T[2:, 1:-1] + T[1:-1, :-2] + T[1:-1, 2:] - 4 * T[1:-1, 1:-1]
        T = T.clone()
        T[1:-1, 1:-1] += 0.2 * inner
        return T

    step = wrap(one)

    def run():
        k = torch.linspace(0, 1, n, dtype=torch.float64, device=device)
        T = torch.exp(-80 * ((k[None, :] - 0.5) ** 2 + (k[:, None] - 0.4) ** 2)).to(dtype)
        for _ in range(steps):
            T = step(T)
        return torch.stack([T.mean(), T.max(), T[(n + 1) // 2 - 1, (2 * n + 3) // 6 - 1]])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        k = jnp.linspace(0, 1, n)
        T = jnp.exp(-80 * ((k[None, :] - 0.5) ** 2 + (k[:, None] - 0.4) ** 2)).astype(dtype)

        def step(_, T):
            around = T[:-2, 1:-1] + T[2:, 1:-1] + T[1:-1, :-2] + T[1:-1, 2:]
            return T.at[1:-1, 1:-1].add(0.2 * (around - 4 * T[1:-1, 1:-1]))

        T = lax.fori_loop(0, steps, step, T)
        return T.mean(), T.max(), T[(n + 1) // 2 - 1, (2 * n + 3) // 6 - 1]

    return run
