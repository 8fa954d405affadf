"""An acceleration provider of runmat on PyTorch."""

from runmat_torch.provider import TorchProvider

__all__ = ["TorchProvider"]
