// The texts are ours, in the forms of SUNDIALS 7.5.0 (arkode_butcher_dirk.def), PETSc 3.25
// (arkimex.c), OrdinaryDiffEq.jl of 2026-08, RungeKutta.jl 0.5.22 and nodepy 1.0.1
// (runge_kutta_method.py).
#include "methods/catalogue/tableau_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "tests/methods/catalogue/source_folder.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class TableauSource : public test::SourceFolder {
 protected:
  void expect_refused(const std::string& name, const std::string& content,
                      const std::string& says) const {
    EXPECT_THAT(test::refusal([&] { read(name, content); }), HasSubstr(says)) << content;
  }
};

TEST_F(TableauSource, SundialsWithItsFlags) {
  const auto found = read("arkode_butcher_dirk.def", R"(/*
     imeth                              type  A-stable  L-stable  QP
     ARKODE_TRBDF2_3_3_2              ESDIRK     N         N       Y
*/
ARK_BUTCHER_TABLE(ARKODE_DIRK_NONE, {
    return NULL;
  })
ARK_BUTCHER_TABLE(ARKODE_TRBDF2_3_3_2, { /* TRBDF2-ESDIRK */
    ARKodeButcherTable B = ARKodeButcherTable_Alloc(3, SUNTRUE);
    B->q = 2;
    B->p = 3;
    const sunrealtype g = (SUN_RCONST(2.0)-SUNRsqrt(SUN_RCONST(2.0)))/SUN_RCONST(2.0);
    B->A[1][0] = g;
    B->A[1][1] = g;
    B->A[2][0] = SUNRsqrt(SUN_RCONST(2.0))/SUN_RCONST(4.0);
    B->A[2][1] = SUNRsqrt(SUN_RCONST(2.0))/SUN_RCONST(4.0);
    B->A[2][2] = g;
    B->d[0] = (SUN_RCONST(1.0)-SUNRsqrt(SUN_RCONST(2.0))/SUN_RCONST(4.0))/SUN_RCONST(3.0);
    B->d[1] = (SUN_RCONST(3.0)*SUNRsqrt(SUN_RCONST(2.0))/SUN_RCONST(4.0)+SUN_RCONST(1.0))/SUN_RCONST(3.0);
    B->d[2] = (SUN_RCONST(2.0)-SUNRsqrt(SUN_RCONST(2.0)))/SUN_RCONST(6.0);
    B->b[0] = SUNRsqrt(SUN_RCONST(2.0))/SUN_RCONST(4.0);
    B->b[1] = SUNRsqrt(SUN_RCONST(2.0))/SUN_RCONST(4.0);
    B->b[2] = g;
    B->c[1] = SUN_RCONST(2.0)-SUNRsqrt(SUN_RCONST(2.0));
    B->c[2] = SUN_RCONST(1.0);
    return B;
  })
)");
  ASSERT_EQ(found.size(), 1u);
  const Coefficients& t = found[0].tableau;
  EXPECT_EQ(found[0].name, "ARKODE_TRBDF2_3_3_2");
  EXPECT_EQ(found[0].unreadable, "");
  EXPECT_EQ(t.id, "arkode_trbdf2_3_3_2");
  EXPECT_EQ(t.claims.order, 2);
  EXPECT_EQ(t.claims.embedded_order, 3);
  EXPECT_EQ(t.claims.a_stable, false);
  EXPECT_EQ(t.claims.l_stable, false);
  EXPECT_FALSE(t.decimal);  // 2.0 is 2
  EXPECT_NEAR(t.rows("A")[2][0].eval<double>(), std::sqrt(2.0) / 4, 1e-16);
  EXPECT_NEAR(t.list("b_hat")[2].eval<double>(), (2 - std::sqrt(2.0)) / 6, 1e-16);
}

TEST_F(TableauSource, PetscMacrosMissingWeightsAndBothPartsOfAPair) {
  const auto found = read("arkimex.c", R"(
PetscErrorCode TSARKIMEXRegisterAll(void)
{
#define RC  PetscRealConstant
#define us2 RC(0.2928932188134524755992)
  {
#define g  RC(0.5)
#define g2 PetscSqr(g)
#if 0
  #define b3 RC(7.0)
#else
  #define b3 g2 + g
#endif
    const PetscReal A[2][2] = {
      {us2,    RC(0.0)},
      {RC(1.0) - b3, b3}
    };
    const PetscReal b[2] = {RC(0.5), RC(0.5)};
    PetscCall(TSDIRKRegister(TSDIRKES122SAL, 1, 2, &A[0][0], b, NULL, NULL, 1, b));
  }
  {
    const PetscReal A[2][2] = {{0, 0}, {4. / 9, 0}};
    const PetscReal At[2][2] = {{.5, 0}, {.5, .5}};
    PetscCall(TSARKIMEXRegister(TSARKIMEXBPR3, 3, 2, &At[0][0], NULL, NULL, &A[0][0], NULL, NULL, NULL, NULL, 0, NULL, NULL));
  }
}
PetscErrorCode TSDIRKRegister(TSDIRKType name, PetscInt order, PetscInt s, const PetscReal At[])
{
  PetscCall(TSARKIMEXRegister(name, order, s, At, bt, ct, NULL, NULL, NULL, bembedt, NULL, pinterp, binterpt, NULL));
}
)");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].tableau.rows("A")[0][0].text(), "0.2928932188134524755992");
  EXPECT_TRUE(found[0].tableau.decimal);
  // Macros are texts: 1 - b3 is 1 - 1/4 + 1/2.
  EXPECT_EQ(found[0].tableau.rows("A")[1][0].text(), "5/4");
  EXPECT_EQ(found[1].name, "TSARKIMEXBPR3_im");
  EXPECT_THAT(texts(found[1].tableau.list("b")), ElementsAre("1/2", "1/2"));
  EXPECT_EQ(found[2].name, "TSARKIMEXBPR3_ex");
  EXPECT_THAT(texts(found[2].tableau.list("b")),
              ElementsAre("1/2", "1/2"));  // those of the implicit part
  EXPECT_THAT(texts(found[2].tableau.list("c")), ElementsAre("0", "4/9"));
  EXPECT_EQ(found[2].tableau.claims.order, 3);
}

// With common nodes the two are also one additive method.
TEST_F(TableauSource, PetscPartsWithCommonNodesAreAnAdditiveMethod) {
  const auto found = read("arkimex.c", R"(
PetscErrorCode TSARKIMEXRegisterAll(void)
{
  {
    const PetscReal A[2][2] = {{0, 0}, {1, 0}};
    const PetscReal At[2][2] = {{0, 0}, {.5, .5}};
    const PetscReal b[2] = {.5, .5};
    const PetscReal bt[2] = {.25, .75};
    PetscCall(TSARKIMEXRegister(TSARKIMEXMINE, 2, 2, &At[0][0], bt, NULL, &A[0][0], b, NULL, NULL, NULL, 0, NULL, NULL));
  }
}
)");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].name, "TSARKIMEXMINE");
  EXPECT_EQ(found[2].unreadable, "");
  EXPECT_EQ(found[2].tableau.kind, MethodKind::additive);
  EXPECT_THAT(texts(found[2].tableau.list("b_explicit")), ElementsAre("1/2", "1/2"));
  EXPECT_THAT(texts(found[2].tableau.list("b_implicit")), ElementsAre("1/4", "3/4"));
  EXPECT_EQ(found[2].tableau.stages(), 2);
}

TEST_F(TableauSource, JuliaMatricesRootsAndLongLines) {
  const auto found = read("tableaus.jl", R"(
"""
Blanks, signs and factors
"""
function RadauIIA5(::Type{T} = Float64, ::Type{T_time} = T) where {T, T_time}
    sq6 = sqrt(6)
    A = [
        11 // 45 - 7sq6 / 360 37 // 225 - 169sq6 / 1800 -2 // 225 + sq6 / 75
        37 // 225 + 169sq6 / 1800 11 // 45 + 7sq6 / 360 -2 // 225 - sq6 / 75
        4 // 9 - sq6 / 36 4 // 9 + sq6 / 36 1 // 9
    ]
    c = [2 // 5 - sq6 / 10; 2 / 5 + sq6 / 10; 1]
    α = [4 // 9 - sq6 / 36; 4 // 9 + sq6 / 36; 1 // 9]
    A = map(T, A)
    return (DiffEqBase.ImplicitRKTableau(A, c, α, 5))
end
function Other(::Type{T} = Float64) where {T}
    A = zeros(T, 2, 2)
    c = zeros(T, 2)
    α = zeros(T, 2)
    αEEst = [
        1 //
            2; 1 // 2;
    ]
    c[2] = convert(
        T,
        big".5555555555555555555556"
    )
    A[2, 1] = BigInt(11) //
        BigInt(20) - 1 // 10 * 5^(1 // 2)
    α[1] = -1 // 2
    α[2] = 3 // 2
    return (
        DiffEqBase.ExplicitRKTableau(
            A, c, α, 6; αEEst, adaptiveorder = 5,
            stability_size = 2.865620537276994
        )
    )
end
function TableauRK42(::Type{T}=Float64) where {T}
    a = @big [[ 0      0  ]
              [ 1//4   0  ]]
    b = @big  [ 1//6,  5//6 ]
    c = @big  [ 0,     1//4 ]
    o = 4

    Tableau{T}(:RK42, o, a, b, c)
end
)");
  ASSERT_EQ(found.size(), 3u);
  const double sq6 = std::sqrt(6.0);
  EXPECT_EQ(found[0].name, "RadauIIA5");
  EXPECT_NEAR(found[0].tableau.rows("A")[0][1].eval<double>(), 37.0 / 225 - 169 * sq6 / 1800,
              1e-15);
  EXPECT_NEAR(found[0].tableau.rows("A")[0][2].eval<double>(), -2.0 / 225 + sq6 / 75, 1e-15);
  EXPECT_NEAR(found[0].tableau.list("c")[1].eval<double>(), 0.4 + sq6 / 10, 1e-15);
  EXPECT_EQ(found[0].tableau.claims.order, 5);
  EXPECT_EQ(found[1].unreadable, "");
  EXPECT_EQ(found[1].tableau.list("c")[1].text(), ".5555555555555555555556");
  EXPECT_NEAR(found[1].tableau.rows("A")[1][0].eval<double>(), 0.55 - 0.1 * std::sqrt(5.0), 1e-15);
  EXPECT_THAT(texts(found[1].tableau.list("b")), ElementsAre("-1/2", "3/2"));
  EXPECT_EQ(found[1].tableau.claims.embedded_order, 5);
  EXPECT_EQ(found[2].name, "RK42");
  EXPECT_EQ(found[2].tableau.rows("A")[1][0].text(), "1/4");
  EXPECT_EQ(found[2].tableau.claims.order, 4);
}

// OrdinaryDiffEq's ARS343 has gamma so: judged exactly, its order 3 would fail by 3e-19.
TEST_F(TableauSource, FractionsOverPowersOfTenAreDecimals) {
  const auto found = read("tableaus.jl", R"(
function constructMine(T::Type = Float64)
    A = [0 0; 4358665215084590 // 10000000000000000 0]
    c = [0; 4358665215084590 // 10000000000000000]
    α = [-1 // 100000000; 100000001 // 100000000]
    return ExplicitRKTableau(A, c, α, 1)
end
)");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].tableau.decimal);
  EXPECT_THAT(texts(found[0].tableau.rows("A")[1]), ElementsAre("0.4358665215084590", "0"));
  EXPECT_THAT(texts(found[0].tableau.list("b")), ElementsAre("-0.00000001", "1.00000001"));
}

// As in lib/OrdinaryDiffEqSDIRK: imex_tableaus.jl takes the numbers from sdirk_tableaus.jl.
TEST_F(TableauSource, JuliaNumbersOfAFileBesideIt) {
  const std::string uses = R"(
function MineIMEXTableau(T, T2)
    tab = MineTableau(T, T2)
    γ = convert(T, tab.γ)
    Ai = zeros(T, 2, 2)
    Ai[1, 1] = γ
    Ai[2, 1] = tab.a21
    Ai[2, 2] = γ
    return _pure_esdirk_to_imex_tableau(Ai, T2[tab.c1, 1], T[], 1)
end
)";
  expect_refused("imex_tableaus.jl", uses, "is no literal");
  write("sdirk_tableaus.jl", R"(
function MineTableau(::Type{T}, ::Type{T2}) where {T, T2}
    γ = convert(T, 1 // 4)
    a21 = convert(T, 3 // 4)
    c1 = convert(T2, 1 // 3)
    return Pair(γ, a21, c1)
end
)");
  const auto found = read("imex_tableaus.jl", uses);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(texts(found[0].tableau.rows("A")[1]), ElementsAre("3/4", "1/4"));
  EXPECT_THAT(texts(found[0].tableau.list("c")), ElementsAre("1/3", "1"));
}

TEST_F(TableauSource, NodepyWithOrdersFromItsNames) {
  const auto found = read("runge_kutta_method.py", R"(
def loadRKM(which='All'):
    from sympy import sqrt, Rational
    half = Rational(1,2)
    one  = Rational(1,1)
    A=np.array([[0,0,0,0],
                [1*one/2,0,0,0],
                [0,3*one/4,0,0],
                [2*one/9,1*one/3,4*one/9,0]])
    b=A[-1,:]
    bhat=np.array([7*one/24,1*one/4,1*one/3,1*one/8])
    RK['BS3']=ExplicitRungeKuttaPair(A,b,bhat,name='Bogacki-Shampine RK3(2)4',shortname='BS3')
    alpha=snp.diag(snp.ones(3),-1)
    RK['SSP']=ExplicitRungeKuttaMethod(alpha=alpha,beta=alpha,name='SSP')
    alpha=np.array([[0,0],[one,0],[one/2,one/2]])
    beta=np.array([[0,0],[one,0], \
                   [0,one/2]])
    RK['SSP22']=ExplicitRungeKuttaMethod(alpha=alpha,beta=beta,name='SSP')
)");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].tableau.id, "bs3");
  EXPECT_THAT(texts(found[0].tableau.list("b")), ElementsAre("2/9", "1/3", "4/9", "0"));
  EXPECT_EQ(found[0].tableau.claims.order, 3);
  EXPECT_EQ(found[0].tableau.claims.embedded_order, 2);
  EXPECT_THAT(found[1].unreadable, HasSubstr("diag"));
  EXPECT_THAT(texts(found[2].tableau.list("b")),
              ElementsAre("1/2", "1/2"));  // of Shu and Osher's form
  EXPECT_THAT(texts(found[2].tableau.rows("A")[1]), ElementsAre("1", "0"));
}

TEST_F(TableauSource, PlainRowsWithAndWithoutNodes) {
  const auto heun = read("heun.txt", "# Heun\n0 0\n1 0\n1/2 1/2\n1 0\n");
  EXPECT_THAT(texts(heun[0].tableau.list("c")), ElementsAre("0", "1"));
  EXPECT_THAT(texts(heun[0].tableau.list("b_hat")), ElementsAre("1", "0"));
  const auto gauss = read("gauss.txt",
                          "(3-sqrt(3))/6 | 1/4 (3-2*sqrt(3))/12\n"
                          "(3+sqrt(3))/6 | (3+2*sqrt(3))/12 1/4\n1/2 1/2\n");
  EXPECT_EQ(gauss[0].tableau.list("c")[0].text(), "(3-sqrt(3))/6");
  expect_refused("a.txt", "0 0\n1 0\n", "2 rows, the first of 2 entries");
  expect_refused("b.txt", "0 0\n1 x\n1 0\n", "line 2");
  expect_refused("c.txt", "", "0 rows");
}

// What is not stated by literals is said, with its line, and never guessed.
TEST_F(TableauSource, UnreadableIsSaid) {
  const std::string loop = R"(function Loop(::Type{T}) where {T}
    A = zeros(T, 2, 2)
    for i in 1:2
        A[2, 1] = 1
    end
    c = [0; 1]
    α = [1 // 2; 1 // 2]
    return ExplicitRKTableau(A, c, α, 2)
end
)";
  expect_refused("loop.jl", loop, "line 4: set in a loop or under a condition");
  expect_refused("none.jl", "x = 1\n", "no tableau in a form that is read");
  expect_refused("c_in_julia.jl", "ARK_BUTCHER_TABLE(X, { return B; })",
                 "no tableau in a form that is read");
  expect_refused("zero.py", std::string("a\0b", 3), "no text");
  const std::string good = R"(function Good(::Type{T}) where {T}
    return ExplicitRKTableau([0 0; 1 0], [0; 1], [1 // 2; 1 // 2], 2)
end
)";
  const auto both = read("both.jl", loop + good);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_NE(both[0].unreadable, "");
  EXPECT_EQ(both[1].unreadable, "");
  const std::string file = write("both.jl", loop + good);
  EXPECT_EQ(read_tableau_source(file + ":Good").size(), 1u);
  EXPECT_THROW(read_tableau_source(file + ":Goods"), BadInput);
  EXPECT_THROW(read_tableau_source((folder_ / "missing.jl").string()), BadInput);
}

}  // namespace
}  // namespace daemark
