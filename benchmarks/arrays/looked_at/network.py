"""Training of a network with one hidden layer."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    d, h = 64, 128

    def run():
        i, j, m = np.arange(1, n + 1), np.arange(1, d + 1), np.arange(1, h + 1)
        X = np.sin(i[:, None] * j * 0.01).astype(dtype)
        Y = np.cos(i[:, None] * 0.05).astype(dtype)
        W1 = (np.sin(j[:, None] * m) / d**0.5).astype(dtype)
        W2 = (np.cos(m[:, None]) / h**0.5).astype(dtype)
        b1, b2, M1, M2 = np.zeros(h, dtype), dtype(0), np.zeros_like(W1), np.zeros_like(W2)
        for _ in range(steps):
            H = np.tanh(X @ W1 + b1)
            e = H @ W2 + b2 - Y
            dH = (e @ W2.T) * (1 - H**2)
            M1 = 0.9 * M1 - 0.1 * (X.T @ dH) / n
            M2 = 0.9 * M2 - 0.1 * (H.T @ e) / n
            b1 = b1 - 0.1 * dH.mean(0)
            b2 = b2 - 0.1 * e.mean()
            W1, W2 = (W1 + M1).astype(dtype), (W2 + M2).astype(dtype)
        return [(e**2).mean(), (W1**2).sum() / h, W2[0, 0]]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    d, h = 64, 128

    def one(X, Y, W1, W2, b1, b2, M1, M2):
        H = torch.tanh(X @ W1 + b1)
        e = H @ W2 + b2 - Y
        dH = (e @ W2.T) * (1 - H**2)
        M1 = 0.9 * M1 - 0.1 * (X.T @ dH) / n
        M2 = 0.9 * M2 - 0.1 * (H.T @ e) / n
        return W1 + M1, W2 + M2, b1 - 0.1 * dH.mean(0), b2 - 0.1 * e.mean(), M1, M2, e

    step = wrap(one)

    def run():
        i, j, m = (torch.arange(1, s + 1, dtype=torch.float64, device=device) for s in (n, d, h))
        X, Y = torch.sin(i[:, None] * j * 0.01).to(dtype), torch.cos(i[:, None] * 0.05).to(dtype)
        W1 = (torch.sin(j[:, None] * m) / d**0.5).to(dtype)
        W2 = (torch.cos(m[:, None]) / h**0.5).to(dtype)
        b1, b2 = (
            torch.zeros(h, dtype=dtype, device=device),
            torch.zeros((), dtype=dtype, device=device),
        )
        M1, M2 = torch.zeros_like(W1), torch.zeros_like(W2)
        for _ in range(steps):
            W1, W2, b1, b2, M1, M2, e = step(X, Y, W1, W2, b1, b2, M1, M2)
        return torch.stack([(e**2).mean(), (W1**2).sum() / h, W2[0, 0]])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    d, h = 64, 128

    @jax.jit
    def run():
        i, j, m = (jnp.arange(1, s + 1) for s in (n, d, h))
        X = jnp.sin(i[:, None] * j * 0.01).astype(dtype)
        Y = jnp.cos(i[:, None] * 0.05).astype(dtype)
        W1 = (jnp.sin(j[:, None] * m) / d**0.5).astype(dtype)
        W2 = (jnp.cos(m[:, None]) / h**0.5).astype(dtype)

        def step(_, state):
            W1, W2, b1, b2, M1, M2, _e = state
            H = jnp.tanh(X @ W1 + b1)
            e = H @ W2 + b2 - Y
            dH = (e @ W2.T) * (1 - H**2)
            M1 = 0.9 * M1 - 0.1 * (X.T @ dH) / n
            M2 = 0.9 * M2 - 0.1 * (H.T @ e) / n
            return W1 + M1, W2 + M2, b1 - 0.1 * dH.mean(0), b2 - 0.1 * e.mean(), M1, M2, e

        zeros = (jnp.zeros(h, dtype), jnp.zeros((), dtype), 0 * W1, 0 * W2, 0 * Y)
        W1, W2, *_, e = lax.fori_loop(0, steps, step, (W1, W2, *zeros))
        return (e**2).mean(), (W1**2).sum() / h, W2[0, 0]

    return run
