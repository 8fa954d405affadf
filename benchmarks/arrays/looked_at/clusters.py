"""Lloyd's algorithm for k-means."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    k, d = 16, 8

    def run():
        i = np.arange(1, n + 1)
        X = (np.sin(i[:, None] * np.arange(1, d + 1) * 0.37) + i[:, None] % k / 4).astype(dtype)
        C = X[:k].copy()
        for _ in range(steps):
            D = (C**2).sum(1) - 2 * X @ C.T
            label = D.argmin(1)
            for j in range(k):
                members = label == j
                C[j] = X[members].sum(0) / max(members.sum(), 1)
        return [C.mean(), C.max(), D.min(1).mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    k, d = 16, 8

    def one(X, C):
        D = (C**2).sum(1) - 2 * X @ C.T
        least, label = D.min(1)
        members = torch.nn.functional.one_hot(label, k).to(X.dtype)
        return (members.T @ X) / members.sum(0).clamp(min=1)[:, None], least

    step = wrap(one)

    def run():
        i = torch.arange(1, n + 1, dtype=torch.float64, device=device)
        j = torch.arange(1, d + 1, dtype=torch.float64, device=device)
        X = (torch.sin(i[:, None] * j * 0.37) + i[:, None] % k / 4).to(dtype)
        C = X[:k]
        for _ in range(steps):
            C, least = step(X, C)
        return torch.stack([C.mean(), C.max(), least.mean()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    k, d = 16, 8

    @jax.jit
    def run():
        i = jnp.arange(1, n + 1)[:, None]
        X = (jnp.sin(i * jnp.arange(1, d + 1) * 0.37) + i % k / 4).astype(dtype)

        def step(_, state):
            C, _least = state
            D = (C**2).sum(1) - 2 * X @ C.T
            members = jax.nn.one_hot(D.argmin(1), k, dtype=dtype)
            return (members.T @ X) / jnp.maximum(members.sum(0), 1)[:, None], D.min(1)

        C, least = lax.fori_loop(0, steps, step, (X[:k], jnp.zeros(n, dtype)))
        return C.mean(), C.max(), least.mean()

    return run
