"""Ridge regression for a row of penalties by Cholesky factors."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    from scipy.linalg import cho_factor, cho_solve

    def run():
        i, d = np.arange(1, n + 1)[:, None], 200
        X = (np.sin(i * np.arange(1, d + 1) * 0.013) + np.cos(i * 0.7) / 3).astype(dtype)
        y = X[:, :5].sum(1) + np.sin(i[:, 0]).astype(dtype)
        G, c = X.T @ X / n, X.T @ y / n
        errors = []
        for s in range(1, steps + 1):
            penalty = dtype(10 ** (-3 + 3 * s / steps)) * np.eye(d, dtype=dtype)
            b = cho_solve(cho_factor(G + penalty), c)
            errors.append(((y - X @ b) ** 2).mean())
        return [np.mean(errors), np.min(errors), np.abs(b).sum()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(X, y, G, c, penalty):
        L = torch.linalg.cholesky(G + penalty * torch.eye(200, dtype=G.dtype, device=G.device))
        b = torch.cholesky_solve(c[:, None], L)[:, 0]
        return ((y - X @ b) ** 2).mean(), b

    step = wrap(one)

    def run():
        i = torch.arange(1, n + 1, dtype=torch.float64, device=device)[:, None]
        j = torch.arange(1, 201, dtype=torch.float64, device=device)
        X = (torch.sin(i * j * 0.013) + torch.cos(i * 0.7) / 3).to(dtype)
        y = X[:, :5].sum(1) + torch.sin(i[:, 0]).to(dtype)
        G, c = X.T @ X / n, X.T @ y / n
        errors = []
        for s in range(1, steps + 1):
            error, b = step(X, y, G, c, 10 ** (-3 + 3 * s / steps))
            errors.append(error)
        errors = torch.stack(errors)
        return torch.stack([errors.mean(), errors.min(), b.abs().sum()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        i, d = jnp.arange(1, n + 1)[:, None], 200
        X = (jnp.sin(i * jnp.arange(1, d + 1) * 0.013) + jnp.cos(i * 0.7) / 3).astype(dtype)
        y = X[:, :5].sum(1) + jnp.sin(i[:, 0]).astype(dtype)
        G, c = X.T @ X / n, X.T @ y / n

        def step(_, s):
            penalty = 10 ** (-3 + 3 * s / steps)
            factor = jax.scipy.linalg.cho_factor(G + penalty * jnp.eye(d, dtype=dtype))
            b = jax.scipy.linalg.cho_solve(factor, c)
            return b, ((y - X @ b) ** 2).mean()

        b, errors = lax.scan(step, c, jnp.arange(1, steps + 1, dtype=dtype))
        return errors.mean(), errors.min(), jnp.abs(b).sum()

    return run
