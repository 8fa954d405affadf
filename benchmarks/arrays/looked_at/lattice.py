"""Flow past a cylinder by the lattice Boltzmann method."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    w = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
    cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]

    def run():
        X, Y = np.mgrid[1 : n + 1, 1 : n + 1]
        solid = (X - n / 4) ** 2 + (Y - n / 2) ** 2 < (n / 9) ** 2
        start = np.sin(2 * np.pi * X / n)
        F = np.stack([w[i] * (1 + 0.3 * cx[i] + 0.01 * cy[i] * start) for i in range(9)]).astype(
            dtype
        )
        for _ in range(steps):
            for i in range(9):
                F[i] = np.roll(F[i], (cx[i], cy[i]), (0, 1))
            rho = F.sum(0)
            ux = (F[1] + F[5] + F[8] - F[3] - F[6] - F[7]) / rho
            uy = (F[2] + F[5] + F[6] - F[4] - F[7] - F[8]) / rho
            ux[solid] = 0
            uy[solid] = 0
            speed = 1.5 * (ux**2 + uy**2)
            for i in range(9):
                cu = 3 * (cx[i] * ux + cy[i] * uy)
                F[i] -= 1.2 * (F[i] - w[i] * rho * (1 + cu + cu**2 / 2 - speed))
        return [rho.mean(), ux.mean(), np.abs(uy).max()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    w = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
    cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]

    def one(F, solid):
        F = torch.stack([torch.roll(F[i], (cx[i], cy[i]), (0, 1)) for i in range(9)])
        rho = F.sum(0)
        ux = (F[1] + F[5] + F[8] - F[3] - F[6] - F[7]) / rho
        uy = (F[2] + F[5] + F[6] - F[4] - F[7] - F[8]) / rho
        ux, uy = ux.masked_fill(solid, 0), uy.masked_fill(solid, 0)
        speed = 1.5 * (ux**2 + uy**2)
        cu = [3 * (cx[i] * ux + cy[i] * uy) for i in range(9)]
        E = torch.stack([w[i] * rho * (1 + c + c**2 / 2 - speed) for i, c in enumerate(cu)])
        return F - 1.2 * (F - E), rho, ux, uy

    step = wrap(one)

    def run():
        k = torch.arange(1, n + 1, dtype=torch.float64, device=device)
        X, Y = torch.meshgrid(k, k, indexing="ij")
        solid = (X - n / 4) ** 2 + (Y - n / 2) ** 2 < (n / 9) ** 2
        start = torch.sin(2 * torch.pi * X / n)
        F = torch.stack([w[i] * (1 + 0.3 * cx[i] + 0.01 * cy[i] * start) for i in range(9)]).to(
            dtype
        )
        for _ in range(steps):
            F, rho, ux, uy = step(F, solid)
        return torch.stack([rho.mean(), ux.mean(), uy.abs().max()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    w = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
    cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]

    @jax.jit
    def run():
        k = jnp.arange(1, n + 1)
        X, Y = jnp.meshgrid(k, k, indexing="ij")
        solid = (X - n / 4) ** 2 + (Y - n / 2) ** 2 < (n / 9) ** 2
        start = jnp.sin(2 * jnp.pi * X / n)
        F = jnp.stack([w[i] * (1 + 0.3 * cx[i] + 0.01 * cy[i] * start) for i in range(9)])

        def step(_, state):
            F = state[0]
            F = jnp.stack([jnp.roll(F[i], (cx[i], cy[i]), (0, 1)) for i in range(9)])
            rho = F.sum(0)
            ux = jnp.where(solid, 0, (F[1] + F[5] + F[8] - F[3] - F[6] - F[7]) / rho)
            uy = jnp.where(solid, 0, (F[2] + F[5] + F[6] - F[4] - F[7] - F[8]) / rho)
            speed = 1.5 * (ux**2 + uy**2)
            cu = [3 * (cx[i] * ux + cy[i] * uy) for i in range(9)]
            E = jnp.stack([w[i] * rho * (1 + c + c**2 / 2 - speed) for i, c in enumerate(cu)])
            return F - 1.2 * (F - E), rho, ux, uy

        zero = jnp.zeros((n, n), dtype)
        _, rho, ux, uy = lax.fori_loop(0, steps, step, (F.astype(dtype), zero, zero, zero))
        return rho.mean(), ux.mean(), jnp.abs(uy).max()

    return run
