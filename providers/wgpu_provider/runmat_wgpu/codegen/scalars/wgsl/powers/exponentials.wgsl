// Exponentials of singles near 0, where the device's own powers of two are good there.

fn exp_close_f32(x: f32) -> f32 { return exp2(x * log2_e_f32); }
