// The texts are ours, in the forms of OrdinaryDiffEq.jl of 2026-08, tudat of 2025-05, odeint,
// OpenModelica's gbode_tableau.c, diffrax and daceypy of 2026.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/methods/catalogue/source_folder.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class TableauForms : public test::SourceFolder {};

/// Derived by hand: Kutta's third-order method and its nodes, whatever the letters.
TEST_F(TableauForms, SingleNumbersWhateverTheirLetters) {
  const auto found = read("low_order_rk_tableaus.jl", R"(
struct Kutta3ConstantCache{T}
    a21::T
end
function Kutta3ConstantCache(::Type{T}, ::Type{T2}) where {T, T2}
    a21 = convert(T, 1 // 2)
    a31 = convert(T, -1)
    a32 = convert(T, 2)
    c1 = convert(T2, 1 // 2)
    c2 = one(T2)
    b1 = convert(T, 1 // 6)
    b2 = convert(T, BigFloat("0.5")) + T(1_0 // 60)
    b3 = convert(T, 1 // 6)
    btilde1 = convert(T, 1 // 6)
    btilde2 = convert(T, -1 // 3)
    btilde3 = convert(T, 1 // 6)
    return Kutta3ConstantCache(a21)
end
@fold function Zero(::Type{T}) where {T}
    g0100 = convert(T, 1 // 2)
    g0200 = convert(T, -1)
    g0201 = convert(T, 2)
    h1 = convert(T, 1 // 6)
    h2 = convert(T, 2 // 3)
    h3 = convert(T, 1 // 6)
    a1 = convert(T, 1 // 2)
    a2 = convert(T, 1)
end
function Fsal(::Type{T}) where {T}
    a21 = convert(T, 1 // 2)
    a31 = convert(T, 1 // 6)
    a32 = convert(T, 5 // 6)
    c2 = convert(T, 1 // 2)
    e1 = 1 // 3
    e2 = -1 // 3
end
function Leapfrog(::Type{T}) where {T}
    a1 = convert(T, 1)
    a2 = convert(T, 0)
    b1 = convert(T, 1 // 2)
    b2 = convert(T, 1 // 2)
    return SymplecticTableau((a1, a2), (b1, b2))
end
function Wrong(::Type{T}) where {T}
    a21 = convert(T, 1 // 2)
    a31 = convert(T, 1)
    b1 = convert(T, 1)
    c2 = convert(T, 1 // 3)
    c3 = convert(T, 1)
end
)");
  ASSERT_EQ(found.size(), 5u);
  for (const int k : {0, 1}) {
    const Coefficients& t = found[static_cast<std::size_t>(k)].tableau;
    EXPECT_THAT(texts(t.rows("A")[2]), ElementsAre("-1", "2", "0"));
    EXPECT_THAT(texts(t.list("b")), ElementsAre("1/6", "2/3", "1/6"));
    EXPECT_THAT(texts(t.list("c")), ElementsAre("0", "1/2", "1"));
  }
  EXPECT_EQ(found[0].name, "Kutta3ConstantCache");
  EXPECT_THAT(texts(found[0].tableau.list("b_hat")), ElementsAre("0", "1", "0"));
  // The last row is the step: its node, 1, is left out.
  EXPECT_THAT(texts(found[2].tableau.list("b")), ElementsAre("1/6", "5/6", "0"));
  EXPECT_THAT(texts(found[2].tableau.list("c")), ElementsAre("0", "1/2", "1"));
  EXPECT_THAT(texts(found[2].tableau.list("b_hat")), ElementsAre("-1/6", "7/6", "0"));
  EXPECT_THAT(found[3].unreadable, HasSubstr("none are a matrix"));
  EXPECT_THAT(found[4].unreadable, HasSubstr("row sums"));
}

TEST_F(TableauForms, NystromAndRosenbrockOfJulia) {
  const auto found = read("rkn_tableaus.jl", R"(
const ROSA = [
    0 0
    2.0 0
]
const ROSC = [
    0
    -4
]
function RKN2Tableau(::Type{T}, ::Type{T2}) where {T, T2}
    a = zeros(T, 2, 2)
    a[2, 1] = convert(T, 1 // 2)
    b = [convert(T, 1 // 2), zero(T)]
    bp = [convert(T, 1 // 2), convert(T, 1 // 2)]
    btilde = T[1 // 6, -1 // 6]
    bptilde = T[]
    c = T2[one(T2)]
    return NystromVITableau(a, b, bp, btilde, bptilde, c, false, 2)
end
function RosTableau(::Type{T}, ::Type{T2}) where {T, T2}
    gamma = 0.25
    s = size(ROSA, 1)
    b = T[ROSA[s, i] for i in 1:(s - 1)]
    push!(b, one(T))
    btilde = zeros(T, s)
    btilde[s] = one(T)
    return RodasTableau{T, T2, Vector{T}}(ROSA, ROSC, gamma, [0, 1], [0, 0], ROSA, b, btilde)
end
)");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].tableau.kind, MethodKind::nystrom);
  EXPECT_THAT(texts(found[0].tableau.list("c")), ElementsAre("0", "1"));
  EXPECT_THAT(texts(found[0].tableau.list("b_hat")), ElementsAre("1/3", "1/6"));
  EXPECT_THAT(texts(found[0].tableau.list("b_velocity")), ElementsAre("1/2", "1/2"));
  EXPECT_EQ(found[1].unreadable, "");
  EXPECT_EQ(found[1].tableau.kind, MethodKind::rosenbrock);
  EXPECT_THAT(texts(found[1].tableau.list("b")), ElementsAre("2", "1"));
  EXPECT_THAT(texts(found[1].tableau.list("b_hat")), ElementsAre("2", "0"));
  EXPECT_THAT(texts(found[1].tableau.rows("C")[1]), ElementsAre("-4", "0"));
}

TEST_F(TableauForms, StructuresAndFlatMatricesOfC) {
  const auto heun = read("rungeKuttaCoefficients.cpp", R"(
namespace tudat
{
void initializeHeunEuler( RungeKuttaCoefficients& heun )
{
    heun.lowerOrder = 1;
    heun.higherOrder = 2;
    heun.aCoefficients = Eigen::MatrixXd::Zero( 2, 1 );
    heun.aCoefficients( 1, 0 ) = 1.0;
    heun.cCoefficients = Eigen::VectorXd::Zero( 2 );
    heun.cCoefficients( 1 ) = heun.aCoefficients( 1, 0 );
    heun.bCoefficients = Eigen::MatrixXd::Zero( 2, 2 );
    heun.bCoefficients( 0, 0 ) = 1.0;
    heun.bCoefficients( 1, 0 ) = 1.0 / 2.0;
    heun.bCoefficients( 1, 1 ) = 1.0 / 2.0;
}
}
)");
  ASSERT_EQ(heun.size(), 1u);
  EXPECT_EQ(heun[0].name, "initializeHeunEuler");
  EXPECT_EQ(heun[0].tableau.claims.embedded_order, 2);
  EXPECT_THAT(texts(heun[0].tableau.list("b_hat")), ElementsAre("1/2", "1/2"));
  EXPECT_THAT(texts(heun[0].tableau.rows("A")[1]), ElementsAre("1", "0"));
  const auto flat = read("gbode_tableau.c", R"(
void getButcherTableau_HEUN(BUTCHER_TABLEAU* tableau)
{
  if (tableau->richardson) {
    tableau->order_b = 2;
    const double c[] = {0.0, 1.0};
    const double A[] = {0.0, 0.0, 1.0, 0.0};
    const double b[] = {0.5, 0.5};
    const double* bt = NULL;
    setButcherTableau(tableau, c, A, b, bt);
  }
}
)");
  ASSERT_EQ(flat.size(), 1u);
  EXPECT_EQ(flat[0].unreadable, "");
  EXPECT_THAT(texts(flat[0].tableau.rows("A")[1]), ElementsAre("1", "0"));
  const auto arrays = read("runge_kutta.hpp", R"(
template< class Value = double >
struct heun_coefficients_a1 : boost::array< Value , 1 >
{
    heun_coefficients_a1( void )
    {
        (*this)[0] = static_cast< Value >( 1 ) / static_cast< Value >( 1 );
    }
};
template< class Value = double >
struct heun_coefficients_b : boost::array< Value , 2 >
{
    heun_coefficients_b( void )
    {
        (*this)[0] = static_cast<Value>(1)/static_cast<Value>(2);
        (*this)[1] = static_cast<Value>(1)/static_cast<Value>(2);
    }
};
template< class Value = double >
struct heun_coefficients_c : boost::array< Value , 2 >
{
    heun_coefficients_c( void )
    {
        (*this)[1] = static_cast< Value >( 1 );
    }
};
)");
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].name, "heun_coefficients");
  EXPECT_THAT(texts(arrays[0].tableau.list("c")), ElementsAre("0", "1"));
}

TEST_F(TableauForms, PythonRowsBelowTheDiagonal) {
  const auto found = read("sdirk.py", R"(
_γ = 1 / 4
_tableau = ButcherTableau(
    a_lower=(np.array([1 / 2]), np.array([1 / 4, 1 / 2])),
    a_diagonal=np.array([0, _γ, _γ]),
    b_sol=np.array([1 / 4, 1 / 2, _γ]),
    b_error=np.array([1 / 4, -1 / 2, 1 / 4]),
    c=np.array([3 / 4, 1.0]),
)
class RK21(RKCoeff, metaclass=PrettyType):
    def __init__(self):
        self._RK_order: float = 1.0
        self._alpha: NDArray[np.double] = np.asarray([#0
                       1.0/2.0,   #1
                       0.0, 1.0 ])
        self._gamma: NDArray[np.double] = np.asarray([ 0.0, 1.0/2.0, 1.0 ])
        self._beta: NDArray[np.double] = np.asarray([ 0.0, 1.0, 0.0 ])
        self._beta_star: NDArray[np.double] = np.asarray([ 1.0, 0.0, 0.0 ])
)");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(texts(found[0].tableau.rows("A")[2]), ElementsAre("1/4", "1/2", "1/4"));
  EXPECT_THAT(texts(found[0].tableau.list("b_hat")), ElementsAre("0", "1", "0"));
  EXPECT_EQ(found[1].name, "RK21");
  EXPECT_EQ(found[1].tableau.claims.order, 1);
  EXPECT_THAT(texts(found[1].tableau.rows("A")[2]), ElementsAre("0", "1", "0"));
  EXPECT_THAT(texts(found[1].tableau.list("b_hat")), ElementsAre("1", "0", "0"));
}

}  // namespace
}  // namespace daemark
