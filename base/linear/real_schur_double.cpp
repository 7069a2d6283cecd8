#include "base/linear/real_schur.hpp"

template Eigen::RealSchur<daemark::DenseMatrix<double>>& daemark::RealSchur<double>::compute(
    const Eigen::EigenBase<daemark::DenseMatrix<double>>&, bool);
