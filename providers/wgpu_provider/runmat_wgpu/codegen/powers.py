"""Powers of two that bring numbers near to one, so that squares neither overflow nor vanish."""

from __future__ import annotations

#: ``near``: the reciprocal of the power of two next below a number, from its bits; ``inverse``: the
#: reciprocal of such a power, which is exact where a division need not be.
NEAR = {
    "f32": """\
fn near(x: f32) -> f32 {
  let exponent = (bitcast<u32>(x) >> 23u) & 0xffu;
  return bitcast<f32>((254u - min(max(exponent, 1u), 253u)) << 23u);
}
fn inverse(power: f32) -> f32 { return bitcast<f32>((254u << 23u) - bitcast<u32>(power)); }
""",
    "f64": """\
fn near(x: f64) -> f64 {
  let exponent = u32(bitcast<u64>(x) >> 52u) & 0x7ffu;
  return bitcast<f64>(u64(2046u - min(max(exponent, 1u), 2045u)) << 52u);
}
fn inverse(power: f64) -> f64 {
  return bitcast<f64>((u64(2046u) << 52u) - bitcast<u64>(power));
}
""",
}
