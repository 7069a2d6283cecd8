// The script and style of diagrams that people explore (explore.hpp), of lists filtered by
// expressions of tags, and of the search over everything.
#include "experiments/report/explore.hpp"

namespace daemark {

const char* const kExploreStyle = R"css(
:root { --f0: #0b5cad; --f1: #c2410c; --f2: #15803d; --f3: #9333ea; --f4: #ca8a04; --f5: #0e7490;
  --f6: #be123c; --f7: #4d5562; --f8: #1c1e21; --f9: #8b95a5; }
@media screen and (prefers-color-scheme: dark) { :root { --f0: #6cb2f7; --f1: #ff9a62;
  --f2: #5fd08a; --f3: #cf9bff; --f4: #f2c94c; --f5: #56c8df; --f6: #ff8ea0; --f7: #a0a8b4;
  --f8: #e4e6ea; --f9: #d6c84a; } }
.f0 { --c: var(--f0); } .f1 { --c: var(--f1); } .f2 { --c: var(--f2); } .f3 { --c: var(--f3); }
.f4 { --c: var(--f4); } .f5 { --c: var(--f5); } .f6 { --c: var(--f6); } .f7 { --c: var(--f7); }
.f8 { --c: var(--f8); } .f9 { --c: var(--f9); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr));
  gap: 1rem 1.4rem; }
.explore, .small { margin: .6rem 0; position: relative; }
.explore svg, .small svg { display: block; width: 100%; height: auto; max-width: 56rem;
  font: 11px system-ui, sans-serif; touch-action: pan-y; }
.explore svg text, .small svg text { fill: var(--soft); } .grid { stroke: var(--line);
  fill: none; }
.linear { grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
.small svg { max-width: 22rem; } .linear .explore svg { font-size: 18px; }
.c { fill: none; stroke: var(--c); stroke-width: 1.1; opacity: .3; stroke-linejoin: round; }
.c.front { opacity: 1; stroke-width: 1.8; } .c.dashed, .c.dashes { stroke-dasharray: 5 3; }
.c.dots { stroke-dasharray: 1.5 2.5; } .c.points { stroke-linecap: round; stroke-width: 5; }
.keyed .c { opacity: .9; } .keyed .c:not(.points) { stroke-width: 1.5; }
.keyed .families { font-size: .85rem; } .families .dashes, .families .dots { height: 0;
  background: none; border-top: .2rem dashed var(--c); } .families .dots { border-top-style: dotted; }
.chosen .c { opacity: .13; stroke-width: 1; } .chosen .c.in { opacity: .95; stroke-width: 1.8; }
.explore .c.pin, .explore .c.hot { opacity: 1; stroke-width: 3.2; }
.c.mine { stroke: var(--text); stroke-width: 2.8; opacity: 1; } .c.off { display: none; }
.hit { fill: var(--back); stroke: var(--text); stroke-width: 2; pointer-events: none; }
.says { position: absolute; z-index: 3; left: 0; top: 0; pointer-events: none; max-width: 17rem;
  background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .5rem;
  font-size: .8rem; line-height: 1.35; box-shadow: 0 2px 8px #0003; }
.legend { position: sticky; top: 0; z-index: 2; background: var(--back); padding: .4rem 0;
  border-bottom: 1px solid var(--line); font-size: .85rem; display: flex; flex-wrap: wrap;
  gap: .2rem 1.2rem; align-items: center; }
.legend p { margin: 0; } .families { list-style: none; margin: 0; padding: 0; display: flex;
  flex-wrap: wrap; gap: .1rem .9rem; }
.families li { white-space: nowrap; } .families i { display: inline-block; width: 1.1rem;
  height: .25rem; border-radius: 2px; background: var(--c); margin-right: .35rem;
  vertical-align: middle; }
.families button { font: inherit; color: inherit; background: none; border: 0; padding: .15rem 0;
  cursor: pointer; } .families [aria-pressed=false] { opacity: .35; text-decoration: line-through; }
.parts button, .pages button { font: inherit; color: var(--soft); background: none;
  border: 1px solid var(--line); border-radius: 5px; padding: .1rem .55rem; margin-right: .2rem;
  cursor: pointer; } .parts [aria-pressed=true] { color: var(--text); border-color: var(--link); }
.choose, .parts, .tagged { display: none; } .js .choose, .js .parts, .js .tagged { display: block; }
.choose input, .tagged input { font: inherit; color: inherit; background: var(--back);
  border: 1px solid var(--line); border-radius: 6px; padding: .2rem .5rem; width: 19rem;
  max-width: 100%; }
.bad-input input { border-color: var(--bad); } .facts th { font-weight: 500; }
.tags { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; padding: 0; margin: .5rem 0; }
.tags li { border: 1px solid var(--line); border-radius: 999px; padding: 0 .55rem;
  font-size: .78rem; }
math[display=block] { margin: .7rem 0; overflow-x: auto; max-width: 100%; }
.tableau { border-collapse: collapse; } .tableau td { padding: .25rem .6rem; text-align: center; }
.tableau td:first-child { border-right: 1.5px solid var(--text); }
.tableau tr.b:not(.b + .b) td { border-top: 1.5px solid var(--text); } .tableau tr { border: 0; }
.fill { stroke: var(--c); stroke-width: 1.04; opacity: .3; shape-rendering: crispEdges; }
.cross { stroke: var(--soft); fill: none; }
@media (max-width: 40rem) { .legend { position: static; } }
@media print { .legend { position: static; } .choose, .parts, .tagged { display: none !important; }
  .explore { break-inside: avoid; } }
)css";

const char* const kExploreScript = R"js(
(function () {
  'use strict';
  var all = function (selector, root) {
    return Array.prototype.slice.call((root || document).querySelectorAll(selector));
  };
  var tags = window.daemarkTags || { names: [], numbers: {}, methods: {} };
  document.documentElement.classList.add('js');

  // Expressions of tags, as `daemark list methods --tag` has them: true, false or undecided (null).
  function parse(text) {
    var at = 0, lower = {};
    tags.names.forEach(function (name, i) { lower[name.toLowerCase()] = i; });
    function fail(what) { throw new Error('character ' + (at + 1) + ': ' + what); }
    function blanks() { while (/\s/.test(text.charAt(at))) ++at; }
    function take(sign) {
      blanks();
      if (text.charAt(at) !== sign || (sign === '!' && text.charAt(at + 1) === '=')) return false;
      ++at;
      if ((sign === '&' || sign === '|') && text.charAt(at) === sign) ++at;
      return true;
    }
    function joined(part, sign, decisive) {
      var parts = [part()];
      while (take(sign)) parts.push(part());
      return function (m) {
        var open = false;
        for (var i = 0; i < parts.length; ++i) {
          var truth = parts[i](m);
          if (truth === decisive) return decisive;
          if (truth === null) open = true;
        }
        return open ? null : !decisive;
      };
    }
    function either() { return joined(both, '|', true); }
    function both() { return joined(unary, '&', false); }
    function unary() {
      if (take('!')) {
        var inner = unary();
        return function (m) { var truth = inner(m); return truth === null ? null : !truth; };
      }
      if (take('(')) {
        var whole = either();
        if (!take(')')) fail('a parenthesis is not closed');
        return whole;
      }
      var word = /^\w+/.exec(text.slice(at));
      if (!word) fail('a tag should stand here');
      var name = word[0], index = lower[name.toLowerCase()];
      if (index === undefined && !Object.keys(tags.methods).some(function (m) {
        return m.split('(')[0] === name; })) fail('"' + name + '" is no tag');
      at += name.length;
      if (index === undefined) return function (m) { return m.split('(')[0] === name; };
      var value = function (m) { return (tags.methods[m] || [])[index]; };
      if (!tags.numbers[tags.names[index]]) {
        return function (m) { var v = value(m); return v === null || v === undefined ? null : v === 1; };
      }
      blanks();
      var sign = /^(<=|>=|!=|==|<|>|=)\s*(-?[\d.]+(?:e-?\d+)?)/.exec(text.slice(at));
      if (!sign) fail(name + ' is a number: ' + name + '>=2');
      at += sign[0].length;
      var number = parseFloat(sign[2]);
      return function (m) {
        var v = value(m);
        if (v === null || v === undefined) return null;
        if (v === 'unbounded') v = Infinity;
        switch (sign[1]) {
          case '<': return v < number;
          case '<=': return v <= number;
          case '>': return v > number;
          case '>=': return v >= number;
          case '!=': return v !== number;
          default: return v === number;
        }
      };
    }
    var root = either();
    blanks();
    if (at < text.length) fail('"' + text.slice(at, at + 8) + '" does not belong there');
    return root;
  }
  window.daemarkExpression = parse;

  // What is typed: an expression where it is one, else words in the name.
  function chooser(text) {
    text = text.trim();
    if (!text) return { holds: null };
    try {
      var holds = parse(text);
      return { holds: function (m) { return holds(m) === true; } };
    } catch (error) {
      var words = text.toLowerCase().split(/\s+/), plain = !/[&|!<>]/.test(text);
      return { error: plain ? '' : error.message,
               holds: plain ? function (m, name) {
                 return words.every(function (w) {
                   return (m + ' ' + name).toLowerCase().indexOf(w) >= 0;
                 });
               } : null };
    }
  }

  // The canonical call of a curve or row, which may stand in its name.
  function method(node) {
    return node.getAttribute('data-m') ||
           node.getAttribute('data-n').replace(/ †$/, '').replace(/ with control$/, '');
  }

  // ---- Tables whose rows are methods ---------------------------------------------------------
  all('.tagged').forEach(function (bar) {
    var input = bar.querySelector('input'), said = bar.querySelector('span');
    var rows = all('tr[data-m], tr[data-n]', document.getElementById(bar.getAttribute('data-for')));
    var filter = function () {
      var wanted = chooser(input.value), left = 0;
      rows.forEach(function (row) {
        row.hidden = !!wanted.holds && !wanted.holds(method(row), row.textContent);
        if (!row.hidden) ++left;
      });
      bar.classList.toggle('bad-input', !!wanted.error);
      said.textContent = wanted.error || left + ' of ' + rows.length;
    };
    input.addEventListener('input', filter);
    filter();
  });

  // ---- Diagrams ------------------------------------------------------------------------------
  // What is switched off: by the legend of the page, or by that of the diagrams around a node.
  function hidden(node) {
    var scope = node.closest('.keyed') || document.body;
    scope.daemarkOff = scope.daemarkOff || {};
    return scope.daemarkOff;
  }
  var figures = all('.explore').map(function (node) {
    var axis = function (name) {
      var v = node.getAttribute(name).split(' ').map(Number);
      return { log: v[0], from: v[1], to: v[2], begin: v[3], end: v[4] };
    };
    var figure = { node: node, svg: node.querySelector('svg'), x: axis('data-x'), y: axis('data-y'),
                   h: node.getAttribute('data-h').split('|'),
                   t: node.getAttribute('data-t').split('|'), label: node.getAttribute('data-xl') };
    figure.off = hidden(node);
    figure.between = node.classList.contains('continuous');
    figure.parts = all('.part', node).map(function (part) {
      return { id: part.getAttribute('data-part'), node: part,
               label: part.querySelector('.axis').textContent,
               curves: all('.c', part).map(function (path) {
        var k = path.getAttribute('data-k'), points = [];
        path.getAttribute('d').replace(/([ML])([\d.-]+) ([\d.-]+)/g, function (_, sign, x, y) {
          points.push({ x: +x, y: +y, joined: sign === 'L' });
        });
        (k ? k.split(' ').map(Number) : points.map(function (_, i) { return i; }))
          .forEach(function (index, i) { points[i].k = index; });
        var name = path.getAttribute('data-n');
        return { path: path, name: name, method: method(path),
                 family: path.getAttribute('data-f') || /\bf(\d)\b/.exec(path.getAttribute('class'))[1],
                 points: points,
                 dashed: path.classList.contains('dashed') };
      }) };
    });
    return figure;
  });
  if (!figures.length) return;
  var state = { part: '', pin: '', holds: null };

  function value(axis, place) {
    var part = (place - axis.begin) / (axis.end - axis.begin);
    if (axis.log) return axis.from * Math.pow(axis.to / axis.from, part);
    // no digit that a place in the picture does not have
    var grain = Math.pow(10, Math.floor(Math.log10(axis.to - axis.from)) - 3);
    return Math.round((axis.from + part * (axis.to - axis.from)) / grain) * grain;
  }
  function text(axis, place) {
    var number = value(axis, place), size = Math.abs(number);
    if (size === 0) return '0';
    if (size >= (axis.log ? 10 : 1e-3) && size < 1e6) return String(+number.toPrecision(4));
    return number.toExponential(2).replace('e+', 'e');
  }
  function part(figure) {
    return figure.parts.filter(function (p) { return p.id === state.part; })[0] || figure.parts[0];
  }
  function visible(curve) { return !curve.path.classList.contains('off'); }
  function draw() {
    figures.forEach(function (figure) {
      figure.parts.forEach(function (p) {
        p.node.style.display = p === part(figure) ? '' : 'none';
        p.curves.forEach(function (curve) {
          var chosen = !state.holds || state.holds(curve.method, curve.name);
          var classes = curve.path.classList;
          classes.toggle('off', !!figure.off[curve.family]);
          classes.toggle('in', chosen);
          classes.toggle('pin', curve.name === state.pin);
          if (curve.name === state.pin) curve.path.parentNode.appendChild(curve.path);
        });
      });
      figure.svg.classList.toggle('chosen', !!state.holds);
    });
    all('.parts button').forEach(function (b) {
      b.setAttribute('aria-pressed', b.getAttribute('data-part') === state.part);
    });
  }
  function hide(figure) {
    if (!figure.hot) return;
    figure.hot.path.classList.remove('hot');
    figure.hot = null;
    figure.mark.remove();
    figure.says.hidden = true;
  }
  function show(figure, curve, index, between) {
    hide(figure);
    var point = between || curve.points[index], p = part(figure);
    figure.hot = curve;
    figure.index = index;
    curve.path.classList.add('hot');
    if (!figure.mark) {
      figure.mark = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
      figure.mark.setAttribute('class', 'hit');
      figure.mark.setAttribute('r', 4.5);
      figure.says = document.createElement('div');
      figure.says.className = 'says';
      figure.says.setAttribute('role', 'status');
      figure.node.appendChild(figure.says);
    }
    figure.mark.setAttribute('cx', point.x);
    figure.mark.setAttribute('cy', point.y);
    figure.svg.appendChild(figure.mark);
    var knob = (curve.dashed ? figure.t : figure.h)[point.k];
    var lines = [curve.name, knob, figure.label + ' ' + text(figure.x, point.x),
                 p.label + ' ' + text(figure.y, point.y)].filter(Boolean);
    figure.says.textContent = '';
    lines.forEach(function (line, i) {
      var row = document.createElement(i ? 'div' : 'b');
      row.textContent = line;
      figure.says.appendChild(row);
    });
    figure.says.hidden = false;
    var scale = figure.svg.clientWidth / figure.svg.viewBox.baseVal.width;
    var x = point.x * scale, w = figure.says.offsetWidth, h = figure.says.offsetHeight;
    var y = point.y * scale + figure.svg.offsetTop;
    var over = x + 14 + w > figure.node.clientWidth;
    figure.says.style.left = Math.max(0, over ? x - 14 - w : x + 14) + 'px';
    figure.says.style.top = Math.max(0, y - h - 10) + 'px';
  }
  function foot(a, b, x, y) {  // the point of a segment nearest to (x, y)
    var dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    var s = length ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length)) : 0;
    return { x: a.x + s * dx, y: a.y + s * dy };
  }
  function nearest(figure, event) {
    var box = figure.svg.getBoundingClientRect(), scale = figure.svg.viewBox.baseVal.width / box.width;
    var x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    var best = null, least = 900;
    part(figure).curves.forEach(function (curve) {
      if (!visible(curve)) return;
      var pale = state.holds && !state.holds(curve.method, curve.name) ? 300 : 0;
      curve.points.forEach(function (p, i) {
        var at = figure.between && p.joined ? foot(curve.points[i - 1], p, x, y) : p;
        var d = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y) + pale;
        if (d < least) { least = d; best = { curve: curve, index: i, at: at }; }
      });
    });
    return best;
  }
  function pin(name) {
    state.pin = state.pin === name ? '' : name;
    draw();
    all('tr[data-n]').forEach(function (row) {
      row.classList.toggle('ours', !!state.pin && row.getAttribute('data-n') === state.pin);
    });
  }
  figures.forEach(function (figure) {
    figure.node.tabIndex = 0;
    figure.node.setAttribute('aria-label', figure.svg.getAttribute('aria-label') +
      '. Arrow keys go from point to point and from curve to curve, Enter keeps a curve in front.');
    figure.svg.addEventListener('pointermove', function (event) {
      var found = nearest(figure, event);
      if (found) show(figure, found.curve, found.index, found.at); else hide(figure);
    });
    figure.svg.addEventListener('pointerleave', function () { hide(figure); });
    figure.svg.addEventListener('click', function (event) {
      var found = nearest(figure, event);
      if (found) { pin(found.curve.name); show(figure, found.curve, found.index, found.at); }
      else if (state.pin) pin(state.pin);
    });
    figure.node.addEventListener('keydown', function (event) {
      var step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (event.key === 'Escape') { hide(figure); if (state.pin) pin(state.pin); return; }
      if (event.key === 'Enter' && figure.hot) { pin(figure.hot.name); event.preventDefault(); return; }
      if (!step) return;
      event.preventDefault();
      var curves = part(figure).curves.filter(function (c) {
        return visible(c) && (!state.holds || state.holds(c.method, c.name));
      }).sort(function (a, b) { return a.name < b.name ? -1 : a.name > b.name ? 1 : 0; });
      if (!curves.length) return;
      var at = curves.indexOf(figure.hot);
      if (at < 0) { show(figure, curves[0], 0); return; }
      var curve = curves[(at + step[0] + curves.length) % curves.length];
      var index = Math.min(Math.max(figure.index + step[1], 0), curve.points.length - 1);
      show(figure, curve, index);
    });
  });
  all('.families li').forEach(function (item) {
    var button = document.createElement('button'), family = item.getAttribute('data-f');
    var off = hidden(item);
    button.type = 'button';
    button.setAttribute('aria-pressed', 'true');
    while (item.firstChild) button.appendChild(item.firstChild);
    item.appendChild(button);
    button.addEventListener('click', function () {
      off[family] = !off[family];
      button.setAttribute('aria-pressed', String(!off[family]));
      figures.forEach(hide);
      draw();
    });
  });
  all('.parts button').forEach(function (button) {
    if (!state.part) state.part = button.getAttribute('data-part');
    button.addEventListener('click', function () {
      state.part = button.getAttribute('data-part');
      figures.forEach(hide);
      draw();
    });
  });
  all('.choose').forEach(function (bar) {
    var input = bar.querySelector('input'), said = bar.querySelector('span');
    input.addEventListener('input', function () {
      var wanted = chooser(input.value), names = {};
      state.holds = wanted.holds;
      bar.classList.toggle('bad-input', !!wanted.error);
      draw();
      figures.forEach(function (f) {
        part(f).curves.forEach(function (c) { if (c.path.classList.contains('in')) names[c.name] = 1; });
      });
      said.textContent = wanted.error || (state.holds ? Object.keys(names).length + ' curves' : '');
    });
  });
  all('tr[data-n]').forEach(function (row) {
    row.addEventListener('click', function (event) {
      if (event.target.closest('a')) return;
      pin(row.getAttribute('data-n'));
    });
  });
  draw();
})();
)js";

}  // namespace daemark
