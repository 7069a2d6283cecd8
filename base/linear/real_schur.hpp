// Eigen's real Schur form for double and long double, compiled once each (real_schur_*.cpp): its
// templates cost 8 s in every file that instantiates them.
#pragma once

#include <Eigen/Eigenvalues>

namespace daemark {
template <class S>
using DenseMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using RealSchur = Eigen::RealSchur<DenseMatrix<S>>;
}  // namespace daemark

extern template Eigen::RealSchur<daemark::DenseMatrix<double>>& daemark::RealSchur<double>::compute(
    const Eigen::EigenBase<daemark::DenseMatrix<double>>&, bool);
extern template Eigen::RealSchur<daemark::DenseMatrix<long double>>&
daemark::RealSchur<long double>::compute(const Eigen::EigenBase<daemark::DenseMatrix<long double>>&,
                                         bool);
