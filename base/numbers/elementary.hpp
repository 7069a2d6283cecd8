// The elementary functions of <cmath> in double with the same digits on every processor
// (elementary.cpp). Scalars include it, so that the digest of every result depends on it.
#pragma once

#include <cmath>
