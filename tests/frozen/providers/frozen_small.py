import numpy as np

from runmat_core.api.array_provider import FunctionProvider, literal

OPS = {
    "neg": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "lt": np.less,
    "gt": np.greater,
    "select": np.where,
}


class SmallProvider(FunctionProvider):
    title = "NumPy, one operation at a time"
    ops = OPS

    def function(self, body):
        def run(*inputs):
            values = list(inputs)
            for instr in body.code[len(inputs) :]:
                args = [values[k] for k in instr.args]
                values.append(literal(instr) if instr.op == "const" else OPS[instr.op](*args))
            return [values[k] for k in body.outputs]

        return run
