// Constants. A `high` part has so few bits that products named where it is used are exact.

const log2_e_f32: f32 = 1.442695f;

const log2_e_f64: f64 = 1.4426950408889634lf;

const ln2_f32: f32 = 0.6931472f;

const ln2_f64: f64 = 0.6931471805599453lf;

const ln2_high_f32: f32 = 0.69311523f;

const ln2_high_f64: f64 = 0.6931471805601177lf;

const ln2_low_f32: f32 = 3.1946183e-05f;

const ln2_low_f64: f64 = -1.7239444525614835e-13lf;

const log2_e_high_f32: f32 = 1.4428711f;

const log2_e_high_f64: f64 = 1.4426950514316559lf;

const log2_e_low_f32: f32 = -0.00017605285f;

const log2_e_low_f64: f64 = -1.0542692476429138e-08lf;

const log10_e_high_f32: f32 = 0.43432617f;

const log10_e_high_f64: f64 = 0.4342944845557213lf;

const log10_e_low_f32: f32 = -3.168997e-05f;

const log10_e_low_f64: f64 = -2.6524694553078553e-09lf;

const log10_2_high_f32: f32 = 0.3010254f;

const log10_2_high_f64: f64 = 0.3010299956640665lf;

const log10_2_low_f32: f32 = 4.605039e-06f;

const log10_2_low_f64: f64 = -8.532344317057107e-14lf;

const exp_highest_f32: f32 = 89.0f;

const exp_highest_f64: f64 = 710.0lf;

const exp_lowest_f32: f32 = -104.5f;

const exp_lowest_f64: f64 = -746.0lf;

const expm1_high_f32: f32 = 40.0f;

const expm1_high_f64: f64 = 60.0lf;

const cosh_highest_f32: f32 = 90.0f;

const cosh_highest_f64: f64 = 712.0lf;

const epsilon_f32: f32 = 5.9604645e-08f;

const epsilon_f64: f64 = 1.1102230246251565e-16lf;

const huge_f32: f32 = 16384.0f;

const huge_f64: f64 = 268435456.0lf;

const largest_f32: f32 = 3.4028235e+38f;

const largest_f64: f64 = 1.7976931348623157e+308lf;

const tiniest_normal_f32: f32 = 1.1754944e-38f;

const tiniest_normal_f64: f64 = 2.2250738585072014e-308lf;

const atan_flat_f32: f32 = 1e+09f;

const atan_flat_f64: f64 = 1e+18lf;

const tan_three_eighths_f32: f32 = 2.4142137f;

const tan_three_eighths_f64: f64 = 2.414213562373095lf;

const pow_highest_f32: f32 = 1.0995116e+12f;

const pow_highest_f64: f64 = 1.1805916207174113e+21lf;

const half_root_pi_high_f32: f32 = 0.88622695f;

const half_root_pi_high_f64: f64 = 0.886226925452758lf;

const half_root_pi_low_f32: f32 = -2.66232e-08f;

const half_root_pi_low_f64: f64 = -3.8332932499128993e-17lf;

const two_thirds_high_f32: f32 = 0.6666667f;

const two_thirds_high_f64: f64 = 0.6666666666666666lf;

const two_thirds_low_f32: f32 = -1.9868216e-08f;

const two_thirds_low_f64: f64 = 3.700743415417188e-17lf;

const two_over_root_pi_high_f32: f32 = 1.1283792f;

const two_over_root_pi_high_f64: f64 = 1.1283791670955126lf;

const two_over_root_pi_low_f32: f32 = -5.8635383e-08f;

const two_over_root_pi_low_f64: f64 = 1.533545961316588e-17lf;

const half_log_two_pi_high_f32: f32 = 0.9189385f;

const half_log_two_pi_high_f64: f64 = 0.9189385332046728lf;

const half_log_two_pi_low_f32: f32 = 1.5634177e-08f;

const half_log_two_pi_low_f64: f64 = -3.8782941580672414e-17lf;

const erf_flat_f32: f32 = 4.5f;

const erf_flat_f64: f64 = 6.5lf;

const erfc_flat_f32: f32 = 10.5f;

const erfc_flat_f64: f64 = 28.0lf;

const hypot_big_f32: f32 = 1.1529215e+18f;

const hypot_big_f64: f64 = 3.273390607896142e+150lf;

const hypot_small_f32: f32 = 8.881784e-16f;

const hypot_small_f64: f64 = 3.4395525670743494e-136lf;

const hypot_down_f32: f32 = 8.4703295e-22f;

const hypot_down_f64: f64 = 2.409919865102884e-181lf;

const hypot_up_f32: f32 = 1.1805916e+21f;

const hypot_up_f64: f64 = 4.149515568880993e+180lf;

const whole_gamma_f32: f32 = 8.388608e+06f;

const whole_gamma_f64: f64 = 4503599627370496.0lf;

const gamma_highest_f32: f32 = 40.0f;

const gamma_highest_f64: f64 = 200.0lf;

const gammaln_highest_f32: f32 = 4.08e+36f;

const gammaln_highest_f64: f64 = 2.5563483e+305lf;

const spacing_f32: f32 = 1.1920929e-07f;

const spacing_f64: f64 = 2.220446049250313e-16lf;

const exact_quotient_f32: f32 = 4.194304e+06f;

const exact_quotient_f64: f64 = 2251799813685248.0lf;

const odd_highest_f32: f32 = 1.6777216e+07f;

const odd_highest_f64: f64 = 9007199254740992.0lf;

const two_pi_f32: f32 = 6.2831855f;

const two_pi_f64: f64 = 6.283185307179586lf;

const two_over_pi_f32: f32 = 0.63661975f;

const two_over_pi_f64: f64 = 0.6366197723675814lf;

const pi_f32: f32 = 3.1415927f;

const pi_f64: f64 = 3.141592653589793lf;

const half_pi_high_f32: f32 = 1.5707964f;

const half_pi_high_f64: f64 = 1.5707963267948966lf;

const half_pi_low_f32: f32 = -4.371139e-08f;

const half_pi_low_f64: f64 = 6.123233995736766e-17lf;

const quarter_pi_high_f32: f32 = 0.7853982f;

const quarter_pi_high_f64: f64 = 0.7853981633974483lf;

const quarter_pi_low_f32: f32 = -2.1855694e-08f;

const quarter_pi_low_f64: f64 = 3.061616997868383e-17lf;

const pi_high_f32: f32 = 3.1415927f;

const pi_high_f64: f64 = 3.141592653589793lf;

const pi_low_f32: f32 = -8.742278e-08f;

const pi_low_f64: f64 = 1.2246467991473532e-16lf;

const half_pi_part1_f32: f32 = 1.5708008f;

const half_pi_part2_f32: f32 = -4.4535846e-06f;

const half_pi_part3_f32: f32 = -8.706138e-10f;

const half_pi_part4_f32: f32 = 6.223372e-14f;

const half_pi_part1_f64: f64 = 1.5707963267341256lf;

const half_pi_part2_f64: f64 = 6.077100506303966e-11lf;

const half_pi_part3_f64: f64 = 2.0222662487959506e-21lf;

const lowest_power_f32: i32 = -126i;

const lowest_power_f64: i32 = -1022i;
