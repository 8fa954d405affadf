"""The reaction and diffusion of Gray and Scott on a torus."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def around(A):
        shifted = np.roll(A, 1, 0) + np.roll(A, -1, 0)
        return shifted + np.roll(A, 1, 1) + np.roll(A, -1, 1) - 4 * A

    def run():
        x = np.linspace(-1, 1, n)
        seed = np.exp(-40 * (x[None, :] ** 2 + x[:, None] ** 2)).astype(dtype)
        U, V = 1 - seed / 2, seed / 4
        for _ in range(steps):
            made = U * V**2
            U = U + 0.16 * around(U) - made + 0.035 * (1 - U)
            V = V + 0.08 * around(V) + made - 0.095 * V
        return [U.mean(), V.mean(), V.max()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def around(A):
        shifted = torch.roll(A, 1, 0) + torch.roll(A, -1, 0)
        return shifted + torch.roll(A, 1, 1) + torch.roll(A, -1, 1) - 4 * A

    def one(U, V):
        made = U * V**2
        U = U + 0.16 * around(U) - made + 0.035 * (1 - U)
        return U, V + 0.08 * around(V) + made - 0.095 * V

    step = wrap(one)

    def run():
        x = torch.linspace(-1, 1, n, dtype=torch.float64, device=device)
        seed = torch.exp(-40 * (x[None, :] ** 2 + x[:, None] ** 2)).to(dtype)
        U, V = 1 - seed / 2, seed / 4
        for _ in range(steps):
            U, V = step(U, V)
        return torch.stack([U.mean(), V.mean(), V.max()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    def around(A):
        shifted = jnp.roll(A, 1, 0) + jnp.roll(A, -1, 0)
        return shifted + jnp.roll(A, 1, 1) + jnp.roll(A, -1, 1) - 4 * A

    @jax.jit
    def run():
        x = jnp.linspace(-1, 1, n)
        seed = jnp.exp(-40 * (x[None, :] ** 2 + x[:, None] ** 2)).astype(dtype)

        def step(_, state):
            U, V = state
            made = U * V**2
            U = U + 0.16 * around(U) - made + 0.035 * (1 - U)
            return U, V + 0.08 * around(V) + made - 0.095 * V

        U, V = lax.fori_loop(0, steps, step, (1 - seed / 2, seed / 4))
        return U.mean(), V.mean(), V.max()

    return run
