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
  const json all = value_of("verify " + source + " --json", 1);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["failures"].size(), 0u);
  EXPECT_THAT(all[1]["failures"][0].get<std::string>(), HasSubstr("claimed 3, derived 2"));
  printed("verify " + source + ":MyHeun");
  EXPECT_FALSE(fs::exists(file("two.certificate.json")));  // nothing is left beside it
  printed("verify " + source + ":MyHeun --certificate @kept/");
  EXPECT_TRUE(fs::exists(file("kept/myheun.json")));
  expect_refused("verify " + source + ":MyHeum", "did you mean 'MyHeun'");
  expect_refused("verify " + write("rows.csv", "0,0\n"), "a file of a kind that is not read");
  printed("compare myheun --tableau " + source + ":MyHeun" +
          " --problem pendulum --formulation index1 --h 1/20,1/40");
  EXPECT_THAT(call("show myheun --tableau " + source + ":MyHeun").out, HasSubstr("order"));
}

TEST_F(Cli, ExportedCoefficientsAreRounded) {
  const std::string c = call("export-tableau gauss(2) --format c --digits 30").out;
  // 1/2 - sqrt(3)/6 = 0.211324865405187117745425609749021272...
  EXPECT_THAT(c, HasSubstr("2.11324865405187117745425609749e-1L"));
  EXPECT_THAT(c, HasSubstr("static const long double A[2][2] = {\n"));
  EXPECT_THAT(c, HasSubstr("certificate "));
  // 2/3 to 3 digits goes up, 1/3 down.
  EXPECT_THAT(printed("export-tableau bogacki_shampine_3 --format python --digits 3"),
              HasSubstr("b = [2.22e-1, 3.33e-1, 4.44e-1, 0.0]"));
  EXPECT_THAT(printed("export-tableau crouzeix_2 --format julia --digits 300"),
              HasSubstr("big\"7.88675134594812882254574390250978727823800875635063438009"));
  EXPECT_THAT(call("export-tableau erk4 --format fortran").out,
              HasSubstr("real(wp), parameter :: A(4,4) = transpose(reshape([ &\n"));
}

TEST_F(Cli, EveryKindIsExportedAndReadBackExactly) {
  for (const std::string id : {"crouzeix_3", "fine_5", "dprkn_6fm", "ros3p", "rodas5p", "ark4_3_6l",
                               "phem56", "hem4", "position_verlet", "bdf(3)"}) {
    SCOPED_TRACE(id);
    const Coefficients again =
        read_method(json::parse(call("export-tableau " + id).out), "exported");
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
  const auto text = [&](const std::string& id, const std::string& format) {
    return printed("export-tableau " + id + " --format " + format);
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
  const json first = json::parse(printed("export-tableau verner_efficient_8"));
  ASSERT_TRUE(first.contains("dense"));
  EXPECT_GT(first["dense"]["weights"].size(), first["b"].size());
  json renamed = first;
  renamed["id"] = "own_pair";
  write("own.json", renamed.dump());
  const json again = json::parse(printed("export-tableau own_pair --tableau @own.json"));
  EXPECT_EQ(again["dense"], first["dense"]);
}

}  // namespace
}  // namespace daemark
