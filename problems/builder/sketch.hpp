// Drawings of points that are fixed in bodies.
#pragma once

#include "problems/system/drawing.hpp"

namespace daemark {

/// A point has `SpacePoint in_space(const double* q) const`.
template <class Point>
class Sketch {
 public:
  void add(DrawnShape::Kind kind, std::vector<Point> points, bool closed = false) {
    pieces_.push_back({kind, std::move(points), closed});
  }
  auto shapes() && {
    return [pieces = std::move(pieces_)](double, const double* q) {
      std::vector<DrawnShape> shapes;
      for (const Piece& piece : pieces) {
        shapes.push_back({piece.kind, {}, piece.closed});
        for (const Point& point : piece.points) shapes.back().points.push_back(point.in_space(q));
      }
      return shapes;
    };
  }

 private:
  struct Piece {
    DrawnShape::Kind kind;
    std::vector<Point> points;
    bool closed;
  };
  std::vector<Piece> pieces_;
};

}  // namespace daemark
