"""The nonlinear Schroedinger equation by split steps."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    L, dt = 40, 0.005
    kind = np.result_type(dtype, np.complex64)

    def run():
        x = np.arange(-n // 2, n // 2) * L / n
        k = np.fft.fftfreq(n, 1 / n) * 2 * np.pi / L
        u = (np.exp(2j * x) / np.cosh(x + 5) + np.exp(-2j * x) / np.cosh(x - 5)).astype(kind)
        half = np.exp(-0.25j * dt * k**2).astype(kind)
        for _ in range(steps):
            u = np.fft.ifft(half * np.fft.fft(u))
            u = u * np.exp(kind.type(1j * dt) * np.abs(u) ** 2)
            u = np.fft.ifft(half * np.fft.fft(u))
        return [(np.abs(u) ** 2).sum() * L / n, np.abs(u).max(), np.abs(u[n // 2])]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    L, dt = 40, 0.005

    def one(u, half):
        u = torch.fft.ifft(half * torch.fft.fft(u))
        u = u * torch.exp(1j * dt * u.abs() ** 2)
        return torch.fft.ifft(half * torch.fft.fft(u))

    step = wrap(one)

    def run():
        kind = torch.complex64 if dtype == torch.float32 else torch.complex128
        x = torch.arange(-n // 2, n // 2, dtype=torch.float64, device=device) * L / n
        k = torch.fft.fftfreq(n, 1 / n, dtype=torch.float64, device=device) * 2 * torch.pi / L
        u = torch.exp(2j * x) / torch.cosh(x + 5) + torch.exp(-2j * x) / torch.cosh(x - 5)
        u, half = u.to(kind), torch.exp(-0.25j * dt * k**2).to(kind)
        for _ in range(steps):
            u = step(u, half)
        return torch.stack([(u.abs() ** 2).sum() * L / n, u.abs().max(), u[n // 2].abs()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    L, dt = 40, 0.005

    @jax.jit
    def run():
        x = (jnp.arange(-n // 2, n // 2) * L / n).astype(dtype)
        k = (jnp.fft.fftfreq(n, 1 / n) * 2 * jnp.pi / L).astype(dtype)
        u = jnp.exp(2j * x) / jnp.cosh(x + 5) + jnp.exp(-2j * x) / jnp.cosh(x - 5)
        half = jnp.exp(-0.25j * dt * k**2)

        def step(_, u):
            u = jnp.fft.ifft(half * jnp.fft.fft(u))
            u = u * jnp.exp(1j * dt * jnp.abs(u) ** 2)
            return jnp.fft.ifft(half * jnp.fft.fft(u))

        u = lax.fori_loop(0, steps, step, u)
        return (jnp.abs(u) ** 2).sum() * L / n, jnp.abs(u).max(), jnp.abs(u[n // 2])

    return run
