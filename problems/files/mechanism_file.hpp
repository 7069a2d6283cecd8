// Mechanisms as JSON files: what the builders declare, without a compiler.
//
//   {"id": "crank_slider", "kind": "planar" | "spatial", "summary": "...", "source": "...",
//    "data":     [{"name": "a", "value": "0.3", "unit": "m", "source": "..."}, ...],
//    "define":   [{"name": "rod_angle", "value": "-asin(a/b)"}, ...],
//    "gravity":  "g" downwards (planar), [x, y, z] (spatial),
//    "bodies":   [{"name": "crank", "mass": "m1", "inertia": "m1*a^2/12", "theta": "up"}, ...],
//    "elements": [{"type": "revolute", "bodies": ["ground", "crank"], ...}, ...],
//    "outputs":  [{"id": "way", "meaning": "...", "unit": "m", "value": "slider.x"}, ...],
//    "trace":    {"body": "rod", "point": [x, y]}     planar: the path an animation draws,
//    "start":    the time the motion begins, "redundant": count of such constraints (spatial)}
//
// Required are id, kind, source and bodies. An entry is an integer or a formula in quotes
// (file_formula.hpp) over data, what is defined before, and in outputs and drives what moves. Each
// datum is stated once, with its unit, and is a parameter of the problem's call:
// crank_slider(k=300). The elements and their keys: planar_file.cpp, spatial_file.cpp. Kind
// "equations" states coordinates, energies and constraints by formulas; its keys are listed in
// problems/README.md.
#pragma once

#include <filesystem>

#include "problems/system/registry.hpp"

namespace daemark {

/// Adds the mechanism of a file to the registry and returns its id. Throws BadInput, naming the
/// place in the file, for anything that is no mechanism, and for an id that is taken by another
/// than this file.
std::string add_mechanism_file(const std::filesystem::path& path, ProblemRegistry& registry);

/// Adds all files of a folder as problems of the catalogue, each called as its file; they are built
/// when they are made. Throws BadInput.
void add_catalogue_files(const std::filesystem::path& folder, ProblemRegistry& registry);

}  // namespace daemark
