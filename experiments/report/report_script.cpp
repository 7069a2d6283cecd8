// The script of the report's pages: search and filters whose counts and contents follow, sorting,
// links to a claim or a filter, commands to copy. Without it a page shows everything.
#include "experiments/report/report_assets.hpp"

namespace daemark {

const char* const kReportScript = R"js(
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
)js";

}  // namespace daemark
