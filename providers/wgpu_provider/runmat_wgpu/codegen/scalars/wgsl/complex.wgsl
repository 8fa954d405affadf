// Above this e^x may overflow.
const c_exp_most_f32: f32 = 88.0f;

const c_exp_most_f64: f64 = 709.0lf;

// Roots of numbers beyond these are taken of scaled ones.
const c_sqrt_big_f32: f32 = 1e37f;

const c_sqrt_big_f64: f64 = 1e307lf;

const c_sqrt_small_f32: f32 = 1e-30f;

const c_sqrt_small_f64: f64 = 1e-290lf;

// 2^48 and its inverse root, 2^108 and its own.
const c_sqrt_up_f32: f32 = 281474976710656.0f;

const c_sqrt_up_f64: f64 = 324518553658426726783156020576256.0lf;

const c_sqrt_back_f32: f32 = 5.9604645e-08f;

const c_sqrt_back_f64: f64 = 5.551115123125783e-17lf;

// Above this the hyperbolic tangent is one but for the angle.
const c_tanh_most_f32: f32 = 11.0f;

const c_tanh_most_f64: f64 = 22.0lf;

// Inverse functions of numbers below and above these are the first terms of their series.
const c_inverse_small_f32: f32 = 1e-4f;

const c_inverse_small_f64: f64 = 1e-8lf;

const c_inverse_large_f32: f32 = 1e4f;

const c_inverse_large_f64: f64 = 1e8lf;

// So near to one the inverse square of the distance may overflow.
const c_inverse_near_f32: f32 = 1e-15f;

const c_inverse_near_f64: f64 = 1e-120lf;
