"""Laplace's equation by Jacobi's method until nothing moves."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        U = np.zeros((n, n), dtype)
        U[0] = 1
        U[:, 0] = np.linspace(1, 0, n)
        for _ in range(steps):
            V = U.copy()
            V[1:-1, 1:-1] = (U[:-2, 1:-1] + U[2:, 1:-1] + U[1:-1, :-2] + U[1:-1, 2:]) / 4
            moved = np.abs(V - U).max()
            U = V
            if moved < 1e-4:
                break
        return [U.mean(), U[1, 1], U[2, (n + 1) // 2 - 1]]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(U):
        V = U.clone()
        V[1:-1, 1:-1] = (U[:-2, 1:-1] + U[2:, 1:-1] + U[1:-1, :-2] + U[1:-1, 2:]) / 4
        return V, (V - U).abs().max()

    step = wrap(one)

    def run():
        U = torch.zeros(n, n, dtype=dtype, device=device)
        U[0] = 1
        U[:, 0] = torch.linspace(1, 0, n, dtype=dtype, device=device)
        for _ in range(steps):
            U, moved = step(U)
            if moved < 1e-4:
                break
        return torch.stack([U.mean(), U[1, 1], U[2, (n + 1) // 2 - 1]])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        U = jnp.zeros((n, n), dtype).at[0].set(1)
        U = U.at[:, 0].set(jnp.linspace(1, 0, n, dtype=dtype))

        def step(state):
            U, _moved, k = state
            inner = (U[:-2, 1:-1] + U[2:, 1:-1] + U[1:-1, :-2] + U[1:-1, 2:]) / 4
            V = U.at[1:-1, 1:-1].set(inner)
            return V, jnp.abs(V - U).max(), k + 1

        def going(state):
            return (state[1] >= 1e-4) & (state[2] < steps)

        U = lax.while_loop(going, step, (U, jnp.asarray(1, dtype), 0))[0]
        return U.mean(), U[1, 1], U[2, (n + 1) // 2 - 1]

    return run
