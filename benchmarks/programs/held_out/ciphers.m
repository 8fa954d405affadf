n = 14;
% Caesar, Vigenere and a rotor cipher, broken by counts of letters; palindromes; anagrams.
% At n = 14: 7 1 the_quick azq_iehnp 13 133 elq_ehtgw
% At n = 2: 7 1 the_quick azq_iehnp 13 58 elq_ehtgw

text = repmat('the quick brown fox jumps over the lazy dog and runs away from there ', 1, n);
secret = caesar(text, 7);
counts = zeros(1, 26);
for c = secret
    if isletter(c)
        counts(c - 'a' + 1) = counts(c - 'a' + 1) + 1;
    end
end
[~, common] = max(counts);
shift = mod(common - 5, 26);
open = caesar(secret, -shift);
v = vigenere(text, 'lemon', 1);
w = vigenere(v, 'lemon', -1);
rotor = 'ekmflgdqvzntowyhxuspaibrcj';
out = text;
for k = 1:length(text)
    if text(k) >= 'a' && text(k) <= 'z'
        out(k) = rotor(mod(text(k) - 'a' + k, 26) + 1);
    end
end
words = unique(strsplit(strtrim(text)));
keys = cellfun(@(w) sort(w), words, 'UniformOutput', false);
palindromes = 0;
for k = 1:250*n
    s = num2str(k);
    if strcmp(s, fliplr(s))
        palindromes = palindromes + 1;
    end
end
fprintf('%d %d %s %s %d %d %s\n', shift, strcmp(w, text), strrep(open(1:9), ' ', '_'), ...
    strrep(out(1:9), ' ', '_'), numel(unique(keys)), palindromes, strrep(v(1:9), ' ', '_'));

function out = caesar(text, shift)
    out = text;
    letters = isletter(text);
    out(letters) = char(mod(text(letters) - 'a' + shift, 26) + 'a');
end

function out = vigenere(text, key, sign)
    out = '';
    j = 0;
    for k = 1:length(text)
        c = text(k);
        if isletter(c)
            shift = key(mod(j, length(key)) + 1) - 'a';
            c = char(mod(c - 'a' + sign*shift, 26) + 'a');
            j = j + 1;
        end
        out(end+1) = c;
    end
end
