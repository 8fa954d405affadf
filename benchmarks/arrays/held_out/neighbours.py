"""Classification of points by the labels of their neighbours."""

from __future__ import annotations

from typing import Any


def with_numpy(np: Any, n: int, steps: int, dtype: Any) -> Any:
    classes = 4

    def run():
        i = np.arange(1, n + 1)
        X = (np.sin(i[:, None] * np.arange(1, 4) * 1.7) + i[:, None] % classes / 3).astype(dtype)
        label = i % classes
        right = far = 0
        for s in range(1, steps + 1):
            Q = X + dtype(0.05 * s)
            D = (Q**2).sum(1)[:, None] + (X**2).sum(1) - 2 * Q @ X.T
            order = np.argsort(D, 1, kind="stable")[:, :9]
            votes = (label[order][:, :, None] == np.arange(classes)).sum(1)
            right += (votes.argmax(1) == label).mean()
            far += np.take_along_axis(D, order[:, 8:], 1).mean()
        return [right / steps, far / steps]

    return run


def with_torch(torch: Any, n: int, steps: int, dtype: Any, device: str, wrap: Any) -> Any:
    classes = 4

    def one(Q, X, label):
        D = (Q**2).sum(1)[:, None] + (X**2).sum(1) - 2 * Q @ X.T
        near, order = torch.topk(D, 9, largest=False)
        guess = torch.nn.functional.one_hot(label[order], classes).sum(1).argmax(1)
        return (guess == label).to(X.dtype).mean(), near[:, 8].mean()

    step = wrap(one)

    def run():
        i = torch.arange(1, n + 1, dtype=torch.float64, device=device)[:, None]
        j = torch.arange(1, 4, dtype=torch.float64, device=device)
        X = (torch.sin(i * j * 1.7) + i % classes / 3).to(dtype)
        label = torch.arange(1, n + 1, device=device) % classes
        found = [step(X + 0.05 * s, X, label) for s in range(1, steps + 1)]
        return torch.stack([sum(right for right, _ in found), sum(far for _, far in found)]) / steps

    return run


def with_jax(jax: Any, n: int, steps: int, dtype: Any) -> Any:
    jnp, lax = jax.numpy, jax.lax

    classes = 4

    @jax.jit
    def run():
        i = jnp.arange(1, n + 1)
        X = (jnp.sin(i[:, None] * jnp.arange(1, 4) * 1.7) + i[:, None] % classes / 3).astype(dtype)
        label = i % classes

        def step(_, s):
            Q = X + 0.05 * s
            D = (Q**2).sum(1)[:, None] + (X**2).sum(1) - 2 * Q @ X.T
            near, order = lax.top_k(-D, 9)
            guess = jax.nn.one_hot(label[order], classes).sum(1).argmax(1)
            return None, ((guess == label).mean(), -near[:, 8].mean())

        _, (right, far) = lax.scan(step, None, jnp.arange(1, steps + 1, dtype=dtype))
        return right.mean(), far.mean()

    return run
