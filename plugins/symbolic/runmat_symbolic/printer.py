"""Expressions as MATLAB writes them: powers with ^, roots as powers, the names of functions."""

from __future__ import annotations

from typing import Any

from sympy import Add, Mul, Pow, S, fraction
from sympy.printing.precedence import PRECEDENCE, precedence
from sympy.printing.str import StrPrinter

_NAMES = {
    "Abs": "abs", "Heaviside": "heaviside", "DiracDelta": "dirac", "re": "real", "im": "imag",
    "conjugate": "conj", "ceiling": "ceil", "Derivative": "diff", "Integral": "int",
    "Sum": "symsum", "Product": "symprod", "Max": "max", "Min": "min", "Mod": "mod",
    "LambertW": "lambertw", "Si": "sinint", "Ci": "cosint", "loggamma": "gammaln",
    "And": "and", "Or": "or",
}  # fmt: skip


def _rank(factor: Any) -> int:
    base = factor.base if factor.is_Pow else factor
    return 0 if factor.is_number else 1 if base.is_Symbol else 3 if base.is_Add else 2


def _is_negative(expr: Any) -> bool:
    return bool(expr.as_coeff_Mul()[0].is_negative)


class Printer(StrPrinter):  # type: ignore[misc]
    """Writes one expression."""

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        base, exponent, level = expr.base, expr.exp, precedence(expr)
        if exponent.is_Number and exponent.is_negative:
            below = base if exponent == S.NegativeOne else Pow(base, -exponent, evaluate=False)
            return f"1/{self.parenthesize(below, PRECEDENCE['Mul'], strict=False)}"
        power = self.parenthesize(exponent, level)
        return f"{self.parenthesize(base, level, strict=False)}^{power}"

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        terms: list[Any] = super()._as_ordered_terms(expr, order)
        names = expr.free_symbols
        is_plain = len(names) == 1 and expr.is_polynomial(*names)
        if _is_negative(terms[0]) and not (is_plain and not any(t.has(Add) for t in terms)):
            terms.sort(key=_is_negative)  # what is added comes first
        return terms

    def _print_Mul(self, expr: Any) -> str:
        if _is_negative(expr):
            return f"-{self.parenthesize(-expr, PRECEDENCE['Mul'], strict=True)}"
        for k, part in enumerate(expr.args):
            if part.is_Add and all(map(_is_negative, part.args)):
                # a number would be multiplied into a sum
                turned = Mul(*expr.args[:k], -part, *expr.args[k + 1 :], evaluate=False)
                return f"-{self.parenthesize(turned, PRECEDENCE['Mul'], strict=True)}"
        above, below = fraction(expr, exact=True)
        text = self._product(above)
        if below == 1:
            return text
        under = self.parenthesize(below, PRECEDENCE["Mul"] + 1, strict=False)
        return f"({text})/{under}" if above.is_Mul or above.is_Add else f"{text}/{under}"

    def _product(self, expr: Any) -> str:
        """Numbers, variables, functions and sums, each by their names; the imaginary unit last."""
        if not expr.is_Mul:
            return str(self._print(expr))
        number, rest = expr.as_coeff_Mul()
        parts = list(Mul.make_args(rest))
        is_imaginary = S.ImaginaryUnit in parts
        if is_imaginary:
            parts.remove(S.ImaginaryUnit)
        level = PRECEDENCE["Mul"]
        ranked = [(_rank(p), self.parenthesize(p, level, strict=False)) for p in parts]
        texts = [text for _, text in sorted(ranked)]
        if is_imaginary and number.is_Integer and number.is_positive:
            return "*".join([*texts, f"{number}i"])
        if number != 1:
            texts.insert(0, self.parenthesize(number, level, strict=False))
        return "*".join([*texts, "1i"] if is_imaginary else texts)

    def _print_Rational(self, expr: Any) -> str:
        return f"{expr.p}/{expr.q}"

    def _print_Float(self, expr: Any) -> str:
        text = str(super()._print_Float(expr))
        return text.rstrip("0") + "0" * text.rstrip("0").endswith(".") if "." in text else text

    def _print_Function(self, expr: Any) -> str:
        name = expr.func.__name__
        args = ", ".join(map(self._print, expr.args[: 1 if name == "Heaviside" else None]))
        return f"{_NAMES.get(name, name)}({args})"

    _print_Abs = _print_Heaviside = _print_Function  # noqa: N815 - SymPy's names

    def _print_Exp1(self, expr: Any) -> str:
        return "exp(1)"

    def _print_ImaginaryUnit(self, expr: Any) -> str:
        return "1i"

    def _print_Infinity(self, expr: Any) -> str:
        return "Inf"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "-Inf"

    def _print_ComplexInfinity(self, expr: Any) -> str:
        return "Inf"

    def _print_NaN(self, expr: Any) -> str:
        return "NaN"

    def _print_EulerGamma(self, expr: Any) -> str:
        return "eulergamma"

    def _print_BooleanTrue(self, expr: Any) -> str:
        return "symtrue"

    def _print_BooleanFalse(self, expr: Any) -> str:
        return "symfalse"

    def _print_Relational(self, expr: Any) -> str:
        sign = {"!=": "~="}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _joined(self, expr: Any, sign: str) -> str:
        level = precedence(expr)
        return f" {sign} ".join(self.parenthesize(a, level) for a in sorted(expr.args, key=str))

    def _print_And(self, expr: Any, order: Any = None) -> str:
        return self._joined(expr, "&")

    def _print_Or(self, expr: Any, order: Any = None) -> str:
        return self._joined(expr, "|")

    def _print_Derivative(self, expr: Any) -> str:
        variables = ", ".join(self._print(v) for v in expr.variables)
        return f"diff({self._print(expr.expr)}, {variables})"

    def _limits(self, expr: Any) -> str:
        name = _NAMES[type(expr).__name__]
        limits = ", ".join(self._print(part) for part in expr.limits[0])
        return f"{name}({self._print(expr.function)}, {limits})"

    _print_Integral = _print_Sum = _print_Product = _limits  # noqa: N815 - SymPy's names

    def _print_Piecewise(self, expr: Any) -> str:
        parts = [self._print(e) if c == S.true else f"{self._print(c)}, {self._print(e)}"
                 for e, c in expr.args]  # fmt: skip
        return f"piecewise({', '.join(parts)})"


_PRINTER = Printer()


def written(expr: Any) -> str:
    """`expr` as MATLAB writes it."""
    return str(_PRINTER.doprint(expr))
