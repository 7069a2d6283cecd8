// A page for each method, and one over all: what it is, what is proved of it, what it does to
// linear equations, its orders on constrained systems, its place in the atlas. A page for each
// problem.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/reference/reference.hpp"
#include "experiments/atlas/atlas.hpp"
#include "experiments/errata/errata.hpp"
#include "experiments/report/report.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {

/// "methods/gauss_s_2.html" of a canonical call; empty for a call without a card: one that is no
/// member of the catalogue.
std::string method_card(const std::string& call);

/// The members of the catalogue and its library, which have cards, canonical and sorted.
const std::vector<std::string>& carded_methods();

/// A page of the atlas or a card: `skeleton` filled, below the bar of such pages.
std::string card_page(const PageFrame& page, const std::string& skeleton, const PageData& data);

/// A cell with the name of a sweep, linked to the card of its method where it has one; `head`: the
/// first of its row.
PageData sweep_cell(const std::string& sweep, const PageFrame& page, bool head = false);

/// What pages of methods take from the atlas, gathered once.
struct MethodPlaces {
  struct Place {
    std::string formulation, accuracy, name;  ///< name: as the sweep is called
    RankSpread spread;
  };
  struct Observed {  // NOLINT(bugprone-reserved-identifier): of its copy, not written here
    std::string formulation;
    std::vector<double> slopes[3];  ///< of q, v, λ, over the problems where they settle
  };
  std::map<std::string, std::vector<Place>> places;        ///< by canonical call
  std::map<std::string, std::vector<Observed>> observed;   ///< by canonical call
  std::map<std::string, std::vector<std::string>> fronts;  ///< "problem, formulation" for q
  explicit MethodPlaces(const Atlas& atlas);
};

struct CardSources {
  const Atlas& atlas;
  const MethodPlaces& places;
  const std::vector<exact::Erratum>& errata;
  const std::vector<PublishedState>& published;
  std::filesystem::path results;
};

std::string method_card_page(const std::string& call, const CardSources& sources);
std::string methods_page();

/// Adds what the first page finds to the model.
void find_cards(const std::filesystem::path& results, ReportModel& model);

/// Removes the pages of methods that do not exist.
void drop_cards(const std::filesystem::path& results);

/// Writes all of them, the tables and pages of the atlas and what they share, where anything that
/// decides them has changed since. drop_cards() comes first, whether or not something changed.
void renew_cards(const std::filesystem::path& results, const Services& services,
                 const ReportModel& model);

/// Stability region, order star (of Runge–Kutta methods), amplitude decay, period elongation and
/// spectral radius over the step, as HTML. Empty where the method refuses ordinary equations or has
/// no stepper in the precision.
std::string linear_pictures(const std::string& call);

/// What one step computes, and the coefficients: exact where they are expressions, fractions where
/// they are recognised, else 16 digits.
std::string method_formula(const std::string& call);

/// The equations of motion that all mechanisms share, in the formulation with this id; empty for
/// one without a formula here.
std::string formulation_formula(const std::string& id);

}  // namespace daemark
