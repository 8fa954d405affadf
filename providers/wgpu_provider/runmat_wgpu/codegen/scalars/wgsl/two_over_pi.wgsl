// Bits of 2 / pi, behind a word of zeros; picked one by one, because an array would be kept in
// memory, and because emulated devices run all cases of a switch.
fn two_over_pi_word_f32(number: u32) -> u32 {
  var word = 0u;
  word = select(word, 0xa2f9836eu, number == 1u);
  word = select(word, 0x4e441529u, number == 2u);
  word = select(word, 0xfc2757d1u, number == 3u);
  word = select(word, 0xf534ddc0u, number == 4u);
  word = select(word, 0xdb629599u, number == 5u);
  word = select(word, 0x3c439041u, number == 6u);
  word = select(word, 0xfe5163abu, number == 7u);
  return word;
}

fn two_over_pi_word_f64(number: u32) -> u64 {
  var word = 0lu;
  word = select(word, 0xa2f9836e4e441529lu, number == 1u);
  word = select(word, 0xfc2757d1f534ddc0lu, number == 2u);
  word = select(word, 0xdb6295993c439041lu, number == 3u);
  word = select(word, 0xfe5163abdebbc561lu, number == 4u);
  word = select(word, 0xb7246e3a424dd2e0lu, number == 5u);
  word = select(word, 0x06492eea09d1921clu, number == 6u);
  word = select(word, 0xfe1deb1cb129a73elu, number == 7u);
  word = select(word, 0xe88235f52ebb4484lu, number == 8u);
  word = select(word, 0xe99c7026b45f7e41lu, number == 9u);
  word = select(word, 0x3991d639835339f4lu, number == 10u);
  word = select(word, 0x9c845f8bbdf9283blu, number == 11u);
  word = select(word, 0x1ff897ffde05980flu, number == 12u);
  word = select(word, 0xef2f118b5a0a6d1flu, number == 13u);
  word = select(word, 0x6d367ecf27cb09b7lu, number == 14u);
  word = select(word, 0x4f463f669e5fea2dlu, number == 15u);
  word = select(word, 0x7527bac7ebe5f17blu, number == 16u);
  word = select(word, 0x3d0739f78a5292ealu, number == 17u);
  word = select(word, 0x6bfb5fb11f8d5d08lu, number == 18u);
  word = select(word, 0x56033046fc7b6bablu, number == 19u);
  word = select(word, 0xf0cfbc209af4361dlu, number == 20u);
  return word;
}
