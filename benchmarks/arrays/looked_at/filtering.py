"""An image split into bands of frequencies."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        i = np.arange(1, n + 1)
        X, Y = i[None, :], i[:, None]
        A = (np.sin(X / 3) + np.cos(Y / 7) * np.sin(X * Y / n) + (X + Y) % 2 / 4).astype(dtype)
        k = np.fft.fftfreq(n, 1 / n)
        radius = np.sqrt(k[None, :] ** 2 + k[:, None] ** 2).astype(dtype)
        S = np.fft.fft2(A)
        energy, smooth = [], 0
        for b in range(steps):
            band = np.exp(-(((radius - b * n / (2 * steps)) / (n / 20)) ** 2))
            part = np.fft.ifft2(S * band).real
            energy.append((part**2).mean())
            smooth = smooth + part / (b + 1)
        energy = np.stack(energy)
        return [energy.mean(), energy.max(), np.abs(smooth).mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def run():
        i = torch.arange(1, n + 1, dtype=torch.float64, device=device)
        X, Y = i[None, :], i[:, None]
        A = (torch.sin(X / 3) + torch.cos(Y / 7) * torch.sin(X * Y / n) + (X + Y) % 2 / 4).to(dtype)
        k = torch.fft.fftfreq(n, 1 / n, device=device)
        radius = torch.sqrt(k[None, :] ** 2 + k[:, None] ** 2).to(dtype)
        S = torch.fft.fft2(A)
        energy, smooth = [], 0
        for b in range(steps):
            band = torch.exp(-(((radius - b * n / (2 * steps)) / (n / 20)) ** 2))
            part = torch.fft.ifft2(S * band).real
            energy.append((part**2).mean())
            smooth = smooth + part / (b + 1)
        energy = torch.stack(energy)
        return torch.stack([energy.mean(), energy.max(), smooth.abs().mean()])

    return wrap(run)


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp = jax.numpy

    @jax.jit
    def run():
        i = jnp.arange(1, n + 1)
        X, Y = i[None, :], i[:, None]
        A = (jnp.sin(X / 3) + jnp.cos(Y / 7) * jnp.sin(X * Y / n) + (X + Y) % 2 / 4).astype(dtype)
        k = jnp.fft.fftfreq(n, 1 / n)
        radius = jnp.sqrt(k[None, :] ** 2 + k[:, None] ** 2).astype(dtype)
        S = jnp.fft.fft2(A)
        energy, smooth = [], 0
        for b in range(steps):
            band = jnp.exp(-(((radius - b * n / (2 * steps)) / (n / 20)) ** 2))
            part = jnp.fft.ifft2(S * band).real
            energy.append((part**2).mean())
            smooth = smooth + part / (b + 1)
        energy = jnp.stack(energy)
        return energy.mean(), energy.max(), jnp.abs(smooth).mean()

    return run
