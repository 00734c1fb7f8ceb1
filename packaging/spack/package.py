# SPDX-License-Identifier: BSD-2-Clause
# Recipe for Spack, to be copied to var/spack/repos/builtin/packages/ovkrylov. The tests check its syntax and its CMake
# options. Spack itself has not run it.
from spack.package import *


class Ovkrylov(CMakePackage):
    """Krylov solvers for large sparse linear systems on many processes. They hide global sums behind work."""

    # homepage, url, git and maintainers: see docs/release.md, what only the owner can give.

    license("BSD-2-Clause")

    version("0.1.0")

    variant("tools", default=True, description="The program ovk and the bindings")
    variant("petsc", default=False, when="+tools", description="The KSP type ovk for PETSc")
    variant("hypre", default=False, when="+tools", description="Solvers and preconditioners of hypre")
    variant("hwloc", default=True, description="Sockets and NUMA domains by hwloc")
    variant("verbs", default=False, description="RDMA through libibverbs")
    variant("tls", default=True, description="Remote agents, whose connections OpenSSL encrypts")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    # BLAS and LAPACK with the C interfaces, which `depends_on("lapack")` does not promise.
    depends_on("openblas")
    depends_on("hwloc@2.1:", when="+hwloc")
    depends_on("rdma-core", when="+verbs")
    depends_on("openssl@1.1.1:", when="+tls")
    depends_on("petsc@3.18:+mpi+shared~complex+double", when="+petsc", type=("build", "link", "run"))
    depends_on("hypre@2.23:+mpi~complex~cuda~rocm", when="+hypre")

    def cmake_args(self):
        """Options of CMake."""
        return [
            self.define_from_variant("OVK_BUILD_TOOLS", "tools"),
            self.define_from_variant("OVK_PETSC", "petsc"),
            self.define_from_variant("OVK_USE_HYPRE", "hypre"),
            self.define_from_variant("OVK_USE_HWLOC", "hwloc"),
            self.define_from_variant("OVK_WITH_VERBS", "verbs"),
            self.define_from_variant("OVK_WITH_TLS", "tls"),
            self.define("OVK_BUILD_EXAMPLES", False),
            self.define("OVK_BUILD_TESTS", False),
        ]

    def test_solve(self):
        """solve a small system on one process"""
        if self.spec.satisfies("~tools"):
            raise SkipTest("the program ovk is not installed")
        ovk = which(join_path(self.prefix.bin, "ovk"))
        out = ovk("solve", "--laplace7", "10", "10", "10", output=str.split, error=str.split)
        assert "CONVERGED_RTOL" in out
