"""An American put by regression along simulated paths."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    K, rate, sigma, dt = 100, 0.05, 0.3, 1 / steps

    def run():
        draw = np.random.default_rng(0)
        moves = dtype((rate - sigma**2 / 2) * dt) + dtype(sigma * dt**0.5) * draw.standard_normal(
            (n, steps), dtype
        )
        S = 100 * np.exp(np.cumsum(moves, 1))
        cash = np.maximum(K - S[:, -1], 0)
        for t in range(steps - 2, -1, -1):
            cash = cash * dtype(np.exp(-rate * dt))
            inside = S[:, t] < K
            x = S[inside, t] / K
            A = np.stack([np.ones_like(x), x, x**2], 1)
            stay = A @ np.linalg.solve(A.T @ A, A.T @ cash[inside])
            now = K - S[inside, t]
            cash[inside] = np.where(now > stay, now, cash[inside])
        return [cash.mean() * np.exp(-rate * dt) / 10, (cash > 0).mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    K, rate, sigma, dt = 100, 0.05, 0.3, 1 / steps

    def one(cash, s):
        cash = cash * 2.718281828459045 ** (-rate * dt)
        inside = (s < K).to(s.dtype)
        x = s / K
        A = torch.stack([inside, x * inside, x**2 * inside], 1)
        stay = A @ torch.linalg.solve(A.T @ A, A.T @ cash)
        return torch.where((s < K) & (K - s > stay), K - s, cash)

    step = wrap(one)

    def run():
        draws = torch.randn(n, steps, dtype=dtype, device=device)
        S = 100 * torch.exp(torch.cumsum((rate - sigma**2 / 2) * dt + sigma * dt**0.5 * draws, 1))
        cash = (K - S[:, -1]).clamp(min=0)
        for t in range(steps - 2, -1, -1):
            cash = step(cash, S[:, t])
        worth = cash.mean() * 2.718281828459045 ** (-rate * dt) / 10
        return torch.stack([worth, (cash > 0).to(dtype).mean()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    K, rate, sigma, dt = 100, 0.05, 0.3, 1 / steps

    @jax.jit
    def run():
        draws = jax.random.normal(jax.random.key(0), (steps, n), dtype)
        S = 100 * jnp.exp(jnp.cumsum((rate - sigma**2 / 2) * dt + sigma * dt**0.5 * draws, 0))

        def step(cash, s):
            cash = cash * jnp.exp(-rate * dt)
            inside = s < K
            x = s / K
            A = jnp.stack([jnp.ones_like(x), x, x**2], 1) * inside[:, None]
            stay = A @ jnp.linalg.solve(A.T @ A, A.T @ cash)
            return jnp.where(inside & (K - s > stay), K - s, cash), None

        cash, _ = lax.scan(step, jnp.maximum(K - S[-1], 0), S[-2::-1])
        return cash.mean() * jnp.exp(-rate * dt) / 10, (cash > 0).mean()

    return run
