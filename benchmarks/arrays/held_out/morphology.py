"""Opening of an image by erosion and dilation."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    def around(B, choose):
        P = np.pad(B, 1, mode="edge")
        rows = choose(P[:-2, 1:-1], P[2:, 1:-1])
        return choose(choose(rows, choose(P[1:-1, :-2], P[1:-1, 2:])), B)

    def run():
        i = np.arange(1, n + 1)
        X, Y = i[None, :], i[:, None]
        A = (np.sin(X / 9) * np.cos(Y / 5) + X * Y % 7 / 7).astype(dtype)
        B = A
        for choose in (np.minimum, np.maximum):
            for _ in range(steps):
                B = around(B, choose)
        return [B.mean(), B.max(), (A - B).mean()]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    def around(B, choose):
        P = torch.nn.functional.pad(B[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
        rows = choose(P[:-2, 1:-1], P[2:, 1:-1])
        return choose(choose(rows, choose(P[1:-1, :-2], P[1:-1, 2:])), B)

    erode = wrap(lambda B: around(B, torch.minimum))
    dilate = wrap(lambda B: around(B, torch.maximum))

    def run():
        i = torch.arange(1, n + 1, device=device)
        X, Y = i[None, :], i[:, None]
        A = (torch.sin(X.double() / 9) * torch.cos(Y.double() / 5) + X * Y % 7 / 7).to(dtype)
        B = A
        for _ in range(steps):
            B = erode(B)
        for _ in range(steps):
            B = dilate(B)
        return torch.stack([B.mean(), B.max(), (A - B).mean()])

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    def around(B, choose):
        P = jnp.pad(B, 1, mode="edge")
        rows = choose(P[:-2, 1:-1], P[2:, 1:-1])
        return choose(choose(rows, choose(P[1:-1, :-2], P[1:-1, 2:])), B)

    @jax.jit
    def run():
        i = jnp.arange(1, n + 1)
        X, Y = i[None, :], i[:, None]
        A = (jnp.sin(X / 9) * jnp.cos(Y / 5) + X * Y % 7 / 7).astype(dtype)
        B = lax.fori_loop(0, steps, lambda _, B: around(B, jnp.minimum), A)
        B = lax.fori_loop(0, steps, lambda _, B: around(B, jnp.maximum), B)
        return B.mean(), B.max(), (A - B).mean()

    return run
