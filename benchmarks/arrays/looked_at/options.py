"""Prices and volatilities of European options."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    from scipy.special import erfc

    def N(x):
        return 0.5 * erfc(-x / dtype(2**0.5))

    def run():
        s = np.linspace(80, 120, n).astype(dtype)
        K, rate = 100, 0.03
        T = 0.5 + np.arange(1, n + 1).astype(dtype) % 7 / 7

        def d1_of(sigma):
            return (np.log(s / K) + (rate + sigma**2 / 2) * T) / (sigma * np.sqrt(T))

        def value_of(d1, sigma):
            return s * N(d1) - K * np.exp(-rate * T) * N(d1 - sigma * np.sqrt(T))

        sigma = 0.2 + 0.1 * np.sin(s)
        price = value_of(d1_of(sigma), sigma)
        guess = np.full_like(s, 0.25)
        for _ in range(steps):
            d1 = d1_of(guess)
            vega = s * np.exp(-(d1**2) / 2) / (2 * 3.141592653589793) ** 0.5 * np.sqrt(T)
            guess = np.maximum(guess - (value_of(d1, guess) - price) / np.maximum(vega, 1e-3), 0.01)
        put = price - s + K * np.exp(-rate * T)
        return [price.mean(), put.max(), guess.mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def N(x):
        return 0.5 * torch.erfc(-x / 2**0.5)

    def run():
        s = torch.linspace(80, 120, n, dtype=dtype, device=device)
        K, rate = 100, 0.03
        T = 0.5 + torch.arange(1, n + 1, device=device).to(dtype) % 7 / 7

        def d1_of(sigma):
            return (torch.log(s / K) + (rate + sigma**2 / 2) * T) / (sigma * torch.sqrt(T))

        def value_of(d1, sigma):
            return s * N(d1) - K * torch.exp(-rate * T) * N(d1 - sigma * torch.sqrt(T))

        sigma = 0.2 + 0.1 * torch.sin(s)
        price = value_of(d1_of(sigma), sigma)
        guess = torch.full_like(s, 0.25)
        for _ in range(steps):
            d1 = d1_of(guess)
            vega = s * torch.exp(-(d1**2) / 2) / (2 * 3.141592653589793) ** 0.5 * torch.sqrt(T)
            guess = torch.clamp(
                guess - (value_of(d1, guess) - price) / torch.clamp(vega, 1e-3), 0.01
            )
        put = price - s + K * torch.exp(-rate * T)
        return torch.stack([price.mean(), put.max(), guess.mean()])

    return wrap(run)


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp = jax.numpy

    def N(x):
        return 0.5 * jax.scipy.special.erfc(-x / 2**0.5)

    def run():
        s = jnp.linspace(80, 120, n, dtype=dtype)
        K, rate = 100, 0.03
        T = 0.5 + jnp.arange(1, n + 1).astype(dtype) % 7 / 7

        def d1_of(sigma):
            return (jnp.log(s / K) + (rate + sigma**2 / 2) * T) / (sigma * jnp.sqrt(T))

        def value_of(d1, sigma):
            return s * N(d1) - K * jnp.exp(-rate * T) * N(d1 - sigma * jnp.sqrt(T))

        sigma = 0.2 + 0.1 * jnp.sin(s)
        price = value_of(d1_of(sigma), sigma)
        guess = jnp.full_like(s, 0.25)
        for _ in range(steps):
            d1 = d1_of(guess)
            vega = s * jnp.exp(-(d1**2) / 2) / (2 * 3.141592653589793) ** 0.5 * jnp.sqrt(T)
            guess = jnp.maximum(
                guess - (value_of(d1, guess) - price) / jnp.maximum(vega, 1e-3), 0.01
            )
        put = price - s + K * jnp.exp(-rate * T)
        return [price.mean(), put.max(), guess.mean()]

    return jax.jit(run)
