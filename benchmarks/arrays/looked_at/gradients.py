"""Conjugate gradients for Poisson's equation, without a matrix."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        b = np.ones((n, n), dtype)
        b[(2 * n + 3) // 6 - 1] = -2
        x, res, p = np.zeros_like(b), b, b
        rr = (res**2).sum()
        limit, k = 1e-4 * np.sqrt(rr), 0
        while np.sqrt(rr) > limit and k < steps:
            e = np.pad(p, 1)
            Ap = 4 * p - e[:-2, 1:-1] - e[2:, 1:-1] - e[1:-1, :-2] - e[1:-1, 2:]
            alpha = rr / (p * Ap).sum()
            x = x + alpha * p
            res = res - alpha * Ap
            before, rr = rr, (res**2).sum()
            p = res + (rr / before) * p
            k += 1
        return [x.mean(), x.max(), x[(n + 1) // 2 - 1, (n + 1) // 2 - 1]]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(x, res, p, rr):
        e = torch.nn.functional.pad(p, (1, 1, 1, 1))
        Ap = 4 * p - e[:-2, 1:-1] - e[2:, 1:-1] - e[1:-1, :-2] - e[1:-1, 2:]
        alpha = rr / (p * Ap).sum()
        res = res - alpha * Ap
        new = (res**2).sum()
        return x + alpha * p, res, res + (new / rr) * p, new

    step = wrap(one)

    def run():
        b = torch.ones(n, n, dtype=dtype, device=device)
        b[(2 * n + 3) // 6 - 1] = -2
        x, res, p = torch.zeros_like(b), b, b
        rr = (res**2).sum()
        limit, k = 1e-4 * torch.sqrt(rr), 0
        while torch.sqrt(rr) > limit and k < steps:
            x, res, p, rr = step(x, res, p, rr)
            k += 1
        return torch.stack([x.mean(), x.max(), x[(n + 1) // 2 - 1, (n + 1) // 2 - 1]])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        b = jnp.ones((n, n), dtype).at[(2 * n + 3) // 6 - 1].set(-2)
        rr = (b**2).sum()
        limit = 1e-4 * jnp.sqrt(rr)

        def step(state):
            x, res, p, rr, k = state
            e = jnp.pad(p, 1)
            Ap = 4 * p - e[:-2, 1:-1] - e[2:, 1:-1] - e[1:-1, :-2] - e[1:-1, 2:]
            alpha = rr / (p * Ap).sum()
            res = res - alpha * Ap
            new = (res**2).sum()
            return x + alpha * p, res, res + (new / rr) * p, new, k + 1

        def going(state):
            return (jnp.sqrt(state[3]) > limit) & (state[4] < steps)

        x = lax.while_loop(going, step, (jnp.zeros_like(b), b, b, rr, 0))[0]
        return x.mean(), x.max(), x[(n + 1) // 2 - 1, (n + 1) // 2 - 1]

    return run
