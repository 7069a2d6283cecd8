// What is refused: command lines, and what their one line of refusal says.
#include <map>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

struct Refusal {
  const char* line;  ///< "$run M": run --problem two_link --formulation index1 --h 1/100 --t-end 1
                     ///< --method M; "$sweep": an oscillator on index 1 to 1 s; "@NAME": a file in
                     ///< the folder of the test, which is not there
  const char* says;
};

constexpr Refusal refusals[] = {
    {"integrate", "daemark --help names them"},
    {"--frobnicate", "daemark --help names them"},
    {"run", "--problem is required"},
    {"run --problem", "--problem"},
    {"$run erk4 --frobnicate 1", "unexpected '--frobnicate'"},
    {"$run erk4 --h 1/50", "--h"},
    {"$run erk4 --repeat 0", "--repeat"},
    {"$run erk4 --repeat many", "--repeat"},
    {"$run erk4 --precision half", "double, quad, real50"},
    {"$run erk5", "'erk5' is unknown"},
    {"$run gauss(0)", "integer 1.."},
    {"$run gauss(2,2)", "too many"},
    {"run --problem two_link --formulation index1 --method erk4 --h 1/0 --t-end 1", "--h"},
    {"run --problem two_link --formulation index1 --method erk4 --h -1/10 --t-end 1", "> 0"},
    {"run --problem two_link --formulation index1 --method erk4 --h '' --t-end 1", "--h"},
    {"run --problem two_link --formulation index1 --method erk4 --h nan --t-end 1", "--h"},
    {"run --problem two_link --formulation index9 --method erk4 --h 1/100 --t-end 1",
     "index1, index2, index3"},
    {"list cats", "methods, problems"},
    {"list methods problems", "unexpected 'problems', before which no option stands"},
    {"converge --method erk4", "accepted: the method without it, daemark converge M"},
    {"show no_such_thing", "daemark list"},
    {"show li2019/no_such_item", "no_such_item"},
    {"reproduce no_such_paper", "no_such_paper"},
    {"reference two_link --t 1,,2", "--t"},
    {"reference two_link --t -1", ">= 0"},
    {"reference two_link --t 1 --digits 99", "digits"},
    {"reference --published --check", "--check"},
    {"compare erk5", "'erk5' is unknown"},
    {"run --problem two_link --formulation index1 --method erk4 --h 0.3 --t-end 1",
     "nearest steps"},
    {"run --problem two_link --formulation index1 --method erk4 --h pi/1000 --t-end 1",
     "nearest steps are 1/318"},
    {"run --problem two_link --formulation index3 --method erk4 --h 1/100 --t-end 1",
     "explicit method"},
    {"run --problem two_link --formulation index3 --method pade_block(r=4,k=3,j=3) --h 1/100 "
     "--t-end 1",
     "singular"},
    {"$run gauss(2) --set newton.tolerance=1", "did you mean 'newton.tol'?"},
    {"$run gauss(2) --set newton.tol", "KEY=VALUE"},
    {"$run gauss(2) --set newton.tol=1e-3 --set newton.tol=1e-4", "twice"},
    {"$run gauss(2) --set newton.kind=fast", "full | simplified"},
    {"converge erk4 --problem oscillator --formulation index1 --h 1/10 --t-end 1", "at least two"},
    {"$run erk4 --project", "--init"},
    {"$run erk4 --trajectory @no/such/folder/t.csv", "No such file or directory"},
    {"$run erk4 --every 2", "--trajectory"},
    {"$run erk4 --trajectory @t.csv --every 0", "--every"},
    {"run --problem two_link --formulation index1 --method erk4 --h 0.3 --t-end 1 --trajectory "
     "@left.csv",
     "nearest steps"},
    {"list methods --tableau @none.json", "none.json"},
    {"help rum", "did you mean 'run'?"},
    {"convrge", "did you mean 'converge'?"},
    {"$run guass(2)", "did you mean 'gauss'?"},
    {"run --problem two_link --formulation indx1 --method gauss(2) --h 1/100 --t-end 1",
     "did you mean 'index1'?"},
    {"$run gauss(2) --set newton.tll=1", "did you mean 'newton.tol'?"},
    {"$run gauss(2) --trajctory x", "did you mean '--trajectory'?"},
    {"reference two_lnk --t 1", "did you mean 'two_link'?"},
    {"show pendulm", "did you mean 'pendulum'?"},
    {"show li2019/tabel1", "did you mean 'table1'?"},
    {"list method", "did you mean 'methods'?"},
    {"reproduce li2091", "did you mean 'li2019'?"},
    {"completion fish", "bash, zsh"},
    {"compare gauss(2) --h 1/2,1/4 --t-end -1", "--t-end"},
    {"$run gauss(2) --init ''", "--init"},
    {"$run gauss(2) --trajectory ''", "--trajectory"},
    {"verify gauss(2) --certificate ''", "--certificate"},
    {"analyse --problem double_pendulum --figure @m.png", "FILE.svg"},
    {"verify @missing.def", "no such file"},
    {"export-tableau erk4 --format pascal", "c, python, julia, fortran, latex, json"},
    {"export-tableau gauss(2) --format c --digits 500", "known to 80"},
    {"export-tableau rattle", "has no tableau"},
    {"verify bibliography", "bibliography"},
    {"list", "accepted: methods, problems, formulations, settings, tags, experiments, kinds"},
    {"$run gauss(2) --trajectory - --every 0", "--every"},
    {"$run gauss(2) --plot energy @run.png", "FILE.svg"},
    {"$run gauss(2) --plot energy", "two words"},
    {"export-problem pendulum --format pascal", "c, fortran, julia, python"},
    {"export-problem pendulum --formulation elimination",
     "accepted: index1, index2, index3, baumgarte, ggl, minimal"},
    {"export-problem pendulum --formulation minimal", "no such form"},
    {"export-problem free_rigid_body", "accepted: a problem in flat coordinates"},
    {"export-problem four_bar(loops=100)", "accepted: at most 300"},
    {"export-problem pendulum --formulation baumgarte(1/h,1)", "--h H"},
    {"export-problem pendulm", "did you mean 'pendulum'?"},
    {"measure li2019/table1/h0_1", "did you mean 'h0_01'?"},
    {"measure li2019/table1", "PAPER/ITEM/ROW"},
    {"$run erk4 --trajectory - --json", "--trajectory - excludes --json"},
    {"list methods --all --tag explicit", "--all excludes --tag; accepted: one of them"},
    {"reference two_link --t 1 --refresh", "--refresh excludes P"},
    {"reference --check --proved", "--check excludes --proved"},
    {"reference two_link --t 1 --proved --publish", "--proved excludes --publish"},
    {"reference two_link", "--t is missing"},
    {"reference --t 1", "a problem is missing"},
    {"$run erk4 --explain --until x1=0", "--explain"},
    {"$run erk4 --explain-seconds 5", "--explain"},
    {"advise two_link --accuracy 2", "from 1e-11 to 0.1"},
    {"advise two_link --what speed", "q, v, lambda"},
    {"advise two_links", "two_link"},
    {"analyse --region @r.csv", "--region needs M; accepted: a method before it"},
    {"analyse --formulation index3", "--formulation needs M"},
    {"analyse gauss(2) --region @r.png", "FILE.svg"},
    {"analyse gauss(2) --formulation index3 --region @r.csv", "--region excludes --formulation"},
    {"analyse gauss(2) --modes 3", "--modes needs --problem; accepted: --problem P"},
    {"analyse gauss(2) --problem double_pendulum --x 1/10 --h 1/10", "--x excludes --problem"},
    {"analyse gauss(2) gauss(3)", "2 methods; accepted: one"},
    {"analyse gauss(2) --box 1,2,3", "accepted: re_min,re_max,im_min,im_max"},
    {"lock @lock.json --diff @lock.json", "--diff excludes FILE.json"},
    {"new thing mine", "accepted: method, problem, paper"},
    {"accept erk4 --only ordre", "no check 'ordre'"},
    {"accept erk4 --formulation index7", "index7"},
    {"accept no_such_method", "no_such_method"},
    {"accept erk4 --set control.tol=1e-3", "accepted: --tol"},
    {"atlas --problem oscilator", "did you mean 'oscillator'"},
    {"atlas --tag 'explicit & L_stable'", "holds of none"},
    {"atlas --tag erk4 --problem two_link --formulation index3", "nothing is selected"},
    {"atlas --formulation index4", "did you mean 'index"},
    {"compare gauss(2) --h 1/2,1/2", "twice"},
    {"compare gauss(2) --h 1/2,0", "> 0"},
    {"compare gauss(2) --problem oscillator --h 0.3,0.15",
     "h = 0.3 does not divide the time of oscillator(omega=1), from 0 to 1 s"},
    {"compare gauss(2) --accuracy 2", "--accuracy"},
    {"compare gauss(2) --formulation index4", "did you mean 'index"},
    {"compare erk4 --problem two_link --formulation index3", "no problem takes"},
    {"compare gauss(2) --tag 'esdirk & order'", "accepted: a comparison"},
    {"$run erk4 --animate @a.gif", "accepted: FILE.svg, FILE.html"},
    {"$run erk4 --animate @no/such/folder/a.svg", "cannot write"},
    {"run --problem andrews_squeezer(coordinates=angles) --formulation index1 --method erk4 "
     "--h 1/10000 --t-end 1/100 --animate @a.svg",
     "has no drawing"},
    {"$run erk4 --animate @a.svg --view 1", "AZIMUTH,ELEVATION"},
    {"$run erk4 --view 1,2", "--view needs --animate"},
    {"$run 'er\nk4'", "accepted"},
    {"converge erk4 $sweep --tol 1e-4,1e-6", "follow no tolerance"},
    {"converge dormand_prince_5 $sweep --tol 1e-4", "at least two"},
    {"converge dormand_prince_5 $sweep --tol 1e-4,1e-4", "given twice"},
    {"converge dormand_prince_5 $sweep --tol 1e-4,-1", "--tol -1"},
    {"converge dormand_prince_5 $sweep --tol 1e-4,1e-6 --set control.tol=1",
     "control.tol excludes --tol"},
    {"score @motion.csv --problem two_link --tolerance 0", "--tolerance"},
};

const std::map<std::string, const char*> spelled = {
    {"$run", "run --problem two_link --formulation index1 --h 1/100 --t-end 1 --method"},
    {"$sweep", "--problem oscillator --formulation index1 --h 1 --t-end 1"}};

TEST_F(Cli, RefusesInOneLine) {
  for (const Refusal& refusal : refusals) {
    Words words;
    for (const std::string& word : shell_words(refusal.line)) {
      const auto known = spelled.find(word);
      const Words more = known != spelled.end()
                             ? shell_words(known->second)
                             : Words{word.starts_with("@") ? file(word.substr(1)) : word};
      words.insert(words.end(), more.begin(), more.end());
    }
    expect_refused(words, refusal.says);
  }
  for (const char* name : {"t.csv", "left.csv", "r.csv", "lock.json", "m.png", "a.svg", "a.gif"})
    EXPECT_FALSE(fs::exists(file(name))) << "a refused call leaves no file";
}

}  // namespace
}  // namespace daemark
