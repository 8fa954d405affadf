"""Operations on small arrays cost no call more beside a provider, whatever came before."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from runmat_core.session import Session

OPERATIONS = '''
y = x + 1;  y = (x + 1) .* 2 - x;  y = x ./ x;  y = x .^ 2;  y = -x;  y = +x;  y = ~b;  y = b & b;
y = x > 1;  y = x == x;  y = x';  y = x.';  s = x' * x;  y = M * x;  y = M \\\\ x;  y = x * 1i;
y = abs(x);  y = exp(x);  s = sum(x);  s = mean(x);  s = std(x);  s = max(x);  s = norm(x);
y = x(2:5);  s = x(3);  y = M(:, 2);  y = x(x > 3);  y = x(b);  x(3) = 1;  x(2:4) = 1;  M(:, 2) = x;
y = [x; x];  y = [x, x];  y = 1:10;  y = zeros(5, 5);  y = linspace(0, 1, 5);  y = rand(3, 3);
y = reshape(x, 2, 5);  y = repmat(x, 1, 2);  y = find(x > 3);  y = sort(x);  y = cumsum(x);
y = single(x) + single(1);  y = int32(x) + int32(1);  y = 'text' + 1;  y = arrayfun(@(t) t + 1, x);
for k = 1:5, s = s + x(k); end;  if any(x > 5), s = 1; end;  while s < 20, s = s + 7; end;
'''
LARGE = '''
L = rand(1e6, 1); q = L .* 2 + 1; q = q - L; t = sum(q); if t < 0, t = 0; end
L = rand(40000, 1); for k = 1:4, q = L + k; if q(end) < 0, break; end, end
'''


def counts(provider, before):
    session = Session(provider=provider)
    session.run(before)
    session.run("x = (1:10)' + 0; b = x > 3; M = eye(10) + 0.1; s = 0;")
    found = {}
    for code in OPERATIONS.replace("\\n", "  ").split(";  "):
        calls = []
        for _ in range(3):
            session.run(code + ";")
        sys.setprofile(lambda frame, event, arg: calls.append(event) if event == "call" else None)
        session.run(code + ";")
        sys.setprofile(None)
        found[code] = len(calls)
    return found


counts("none", "")  # what the operations load stays loaded
# without a provider first: rules that capture stay in place in a process
plain, beside, after = counts("none", ""), counts("inprocess", ""), counts("inprocess", LARGE)
print({code: (n, beside[code], after[code]) for code, n in plain.items()
       if not n == beside[code] == after[code]})
"""


def test_small_operations_take_as_many_calls_as_without_a_provider() -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert result.stdout.strip() == "{}", result.stderr + result.stdout
