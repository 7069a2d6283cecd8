// A trajectory that any program wrote: CSV with a header, the time first; lines with # in front of
// it are comments.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace daemark {

struct TrajectoryColumn {
  std::string name, unit;  ///< "x1", "m" of "x1 [m]"; no unit: ""
};

struct TrajectoryRow {
  long line = 0;
  double t = 0;                    ///< [s]
  std::vector<double> values;      ///< of the columns after the time
  std::vector<std::string> texts;  ///< as written, the time among them, first
};

class TrajectoryReader {
 public:
  /// Reads the header. Throws BadInput: no such file, no header of names separated by commas, no
  /// column `t` or `time` in seconds first, doubled columns.
  explicit TrajectoryReader(std::string file);

  const std::vector<TrajectoryColumn>& columns() const { return columns_; }  ///< after the time
  /// Of a line "# h = 1/100" before the header; 0 without.
  double h() const { return h_; }

  /// The next row; false at the end. Throws BadInput with the line: another number of fields, what
  /// is not a finite number, times that decrease (at an event one may stand there twice), a file
  /// without rows.
  bool next(TrajectoryRow& row);

  /// "FILE, line 7": where the last row stands, for messages.
  std::string place() const;

 private:
  bool read_fields(std::vector<std::string>& fields);
  void read_header();
  [[noreturn]] void refuse(const std::string& what) const;

  std::string file_;
  std::ifstream in_;
  long line_ = 0, rows_ = 0;
  double last_t_ = 0, h_ = 0;
  std::vector<TrajectoryColumn> columns_;
};

}  // namespace daemark
