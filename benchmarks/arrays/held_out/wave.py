"""A drum: the wave equation with a clamped edge."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def run():
        x = np.linspace(0, 1, n)
        now = np.exp(-200 * ((x[:, None] - 0.3) ** 2 + (x[None, :] - 0.6) ** 2)).astype(dtype)
        old = now
        for _ in range(steps):
            e = np.pad(now, 1)
            around = e[:-2, 1:-1] + e[2:, 1:-1] + e[1:-1, :-2] + e[1:-1, 2:] - 4 * now
            new = 2 * now - old + dtype(0.25) * around
            new[[0, -1], :] = 0
            new[:, [0, -1]] = 0
            old, now = now, new
        return [np.abs(now).mean(), now.max(), (now**2).mean() * 100]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def one(now, old, kernel):
        around = torch.nn.functional.conv2d(now[None, None], kernel, padding=1)[0, 0]
        new = 2 * now - old + 0.25 * around
        return torch.nn.functional.pad(new[1:-1, 1:-1], (1, 1, 1, 1))

    step = wrap(one)

    def run():
        stencil = [[0, 1, 0], [1, -4, 1], [0, 1, 0]]
        kernel = torch.tensor(stencil, dtype=dtype, device=device)[None, None]
        x = torch.linspace(0, 1, n, dtype=torch.float64, device=device)
        now = torch.exp(-200 * ((x[:, None] - 0.3) ** 2 + (x[None, :] - 0.6) ** 2)).to(dtype)
        old = now
        for _ in range(steps):
            old, now = now, step(now, old, kernel)
        return torch.stack([now.abs().mean(), now.max(), (now**2).mean() * 100])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run():
        kernel = jnp.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], dtype)
        x = jnp.linspace(0, 1, n)
        now = jnp.exp(-200 * ((x[:, None] - 0.3) ** 2 + (x[None, :] - 0.6) ** 2)).astype(dtype)

        def step(_, state):
            now, old = state
            new = 2 * now - old + 0.25 * jax.scipy.signal.convolve(now, kernel, mode="same")
            return new.at[[0, -1], :].set(0).at[:, [0, -1]].set(0), now

        now, _ = lax.fori_loop(0, steps, step, (now, now))
        return jnp.abs(now).mean(), now.max(), (now**2).mean() * 100

    return run
