// Tableaus of other programs, and coefficients for them.
#include "analysis/exact/theory/import.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

constexpr const char* two_in_julia = R"(function MyHeun(::Type{T} = Float64) where {T}
    return ExplicitRKTableau([0 0; 1 0], [0; 1], [1 // 2; 1 // 2], 2)
end
function Wrong(::Type{T} = Float64) where {T}
    return ExplicitRKTableau([0 0; 1 0], [0; 1], [1 // 2; 1 // 2], 3)
end
)";

TEST_F(Cli, ASourceGetsAVerdictForEachTableau) {
  const std::string source = write("two.jl", two_in_julia);
  const json all = value_of({"verify", source, "--json"}, 1);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["failures"].size(), 0u);
  EXPECT_THAT(all[1]["failures"][0].get<std::string>(), HasSubstr("claimed 3, derived 2"));
  EXPECT_EQ(call({"verify", source + ":MyHeun"}).status, 0);
  EXPECT_FALSE(fs::exists(file("two.certificate.json")));  // nothing is left beside it
  ASSERT_EQ(call({"verify", source + ":MyHeun", "--certificate", file("kept/")}).status, 0);
  EXPECT_TRUE(fs::exists(file("kept/myheun.json")));
  expect_refused({"verify", source + ":MyHeum"}, "did you mean 'MyHeun'");
  expect_refused({"verify", write("empty.c", "int x;")}, "no tableau in a form that is read");
  expect_refused({"verify", write("rows.csv", "0,0\n")}, "a file of a kind that is not read");
  const Outcome beside = call({"compare", "myheun", "--tableau", source + ":MyHeun", "--problem",
                               "pendulum", "--formulation", "index1", "--h", "1/20,1/40"});
  EXPECT_EQ(beside.status, 0) << beside.err;
  EXPECT_THAT(call({"show", "myheun", "--tableau", source + ":MyHeun"}).out, HasSubstr("order"));
}

TEST_F(Cli, ExportedCoefficientsAreRounded) {
  const std::string c = call({"export-tableau", "gauss(2)", "--format", "c", "--digits", "30"}).out;
  // 1/2 - sqrt(3)/6 = 0.211324865405187117745425609749021272...
  EXPECT_THAT(c, HasSubstr("2.11324865405187117745425609749e-1L"));
  EXPECT_THAT(c, HasSubstr("static const long double A[2][2] = {\n"));
  EXPECT_THAT(c, HasSubstr("certificate "));
  // 2/3 to 3 digits goes up, 1/3 down.
  const std::string python =
      call({"export-tableau", "bogacki_shampine_3", "--format", "python", "--digits", "3"}).out;
  EXPECT_THAT(python, HasSubstr("b = [2.22e-1, 3.33e-1, 4.44e-1, 0.0]"));
  const std::string digits =
      call({"export-tableau", "crouzeix_2", "--format", "julia", "--digits", "300"}).out;
  EXPECT_THAT(digits, HasSubstr("big\"7.88675134594812882254574390250978727823800875635063438009"));
  EXPECT_THAT(call({"export-tableau", "erk4", "--format", "fortran"}).out,
              HasSubstr("real(wp), parameter :: A(4,4) = transpose(reshape([ &\n"));
}

// What json exports is a tableau file: exact, and the same method.
TEST_F(Cli, ExportedJsonIsRead) {
  const std::string own = write("own.json", call({"export-tableau", "crouzeix_3"}).out);
  const json again = value_of({"verify", own, "--json"})[0];
  const json ours = value_of({"verify", "crouzeix_3", "--json"})[0];
  EXPECT_EQ(again["order"], ours["order"]);
  EXPECT_EQ(again["stability_function"], ours["stability_function"]);
}

TEST_F(Cli, EveryKindIsExportedAndReadBackExactly) {
  for (const char* id : {"fine_5", "dprkn_6fm", "ros3p", "rodas5p", "ark4_3_6l", "phem56", "hem4",
                         "position_verlet", "bdf(3)"}) {
    SCOPED_TRACE(id);
    const Coefficients again =
        read_method(json::parse(call({"export-tableau", id}).out), "exported");
    const Coefficients& ours = *method_registry().make(id)->coefficients();
    EXPECT_EQ(again.kind, ours.kind);
    ASSERT_EQ(again.arrays.size(), ours.arrays.size());
    for (const auto& [name, rows] : ours.arrays) {
      ASSERT_EQ(again.rows(name).size(), rows.size()) << name;
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
          const auto both =
              exact::import_numbers({&rows[i][j], &again.rows(name)[i][j]}, "exported");
          EXPECT_TRUE(both[0] == both[1]) << name << " " << i << " " << j;
        }
    }
  }
}

// 1/2 + sqrt(3)/6 = 0.78867513459481288225...
TEST_F(Cli, OtherKindsInEveryLanguage) {
  const auto text = [&](const char* id, const char* format) {
    return call({"export-tableau", id, "--format", format}).out;
  };
  EXPECT_THAT(text("ros3p", "c"), HasSubstr("static const double gamma = 7.8867513459481288e-1;"));
  EXPECT_THAT(text("ros3p", "c"), HasSubstr("gamma_ij[3][3] = {"));
  EXPECT_THAT(text("ros3p", "fortran"),
              HasSubstr("parameter :: gamma = 7.8867513459481288e-1_wp\n"));
  EXPECT_THAT(text("ros3p", "latex"), HasSubstr("\\Gamma = \\begin{pmatrix}"));
  EXPECT_THAT(text("phem56", "python"), HasSubstr("A_hat = [\n"));
  const std::string nystrom = text("fine_5", "latex");
  EXPECT_THAT(nystrom, HasSubstr("% positions"));
  EXPECT_THAT(nystrom, HasSubstr("% velocities"));
}

// Interpolants with stages of their own too: what is exported anew is the same text.
TEST_F(Cli, ExportedJsonHoldsTheInterpolant) {
  const std::string text = call({"export-tableau", "verner_efficient_8"}).out;
  const json first = json::parse(text);
  ASSERT_TRUE(first.contains("dense"));
  EXPECT_GT(first["dense"]["weights"].size(), first["b"].size());
  json renamed = first;
  renamed["id"] = "own_pair";
  const std::string own = write("own.json", renamed.dump());
  const json again = json::parse(call({"export-tableau", "own_pair", "--tableau", own}).out);
  EXPECT_EQ(again["dense"], first["dense"]);
}

}  // namespace
}  // namespace daemark
