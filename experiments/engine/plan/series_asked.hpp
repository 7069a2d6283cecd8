// Which series of a cell's result the figures draw: the others of a run with history are not kept
// with the finished cell, of which they would be nine tenths.
#pragma once

#include "experiments/engine/run/runner.hpp"
#include "experiments/engine/write/book.hpp"

namespace daemark {

/// By canonical cell, of all items of the books. A cell that is not named keeps all: a study, whose
/// record holds them, and the motion of an animation.
std::map<std::string, std::set<std::string>> series_asked(const Books& books);

}  // namespace daemark
