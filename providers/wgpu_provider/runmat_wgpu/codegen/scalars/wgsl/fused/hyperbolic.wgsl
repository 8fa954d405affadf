// The hyperbolic tangent of singles by one exponential.

// (e^(2 x) - 1) / (e^(2 x) + 1), with e^(2 x) - 1 = 2^n (e^r - 1) + (2^n - 1).
fn tanh_f32(x: f32) -> f32 {
  let size = select(abs(x), 20.0f, abs(x) > 20.0f);
  let n = reduced_f32(2.0f * size);
  let tail = n.r * n.r * fma(n.r, exp_tail_f32(n.r), 0.5f);
  let scale = raised_f32(1.0f, n.t);
  let above = fma(scale, tail, fma(scale, n.r, scale - 1.0f));
  return copysign_f32(ratio_f32(above, above + 2.0f), x);
}

// Of up to 1.5 in size: x + x^3 times a quotient of polynomials of x^2.
fn tanh_close_f32(x: f32) -> f32 {
  let z = x * x;
  let above = fma(z, -0.014530374f, -0.33333322f);
  let below = fma(z, fma(z, 0.015534389f, 0.44358918f), 1.0f);
  return copysign_f32(fma(x * z * above, 1.0f / below, x), x);
}
