"""The device: the only part that imports wgpu."""
