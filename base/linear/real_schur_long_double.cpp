#include "base/linear/real_schur.hpp"

template Eigen::RealSchur<daemark::DenseMatrix<long double>>&
daemark::RealSchur<long double>::compute(const Eigen::EigenBase<daemark::DenseMatrix<long double>>&,
                                         bool);
