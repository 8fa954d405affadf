// Bits of 2 / pi, behind a word of zeros; by cases, because an array would be kept in memory.
fn two_over_pi_word_f32(number: u32) -> u32 {
  switch number {
    case 1u: { return 0xa2f9836eu; }
    case 2u: { return 0x4e441529u; }
    case 3u: { return 0xfc2757d1u; }
    case 4u: { return 0xf534ddc0u; }
    case 5u: { return 0xdb629599u; }
    case 6u: { return 0x3c439041u; }
    case 7u: { return 0xfe5163abu; }
    default: { return 0u; }
  }
}

fn two_over_pi_word_f64(number: u32) -> u64 {
  switch number {
    case 1u: { return 0xa2f9836e4e441529lu; }
    case 2u: { return 0xfc2757d1f534ddc0lu; }
    case 3u: { return 0xdb6295993c439041lu; }
    case 4u: { return 0xfe5163abdebbc561lu; }
    case 5u: { return 0xb7246e3a424dd2e0lu; }
    case 6u: { return 0x06492eea09d1921clu; }
    case 7u: { return 0xfe1deb1cb129a73elu; }
    case 8u: { return 0xe88235f52ebb4484lu; }
    case 9u: { return 0xe99c7026b45f7e41lu; }
    case 10u: { return 0x3991d639835339f4lu; }
    case 11u: { return 0x9c845f8bbdf9283blu; }
    case 12u: { return 0x1ff897ffde05980flu; }
    case 13u: { return 0xef2f118b5a0a6d1flu; }
    case 14u: { return 0x6d367ecf27cb09b7lu; }
    case 15u: { return 0x4f463f669e5fea2dlu; }
    case 16u: { return 0x7527bac7ebe5f17blu; }
    case 17u: { return 0x3d0739f78a5292ealu; }
    case 18u: { return 0x6bfb5fb11f8d5d08lu; }
    case 19u: { return 0x56033046fc7b6bablu; }
    case 20u: { return 0xf0cfbc209af4361dlu; }
    default: { return 0lu; }
  }
}
