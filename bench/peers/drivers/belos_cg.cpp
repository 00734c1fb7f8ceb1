/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver of Belos (Trilinos): its pseudo-block CG over Tpetra, which iterates several
 * right-hand sides together, and CG for one. The preconditioner is Jacobi's, or none. */
#include <mpi.h>

#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Version.hpp>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

extern "C" {
#include "peer.h"
}

namespace
{

using Teuchos::RCP;
using Teuchos::rcp;
using matrix = Tpetra::CrsMatrix<>;
using number = matrix::scalar_type;
using multivector = Tpetra::MultiVector<>;
using linear_operator = Tpetra::Operator<>;
using vector_map = Tpetra::Map<>;
using linear_problem = Belos::LinearProblem<number, multivector, linear_operator>;

/* y <- D^-1 x */
class jacobi : public linear_operator
{
public:
  explicit jacobi(const matrix &A) : map(A.getRowMap()), inverse(A.getRowMap())
  {
    Tpetra::Vector<> diagonal(map);
    A.getLocalDiagCopy(diagonal);
    inverse.reciprocal(diagonal);
  }
  RCP<const vector_map> getDomainMap() const override
  {
    return map;
  }
  RCP<const vector_map> getRangeMap() const override
  {
    return map;
  }
  void apply(const multivector &x, multivector &y, Teuchos::ETransp, number alpha,
             number beta) const override
  {
    y.elementWiseMultiply(alpha, inverse, x, beta);
  }

private:
  RCP<const vector_map> map;
  Tpetra::Vector<> inverse;
};

struct state {
  ovk_ctx *ctx = nullptr;
  const options *chosen = nullptr;
  RCP<matrix> A;
  RCP<jacobi> D;
  RCP<multivector> vectors[PEER_VECTORS], b, x; /* b, x: several right-hand sides */
  int maxit = 0;
};

/* Calls a function of Trilinos, which throws. */
template <typename function> ovk_err guarded(ovk_ctx *ctx, function &&call)
{
  try {
    call();
    return OVK_OK;
  } catch (const std::exception &fault) {
    return ovk_ctx_fail(ctx, OVK_ERR_USER, "Trilinos: %s", fault.what());
  }
}

const char *version()
{
  static const std::string text = Tpetra::version();
  return text.c_str();
}

void put(multivector &to, size_t column, const double *values)
{
  auto data = to.getDataNonConst(column);
  std::copy(values, values + data.size(), data.begin());
}

void get(const multivector &from, size_t column, double *values)
{
  auto data = from.getData(column);
  std::copy(data.begin(), data.end(), values);
}

void fill(state &s, const block &rows)
{
  using Teuchos::ArrayView;
  const auto comm = Tpetra::getDefaultComm();
  const auto map = rcp(new vector_map(static_cast<Tpetra::global_size_t>(rows.size),
                                      static_cast<size_t>(rows.rows), 0, comm));
  std::vector<size_t> lengths;
  for (ovk_lidx i = 0; i < rows.rows; i++)
    lengths.push_back(static_cast<size_t>(rows.ptr[i + 1] - rows.ptr[i]));
  s.A = rcp(new matrix(map, ArrayView<const size_t>(lengths)));
  for (ovk_lidx i = 0; i < rows.rows; i++) {
    const std::vector<matrix::global_ordinal_type> col(rows.col + rows.ptr[i],
                                                       rows.col + rows.ptr[i + 1]);
    s.A->insertGlobalValues(rows.first + i, static_cast<int>(col.size()), rows.val + rows.ptr[i],
                            col.data());
  }
  s.A->fillComplete();
  for (auto &v : s.vectors) v = rcp(new multivector(map, 1));
}

/* Trilinos wants arguments of a command line, none of which is its own. */
void start_trilinos()
{
  char name[] = "belos_cg", *arguments[] = {name, nullptr}, **argv = arguments;
  int argc = 1;
  if (!Tpetra::isInitialized()) Tpetra::initialize(&argc, &argv);
}

ovk_err assemble(ovk_ctx *ctx, const options *o, const block *rows, void **out)
{
  start_trilinos();
  state *s = new state;
  *out = s;
  s->ctx = ctx;
  s->chosen = o;
  return guarded(ctx, [&] { fill(*s, *rows); });
}

ovk_err prepare(void *data, int maxit)
{
  state *s = static_cast<state *>(data);
  const char *name = s->chosen->precond;
  s->maxit = maxit;
  if (std::strcmp(name, "none") == 0) return OVK_OK;
  if (std::strcmp(name, "jacobi") != 0)
    return ovk_ctx_fail(s->ctx, OVK_ERR_UNKNOWN, "there are jacobi and none, not '%s'", name);
  return guarded(s->ctx, [&] { s->D = rcp(new jacobi(*s->A)); });
}

ovk_err refill(void *data, const block *)
{
  return ovk_ctx_fail(static_cast<state *>(data)->ctx, OVK_ERR_UNSUPPORTED, "no --steps");
}

ovk_err update(void *data)
{
  return refill(data, nullptr);
}

/* From x = 0 or not, with the stopping test of the others. Iterations are those of the slowest
 * column, times their number: all columns iterate until then. */
void solve_together(state &s, const RCP<multivector> &b, const RCP<multivector> &x,
                    peer_outcome *out)
{
  const auto parameters = rcp(new Teuchos::ParameterList);
  parameters->set("Maximum Iterations", s.maxit);
  parameters->set("Convergence Tolerance", s.chosen->rtol);
  const auto problem = rcp(new linear_problem(s.A, x, b));
  if (!s.D.is_null()) problem->setLeftPrec(s.D);
  problem->setProblem();
  Belos::PseudoBlockCGSolMgr<number, multivector, linear_operator> solver(problem, parameters);
  const bool converged = solver.solve() == Belos::Converged;
  *out = {solver.getNumIters() * static_cast<int>(b->getNumVectors()), converged};
}

ovk_err solve(void *data, peer_outcome *out)
{
  state *s = static_cast<state *>(data);
  return guarded(s->ctx, [&] { solve_together(*s, s->vectors[PEER_B], s->vectors[PEER_X], out); });
}

ovk_err solve_columns(void *data, int count, const double *b, double *x, peer_outcome *out)
{
  state *s = static_cast<state *>(data);
  const size_t n = static_cast<size_t>(count);
  return guarded(s->ctx, [&] {
    const size_t rows = s->A->getNodeNumRows();
    if (s->b.is_null()) s->b = rcp(new multivector(s->A->getRowMap(), n));
    if (s->x.is_null()) s->x = rcp(new multivector(s->A->getRowMap(), n));
    s->x->putScalar(0);
    for (size_t c = 0; c < n; c++) put(*s->b, c, b + c * rows);
    solve_together(*s, s->b, s->x, out);
    for (size_t c = 0; c < n; c++) get(*s->x, c, x + c * rows);
  });
}

ovk_err product(void *data)
{
  state *s = static_cast<state *>(data);
  return guarded(s->ctx, [&] { s->A->apply(*s->vectors[PEER_X], *s->vectors[PEER_Y]); });
}

ovk_err apply(void *data)
{
  state *s = static_cast<state *>(data);
  return guarded(s->ctx, [&] {
    if (s->D.is_null()) {
      s->vectors[PEER_Y]->update(1, *s->vectors[PEER_X], 0);
    } else {
      s->D->apply(*s->vectors[PEER_X], *s->vectors[PEER_Y], Teuchos::NO_TRANS, 1, 0);
    }
  });
}

ovk_err load(void *data, int which, const double *values)
{
  state *s = static_cast<state *>(data);
  return guarded(s->ctx, [&] { put(*s->vectors[which], 0, values); });
}

ovk_err fetch(void *data, int which, double *values)
{
  state *s = static_cast<state *>(data);
  return guarded(s->ctx, [&] { get(*s->vectors[which], 0, values); });
}

peer_facts facts(const void *)
{
  return {"pseudo-block CG", nullptr, "Tpetra::CrsMatrix", 0};
}

void close_all(void *data)
{
  delete static_cast<state *>(data);
  Tpetra::finalize();
}

} // namespace

int main(int argc, char **argv)
{
  peer_ops ops = {};
  ops.program = "belos_cg";
  ops.version = version;
  ops.assemble = assemble;
  ops.prepare = prepare;
  ops.refill = refill;
  ops.update = update;
  ops.solve = solve;
  ops.solve_columns = solve_columns;
  ops.product = product;
  ops.apply = apply;
  ops.load = load;
  ops.fetch = fetch;
  ops.facts = facts;
  ops.close = close_all;
  return peer_main(argc, argv, &ops);
}
