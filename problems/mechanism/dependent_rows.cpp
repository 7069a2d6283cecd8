#include "problems/mechanism/dependent_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <set>

namespace daemark {
namespace {

using Dense = Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double smallest = 1e-9;  ///< of a row's length: what is shorter depends on others
constexpr int few = 200;           ///< rows: above, independence is looked for in G Gᵀ first
constexpr int most_dense = 1500;   ///< rows: above, the sparse factorisation

/// The mechanism where it starts.
struct RowsAtStart {
  RecordedSystem<double> system;
  double t;
  std::vector<double> q, v, a, lambda, chart;

  RowsAtStart(const std::shared_ptr<const Mechanism>& mechanism, const wide& start)
      : system(mechanism), t(to_double(start)) {
    const int n = system.coordinates();
    q.resize(n), v.resize(n), a.resize(n), lambda.resize(system.constraints());
    chart.resize(system.chart_size());
    system.initial(q.data(), v.data());
    system.initial_chart(chart.data());
  }
  void evaluate(const MotionValues<double>& out) {
    system.evaluate({t, q.data(), v.data(), a.data(), lambda.data(), chart.data()}, {}, out);
  }
  std::vector<Eigen::Triplet<double>> transposed() {
    std::vector<double> values(system.gradient_pattern().size());
    MotionValues<double> out;
    out.gradient = values.data();
    evaluate(out);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto [row, column] = system.gradient_pattern().entries[k];
      entries.emplace_back(column, row, values[k]);
    }
    return entries;
  }
};

/// Rows orthogonalised in their order, each twice. `relation` holds what each is of the given ones.
struct Orthogonal {
  Dense basis, relation;  ///< n × rank, m × m
  std::vector<int> kept;

  Orthogonal(const Dense& columns, RowRank& found)
      : basis(columns.rows(), std::min(columns.rows(), columns.cols())),
        relation(Dense::Identity(columns.cols(), columns.cols())) {
    std::set<int> undetermined;
    for (int j = 0; j < columns.cols(); ++j) {
      VectorXd x = columns.col(j);
      const double length = x.norm();
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < kept.size(); ++i) {
          const double share = basis.col(static_cast<int>(i)).dot(x);
          x -= share * basis.col(static_cast<int>(i));
          relation.col(j) -= share * relation.col(kept[i]);
        }
      const double left = x.norm();
      if (left <= smallest * length || length == 0) {
        found.dependent.push_back(j);
        for (int i = 0; i < columns.cols(); ++i)
          if (std::abs(relation(i, j)) > std::sqrt(smallest)) undetermined.insert(i);
        continue;
      }
      basis.col(static_cast<int>(kept.size())) = x / left;
      relation.col(j) /= left;
      kept.push_back(j);
    }
    found.rank = static_cast<int>(kept.size());
    found.undetermined.assign(undetermined.begin(), undetermined.end());
  }
};

/// Whether the relations among rows hold for the rows' rates of second order along a motion through
/// the start that nothing else singles out.
bool holds_in_motion(RowsAtStart& start, const Orthogonal& rows, const RowRank& found) {
  const int n = start.system.coordinates();
  const auto basis = rows.basis.leftCols(found.rank);
  VectorXd motion(n);
  for (int i = 0; i < n; ++i) motion[i] = std::sin(1.0 + 3.7 * i);
  motion -= basis * (basis.transpose() * motion);
  motion -= basis * (basis.transpose() * motion);
  for (int i = 0; i < n; ++i) start.v[i] += motion[i];
  VectorXd rates = VectorXd::Zero(start.system.constraints());
  MotionValues<double> out;
  out.acceleration = rates.data();
  start.evaluate(out);
  constexpr double fits = 1e-6;
  for (const int j : found.dependent)
    if (!(std::abs(rows.relation.col(j).dot(rates)) <= fits * (1 + rates.cwiseAbs().maxCoeff())))
      return false;
  return true;
}

Eigen::SparseMatrix<double> sparse_columns(RowsAtStart& start) {
  Eigen::SparseMatrix<double> columns(start.system.coordinates(), start.system.constraints());
  const auto entries = start.transposed();
  columns.setFromTriplets(entries.begin(), entries.end());
  columns.makeCompressed();
  return columns;
}

/// Whether the pivots of G Gᵀ leave no doubt that all rows are independent.
bool clearly_independent(const Eigen::SparseMatrix<double>& columns) {
  constexpr double clear = 1e-11;  // of the squared length of a row
  const Eigen::SparseMatrix<double> products = columns.transpose() * columns;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(products);
  if (factors.info() != Eigen::Success) return false;
  const VectorXd lengths = factors.permutationP() * VectorXd(products.diagonal());
  return (factors.vectorD().array() > clear * lengths.array()).all();
}

RowRank sparse_rank(const Eigen::SparseMatrix<double>& columns) {
  RowRank found;
  const int m = static_cast<int>(columns.cols());
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(smallest);
  qr.compute(columns);
  found.rank = static_cast<int>(qr.rank());
  for (int j = found.rank; j < m; ++j) found.dependent.push_back(qr.colsPermutation().indices()[j]);
  std::sort(found.dependent.begin(), found.dependent.end());
  return found;
}

/// `element` without the rows of `left_out`, which are counted from 0 in it.
std::shared_ptr<const Part> part_without(const std::shared_ptr<const Part>& part,
                                         const std::set<int>& left_out) {
  const PartSizes all = part->sizes();
  PartSizes sizes = all;
  for (const int row : left_out) {
    --sizes.rows;
    if (row >= all.rows - all.velocity_rows) --sizes.velocity_rows;
  }
  return std::make_shared<const Part>(sizes, [&](const PartArguments& at) {
    PartArguments given = at;
    given.lambda.assign(all.rows, Var());
    PartFunctions stated = part->stated(given);
    std::vector<Var> rows;
    for (int row = 0; row < all.rows; ++row)
      if (!left_out.contains(row)) rows.push_back(stated.rows[row]);
    stated.rows = std::move(rows);
    return stated;
  });
}

}  // namespace

RowRank row_rank(const std::shared_ptr<const Mechanism>& mechanism, const wide& t) {
  RowsAtStart start(mechanism, t);
  const int n = start.system.coordinates(), m = start.system.constraints();
  RowRank found;
  if (m > few) {
    const Eigen::SparseMatrix<double> columns = sparse_columns(start);
    found.rank = m;
    if (clearly_independent(columns)) return found;
    if (m > most_dense) return sparse_rank(columns);
  }
  Dense columns = Dense::Zero(n, m);
  for (const auto& entry : start.transposed()) columns(entry.row(), entry.col()) += entry.value();
  const Orthogonal rows(columns, found);
  found.only_here = !found.dependent.empty() && !holds_in_motion(start, rows, found);
  return found;
}

std::shared_ptr<const Mechanism> without_rows(const std::shared_ptr<const Mechanism>& mechanism,
                                              const std::vector<int>& rows) {
  auto made = std::make_shared<Mechanism>(*mechanism);
  made->redundant = std::max(0, mechanism->redundant - static_cast<int>(rows.size()));
  made->elements.clear(), made->lambda0.clear();
  std::map<std::pair<const Part*, std::set<int>>, std::shared_ptr<const Part>> known;
  int first = 0;
  for (Element element : mechanism->elements) {
    std::set<int> left_out;
    for (const int row : rows)
      if (row >= first && row < first + static_cast<int>(element.rows.size()))
        left_out.insert(row - first);
    first += static_cast<int>(element.rows.size());
    if (!left_out.empty()) {
      auto& part = known[{element.part.get(), left_out}];
      if (!part) part = part_without(element.part, left_out);
      element.part = part;
      for (auto row = left_out.rbegin(); row != left_out.rend(); ++row)
        element.rows.erase(element.rows.begin() + *row);
    }
    made->elements.push_back(std::move(element));
  }
  for (int row = 0; row < first && !mechanism->lambda0.empty(); ++row)
    if (std::find(rows.begin(), rows.end(), row) == rows.end())
      made->lambda0.push_back(mechanism->lambda0[row]);
  if (mechanism->stiff)
    made->stiff = [stiff = mechanism->stiff, rows] {
      const auto part = stiff();
      return part ? without_rows(part, rows) : nullptr;
    };
  return made;
}

std::string names_of_rows(const std::vector<std::string>& names, const std::vector<int>& rows) {
  constexpr std::size_t most = 12;
  std::vector<std::string> shown;
  for (const int row : rows) {
    if (shown.size() == most) {
      shown.push_back(fmt::format("and {} more", rows.size() - most));
      break;
    }
    const std::string& name = names[row];
    shown.push_back(name.starts_with("lambda_") ? name.substr(7) : name);
  }
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::shared_ptr<const Mechanism> independent(const std::shared_ptr<const Mechanism>& mechanism,
                                             const wide& t, std::vector<std::string> remarks) {
  const RowRank found = row_rank(mechanism, t);
  std::vector<std::string> names;
  for (const Element& element : mechanism->elements)
    for (const Quantity& row : element.rows) names.push_back(row.name);
  const int n = static_cast<int>(mechanism->coordinates.size()), m = static_cast<int>(names.size());
  remarks.push_back(
      fmt::format("degrees of freedom: {} ({} coordinates, {} constraint rows of rank {})",
                  n - found.rank, n, m, found.rank));
  auto made = std::make_shared<Mechanism>(*mechanism);
  if (found.only_here) {
    remarks.push_back(fmt::format(
        "singular start: rows {} follow from other rows here but not along the motion; start away "
        "from this position",
        names_of_rows(names, found.dependent)));
  } else if (!found.dependent.empty()) {
    made = std::make_shared<Mechanism>(*without_rows(mechanism, found.dependent));
    remarks.push_back(fmt::format("redundant rows, left out: {} (they follow from the other rows)",
                                  names_of_rows(names, found.dependent)));
    if (!found.undetermined.empty())
      remarks.push_back(
          fmt::format("multipliers that are not unique: {}; those of rows left out count as zero",
                      names_of_rows(names, found.undetermined)));
  }
  made->remarks = std::move(remarks);
  return made;
}

}  // namespace daemark
