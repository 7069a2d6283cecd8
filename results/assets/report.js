
(function () {
  'use strict';
  var all = function (selector, root) {
    return Array.prototype.slice.call((root || document).querySelectorAll(selector));
  };
  var one = function (id) { return document.getElementById(id); };
  document.documentElement.classList.add('js');
  var search = one('search'), boxes = all('.bar input[type=checkbox]');
  var paper = one('paper'), kind = one('kind');

  // What is shown or not: rows of tables, entries of the index. Its surroundings are looked up once.
  var units = all('.item tr[data-v], .entry').map(function (node) {
    var box = node.closest('.item, .group-of'), of = function (name) {
      var near = node.closest('[data-' + name + ']');
      return near ? near.getAttribute('data-' + name) : '';
    };
    return { node: node, box: box, paper: of('p'), kind: of('k'),
             verdicts: (node.getAttribute('data-v') || '').split(' ').filter(Boolean),
             text: [box.getAttribute('data-name'), node.getAttribute('data-g') || '',
                    node.textContent].join(' ').toLowerCase() };
  });
  var containers = all('.item, .group-of');

  function words(text) {
    return (text.toLowerCase().match(/"[^"]+"|[^\s"]+/g) || []).map(function (w) {
      return w.replace(/"/g, '');
    });
  }
  function showsGroup(row) {
    for (var r = row.nextElementSibling; r && !r.classList.contains('group');
         r = r.nextElementSibling) {
      if (!r.hidden) return true;
    }
    return false;
  }
  function apply() {
    if (!search) { all('.block').forEach(function (b) { tableFilter(b)(); }); return; }
    var wanted = boxes.filter(function (b) { return b.checked; })
                      .map(function (b) { return b.value; });
    var sought = words(search.value), counts = {}, active = wanted.length > 0 || sought.length > 0;
    if (paper && paper.value || kind && kind.value) active = true;
    var has = function (text) {
      return sought.every(function (w) { return text.indexOf(w) >= 0; });
    };
    var filters = all('.block').map(tableFilter);
    containers.forEach(function (box) { box.found = 0; box.rows = 0; box.any = false; });
    units.forEach(function (unit) {
      var near = has(unit.text) && (!paper || !paper.value || unit.paper === paper.value) &&
                 (!kind || !kind.value || unit.kind === kind.value);
      if (near) {
        unit.verdicts.forEach(function (v) { counts[v] = (counts[v] || 0) + 1; });
      }
      var ok = near && (!wanted.length || unit.verdicts.some(function (v) {
        return wanted.indexOf(v) >= 0;
      }));
      unit.node.hidden = !ok || unit.node.classList.contains('out');
      unit.node.classList.toggle('in', ok);
      ++unit.box.rows;
      if (!ok) return;
      unit.box.any = true;
      unit.box.found += unit.verdicts.filter(function (v) {
        return !wanted.length || wanted.indexOf(v) >= 0;
      }).length;
    });
    var shown = 0, found = 0;
    containers.forEach(function (box) {
      all('tr.group', box).forEach(function (row) { row.hidden = !showsGroup(row); });
      all('.block', box).forEach(function (block) {
        block.hidden = active && !block.querySelector('tr.in');
      });
      var named = !wanted.length && has((box.getAttribute('data-name') || '').toLowerCase());
      var alone = !wanted.length && !box.rows && has(box.textContent.toLowerCase());
      box.hidden = active && !(box.any || alone ||
                               (named && !(paper && paper.value) && !(kind && kind.value)));
      if (!box.hidden) { ++shown; found += box.found; }
    });
    follow();
    boxes.forEach(function (box) {
      var count = counts[box.value] || 0;
      box.parentNode.querySelector('b').textContent = count;
      box.parentNode.classList.toggle('idle', !count);
    });
    filters.forEach(function (count) { count(); });
    var find = one('find');
    if (find) find.classList.toggle('quiet', !active);
    one('found').textContent = active ? found + ' verdicts' : '';
    one('nothing').hidden = shown > 0;
  }
  // The contents: no link to what is hidden, and how many verdicts are left of each.
  function follow() {
    all('.contents a').forEach(function (link) {
      var target = one(link.getAttribute('href').slice(1));
      link.parentNode.hidden = !target || target.hidden;
      var count = link.parentNode.querySelector('.count');
      if (count) count.textContent = target && target.found ? target.found : '';
    });
  }
  // A table's own filter: marks rows 'out'; gives back what writes the count of those left.
  function tableFilter(block) {
    var bar = block.querySelector('.filter'), rows = all('tr[data-v]', block);
    if (!bar) return function () {};
    var sought = words(bar.querySelector('input[type=search]').value);
    var box = bar.querySelector('input[type=checkbox]');
    rows.forEach(function (row) {
      var text = ((row.getAttribute('data-g') || '') + ' ' + row.textContent).toLowerCase();
      var out = !sought.every(function (w) { return text.indexOf(w) >= 0; }) ||
                !!(box && box.checked && !row.querySelector('.differs'));
      row.classList.toggle('out', out);
      if (!search) row.hidden = out;
    });
    return function () {
      var left = rows.filter(function (row) { return !row.hidden; }).length;
      bar.querySelector('.soft').textContent = left + ' of ' + rows.length + ' rows';
    };
  }
  // Sorting keeps the groups: numbers by value, everything else by its text, empty ones last.
  function sortKey(row, column) {
    var cell = row.children[column], value = cell.querySelector('.measured') || cell;
    var text = value.textContent.trim(), number = parseFloat(text.replace('−', '-').replace('≤ ', ''));
    if (column === 0) return text;
    return isNaN(number) ? (text === '' || text === '—' || text === '?' ? null : text) : number;
  }
  function compare(a, b) {
    if (typeof a === typeof b) return typeof a === 'number' ? a - b : a.localeCompare(b);
    return typeof a === 'number' ? -1 : 1;
  }
  function sort(table, head) {
    var heads = all('thead th', table), column = heads.indexOf(head);
    var order = { ascending: 'descending', descending: '' }[head.getAttribute('aria-sort')];
    if (order === undefined) order = 'ascending';
    heads.forEach(function (h) { h.removeAttribute('aria-sort'); });
    if (order) head.setAttribute('aria-sort', order);
    var body = table.tBodies[0], group = [], sign = order === 'descending' ? -1 : 1;
    var flush = function () {
      group.sort(function (a, b) {
        if (!order || a.key === b.key) return a.place - b.place;
        if (a.key === null || b.key === null) return a.key === null ? 1 : -1;
        return sign * compare(a.key, b.key);
      });
      group.forEach(function (entry) { body.appendChild(entry.row); });
      group = [];
    };
    all('tr', body).forEach(function (row) {
      if (row.classList.contains('group')) {
        flush();
        body.appendChild(row);
        return;
      }
      group.push({ row: row, place: +row.getAttribute('data-place'), key: sortKey(row, column) });
    });
    flush();
  }
  all('table.sortable').forEach(function (table) {
    all('tbody tr', table).forEach(function (row, i) { row.setAttribute('data-place', i); });
    all('thead th', table).forEach(function (head) {
      head.tabIndex = 0;
      head.title = 'sort by this column';
      head.addEventListener('click', function () { sort(table, head); });
      head.addEventListener('keydown', function (event) {
        if (event.key === 'Enter') sort(table, head);
      });
    });
  });
  // #v=fails,differs&q=words sets the filters; #ID shows what it names, whatever is filtered.
  function fromAddress() {
    var hash = decodeURIComponent(location.hash.slice(1));
    if (!search || !hash) return;
    if (/^[vq]=/.test(hash)) {
      hash.split('&').forEach(function (part) {
        if (part[0] === 'q') search.value = part.slice(2);
        if (part[0] !== 'v') return;
        boxes.forEach(function (b) { b.checked = part.slice(2).split(',').indexOf(b.value) >= 0; });
      });
      apply();
      return;
    }
    var target = one(hash);
    if (!target) return;
    if (!target.getClientRects().length) clear();
    target.scrollIntoView();
  }
  function clear() {
    boxes.concat(all('.filter input[type=checkbox]')).forEach(function (b) { b.checked = false; });
    all('input[type=search]').forEach(function (input) { input.value = ''; });
    if (paper) paper.value = '';
    if (kind) kind.value = '';
    apply();
  }
  all('.filter input, .bar input, .bar select').forEach(function (input) {
    input.addEventListener('input', apply);
  });
  if (one('clear')) one('clear').addEventListener('click', clear);
  all('form.bar').forEach(function (form) {
    form.addEventListener('submit', function (event) { event.preventDefault(); });
  });
  addEventListener('hashchange', fromAddress);
  addEventListener('beforeprint', function () {
    all('details').forEach(function (d) { d.open = true; });
    all('img[loading]').forEach(function (i) { i.loading = 'eager'; });
  });
  all('.cmd').forEach(function (cmd) {
    var text = cmd.textContent, button = document.createElement('button');
    button.className = 'copy';
    button.type = 'button';
    button.textContent = 'copy';
    button.addEventListener('click', function () {
      var done = function () {
        button.textContent = 'copied';
        setTimeout(function () { button.textContent = 'copy'; }, 1200);
      };
      if (navigator.clipboard) { navigator.clipboard.writeText(text).then(done, function () {}); }
    });
    cmd.insertBefore(button, cmd.firstChild);
  });
  apply();
  fromAddress();
})();

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
