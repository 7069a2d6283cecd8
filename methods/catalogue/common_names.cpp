#include "methods/catalogue/common_names.hpp"

#include <cctype>

namespace daemark {

const std::vector<CommonName>& common_names() {
  static const std::vector<CommonName> names = {
      {"radau5", {"radau_iia(3)"}},
      {"radauiia5", {"radau_iia(3)"}},
      {"dopri5", {"dormand_prince_5"}},
      {"dopri", {"dormand_prince_5"}},
      {"dp5", {"dormand_prince_5"}},
      {"dop853", {"dormand_prince_853"}},
      {"tsit5", {"tsitouras_5"}},
      {"rk45", {"dormand_prince_5", "fehlberg_5"}},
      {"ode45", {"dormand_prince_5"}},
      {"rkf45", {"fehlberg_5"}},
      {"rk23", {"bogacki_shampine_3"}},
      {"ode23", {"bogacki_shampine_3"}},
      {"rk4", {"erk4"}},
      {"rungekutta4", {"erk4"}},
      {"rk38", {"rk_3_8"}},
      {"euler", {"euler_explicit", "backward_euler"}},
      {"forwardeuler", {"euler_explicit"}},
      {"expliciteuler", {"euler_explicit"}},
      {"impliciteuler", {"backward_euler"}},
      {"heun", {"heun_2"}},
      {"midpoint", {"midpoint_explicit", "gauss(1)"}},
      {"implicitmidpoint", {"gauss(1)"}},
      {"cranknicolson", {"trapezoidal"}},
      {"trbdf2", {"tr_bdf2"}},
      {"ode23tb", {"tr_bdf2"}},
      {"bdf2", {"bdf(2)"}},
      {"gear", {"bdf(2)"}},
      {"daspk", {"ida"}},
      {"dassl", {"ida"}},
      {"verlet", {"central_difference"}},
      {"leapfrog", {"central_difference"}},
      {"stoermerverlet", {"central_difference"}},
      {"galpha", {"generalized_alpha(rho=4/5)"}},
      {"genalpha", {"generalized_alpha(rho=4/5)"}},
      {"generalisedalpha", {"generalized_alpha(rho=4/5)"}},
      {"chunghulbert", {"generalized_alpha(rho=4/5,variant=chung_hulbert)"}},
      {"hhtalpha", {"hht"}},
      {"hilberhughestaylor", {"hht"}},
      {"newmarkbeta", {"newmark"}},
      {"ttrbdf", {"bathe"}}};
  return names;
}

std::vector<std::string> known_as(const std::string& typed) {
  std::string plain;
  for (const char c : typed)
    if (c != '_' && c != '-')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const CommonName& known : common_names())
    if (known.name == plain) return known.calls;
  return {};
}

}  // namespace daemark
