#include "base/program/stop.hpp"

namespace daemark {
namespace {

thread_local StopToken* current = nullptr;

}  // namespace

StopScope::StopScope(StopToken& token) : outer_(current) { current = &token; }
StopScope::~StopScope() { current = outer_; }

void checkpoint() {
  if (current == nullptr || current->cause() == StopCause::none) return;
  current->notice();
  throw Stopped{current->cause()};
}

}  // namespace daemark
