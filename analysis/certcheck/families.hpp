// Families with statements for all rho, their members, and what an id stands for.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "analysis/certcheck/interval.hpp"
#include "analysis/certcheck/method.hpp"

namespace daemark::certcheck {

/// N_k of the numerator of (1 - gamma z)^n e^z.
Number high_order_numerator(int n, int k, const Number& gamma);
Number binomial(int n, int k);
Number raised(const Number& x, int n);

/// Q of lms and ss: Q(0) = 0, Q'(0) = 1, Re Q(1 - e^(i phi)) = K (1 - cos phi)^n.
Row flat_polynomial(int n);
/// The formula Q gives at rho = `at` <= 1.
bool is_flat_formula(int n, const rational& at, const Row& alpha, const Row& beta);

/// A family, its number of substeps or steps, and rho, as the id of the certificate says.
struct Member {
  int n;
  rational rho;
};
/// "for_all_rho" of the certificate, and that its method belongs to the family.
void check_spectral_family(const Reader& reader, const Json& certificate, const Member& member);
void check_flat_family(const Reader& reader, const Json& certificate, const Member& member);
void check_high_order_family(const Reader& reader, const Json& certificate, const Member& member);

/// A point, or one cell (m ± 1/2) 10^-40: no other interval states where an irrational number is.
Interval cell(const Json& from, const std::string& name);
/// kind "spectral_factor": N in a box of intervals.
void check_spectral_enclosure(const Json& certificate, const Member& member);
/// kind "free_nodes": gamma exact, nodes in boxes.
void check_free_nodes(const Reader& reader, const Json& certificate, const Member& member,
                      const std::string& objective);

/// "name(key=value,...)" or a plain word. An argument that is missing, or that nobody asked for, is
/// refused: it would name another method, or none.
struct Id {
  std::string name;
  std::map<std::string, std::string> arguments;
  bool has(const std::string& key) const { return arguments.contains(key); }
  const std::string& argument(const std::string& key) const;
  int integer(const std::string& key) const;  ///< refuses all but 1..200, for k and j 0..200
  rational fraction(const std::string& key, const rational& lower, const rational& upper) const;
  rational fraction_in(const std::string& key) const { return fraction(key, 0, 1); }
  void require_all_asked() const;

 private:
  mutable std::set<std::string> asked_;
};
Id parse_id(const std::string& text);

/// kind "second_order": structural methods.
void check_second_order(const Reader& reader, const Json& certificate, const Id& id);

/// The coefficients are those of the tableau file.
void check_against_tableau(const Reader& reader, const Json& certificate, const Json& tableau);
/// The keys of a certificate of this family in addition to those of its kind.
Keys family_keys(const Id& id, const Json& certificate);
/// The id names a family, its coefficients are those of its definition, and the statements that
/// belong to it hold.
void check_against_family(const Reader& reader, const Json& certificate, const Id& id,
                          const std::optional<Method>& method);

}  // namespace daemark::certcheck
