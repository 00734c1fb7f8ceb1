# SPDX-License-Identifier: BSD-2-Clause
"""Which programs and problems there are, and what our library's iteration moves."""

DRIVERS = {"ovk": "ovk_pcg", "petsc": "petsc_ksp", "hypre": "hypre_pcg"}
SOLVERS = ["ovk/algorithm1/csr", "ovk/algorithm1", "hypre", "petsc/cg", "petsc/groppcg",
           "petsc/pipecg"]
PRODUCTS = ["ovk//csr", "ovk", "hypre", "petsc"]
MODELS = ["laplace27", "varsym27", "irregular27", "convdiff7"]

# Doubles a row that an iteration reads or writes beside the matrix, a store counted twice for the
# line that it fetches first, Jacobi's diagonal included; see "Fusing sweeps" in docs/performance.md.
# The product takes 3 of them. A method that is not here gets no model.
VECTOR_DOUBLES = {"algorithm1": 13, "algorithm2": 13, "overlap": 16}
CONSTANT_DIAGONAL = {"laplace27": -2}  # where Jacobi's diagonal is not read
PRODUCT_DOUBLES = 3


class Program:
    """NAME[/METHOD[/FORMAT[/BACKEND]]], parts may be empty: petsc/cg, ovk//csr."""

    def __init__(self, spec):
        self.spec = spec
        name, *parts = spec.split("/", 3)
        if name not in DRIVERS:
            raise ValueError(f"'{spec}': there are {', '.join(DRIVERS)}")
        self.driver = DRIVERS[name]
        self.is_ours = name == "ovk"
        self.options = []
        for option, value in zip(("--method", "--format", "--backend"), parts):
            if value:
                self.options += [option, value]


def problem_arguments(problem, size):
    """The words that choose a problem: a model's name, or a matrix file."""
    if problem in MODELS:
        return [f"--{problem}", *[str(size)] * 3]
    return ["--matrix", problem]


def modelled_bytes(result):
    """Bytes of one iteration or product of ours, all ranks; None for others."""
    if "matrix_bytes" not in result:
        return None
    if "products" in result:
        doubles = PRODUCT_DOUBLES
    elif result["method"] in VECTOR_DOUBLES:
        doubles = VECTOR_DOUBLES[result["method"]] + CONSTANT_DIAGONAL.get(result["problem"].split()[0], 0)
    else:
        return None
    return result["matrix_bytes"] + 8 * doubles * result["rows"]
