// The league: programs (physics engines, classical codes) on mechanisms of the catalogue, judged
// against references, with methods of our own beside them. league.json says which problems, steps
// and ends; every variant that a program names takes part.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/engine/run/study.hpp"

namespace daemark {

struct LeagueEntry {
  std::string program, version, variant;  ///< "daemark": ours, with the formulation in `variant`
  std::string method, formulation;        ///< of its cells
  bool fixed = true;
  std::string settings;
};

/// One run.
struct LeagueRow {
  std::string program, version, variant, problem, t_end, step;
  bool fixed = true;  ///< step is h, else the tolerance; both as written
  std::string status, why;
  double error_q = 0, error_v = 0, energy = 0, violation = 0;  ///< NaN where there is none
  long steps = 0, evaluations = 0;
};

struct LeagueSpec {
  struct Motion {
    std::string problem;
    std::vector<std::string> ends;   ///< the first one with all steps, others without the finest
    std::vector<std::string> steps;  ///< empty: those of the league
  };
  struct Baseline {
    std::string method, formulation;
  };
  struct Curve {
    std::string program, variant;
  };
  std::vector<Motion> problems;
  std::vector<std::string> steps, tolerances;
  std::string spacing, seconds;  ///< of output points; most that a run of a program may take
  std::vector<Baseline> baselines;
  std::vector<std::string> figure_problems;
  std::vector<Curve> figure_curves;

  /// Steps, or tolerances, of a motion to one of its ends.
  std::vector<std::string> knobs(const Motion& motion, std::size_t end, bool fixed) const;
};

/// experiments/league/league.json. Throws BadInput.
LeagueSpec read_league();

/// Our own methods, and every variant of these programs.
std::vector<LeagueEntry> league_entries(const LeagueSpec& spec,
                                        const std::vector<std::string>& programs);

/// The cells of an entry that its method takes, in the order of the rows.
std::vector<Cell> league_cells(const LeagueSpec& spec, const LeagueEntry& entry);
LeagueRow league_row(const LeagueEntry& entry, const Cell& cell, const CellResult& result);

/// What a step takes beside one of erk4 on index1 of the same problem; NaN: not measured.
struct LeagueTime {
  std::string program, variant, problem;
  double ratio = 0;
};

/// results/league: runs.csv and times.csv. Rows of programs that are not there are kept as they
/// are. Throws BadInput for damaged files.
std::vector<LeagueRow> read_league_rows(const std::filesystem::path& results);
void write_league_rows(const std::vector<LeagueRow>& rows, const std::filesystem::path& results);
std::vector<LeagueTime> read_league_times(const std::filesystem::path& results);
void write_league_times(const std::vector<LeagueTime>& times, const std::filesystem::path& results);

/// results/league/league.md, the page and league.svg from the rows.
void write_league(const LeagueSpec& spec, const std::vector<LeagueRow>& rows,
                  const std::vector<LeagueTime>& times, const std::filesystem::path& results);

}  // namespace daemark
