#include "analysis/report/report_assets.hpp"

#include <map>

#include "base/text/bad_input.hpp"

namespace daemark {

const VerdictText& verdict_text(const std::string& verdict) {
  static const std::map<std::string, VerdictText> kTexts{
      {"reproduced",
       {"✓", "good", "inside the interval the printed digits stand for (2.6 is [2.55, 2.65])"}},
      {"close", {"≈", "good", "within 5 % of the printed number"}},
      {"same_order", {"∼", "fair", "within a factor of 3"}},
      {"floor", {"⌊⌋", "none", "both below a declared round-off floor: a bound, not digits"}},
      {"differs", {"≠", "odd", "elsewhere, and no second route has confirmed our number yet"}},
      {"contradicted", {"✗", "bad", "elsewhere, and a second independent route gives our number"}},
      {"not_comparable",
       {"–", "none", "runtimes, others' results, parameters the paper leaves out"}},
      {"holds", {"✓", "good", "the claim is true in every part that was measured"}},
      {"holds_partly", {"◐", "fair", "some parts of the claim are true"}},
      {"fails", {"✗", "bad", "no part of the claim is true"}},
      {"undetermined", {"?", "none", "what was measured does not decide it"}}};
  const auto found = kTexts.find(verdict);
  if (found == kTexts.end()) {
    std::string accepted;
    for (const auto& [word, text] : kTexts) accepted += (accepted.empty() ? "" : ", ") + word;
    throw BadInput("unknown verdict '" + verdict + "'; accepted are " + accepted);
  }
  return found->second;
}

const char* const kReportStyle = R"css(
:root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #5d6470; --line: #dcdfe4;
  --panel: #f5f6f8; --link: #0b5cad; --good: #0b6b45; --good-b: #e0f3ea; --fair: #7a5200;
  --fair-b: #fdf0d2; --odd: #9a3c00; --odd-b: #fde6d8; --bad: #a3122a; --bad-b: #fbe1e4;
  --none: #4d5562; --none-b: #eceef1; }
@media (prefers-color-scheme: dark) { :root { --back: #15171a; --text: #e4e6ea; --soft: #9aa2ae;
  --line: #343941; --panel: #1e2126; --link: #7db8f5; --good: #7fdcb0; --good-b: #12362a;
  --fair: #f0c86a; --fair-b: #3a2e10; --odd: #ffb184; --odd-b: #40240f; --bad: #ff9aa8;
  --bad-b: #46161d; --none: #b4bcc8; --none-b: #2a2e35; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-size: 1.9rem; margin: 0 0 .2rem; letter-spacing: -.01em; }
h2 { font-size: 1.45rem; margin: 2.5rem 0 .3rem; }
h3 { font-size: 1.12rem; margin: 0 0 .4rem; }
h4 { font-size: .95rem; margin: 1.1rem 0 .3rem; }
p { margin: .4rem 0; max-width: 78ch; }
code { font: .86em ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.soft { color: var(--soft); }
.top { padding: 2rem 2rem 1rem; border-bottom: 1px solid var(--line); background: var(--panel); }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
.page > nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto;
  padding: 1.2rem 1rem 2rem 2rem; font-size: .88rem; border-right: 1px solid var(--line); }
nav ol { list-style: none; margin: 0 0 1rem; padding: 0; }
nav b { display: block; margin-top: .6rem; }
nav li { margin: .1rem 0; line-height: 1.35; padding-left: .6rem; }
main { padding: 0 2rem 4rem; min-width: 0; }
.bar { position: sticky; top: 0; z-index: 2; background: var(--back); padding: .6rem 0;
  border-bottom: 1px solid var(--line); display: none; flex-wrap: wrap; gap: .35rem;
  align-items: center; font-size: .85rem; }
.js .bar { display: flex; }
.bar input[type=search] { font: inherit; padding: .25rem .6rem; width: 15rem; color: inherit;
  background: var(--back); border: 1px solid var(--line); border-radius: 6px; margin-right: .4rem; }
.bar label { cursor: pointer; } .bar label input { position: absolute; opacity: 0; }
.bar label .chip { border: 1.5px solid transparent; }
.bar label input:checked + .chip { border-color: currentColor; font-weight: 600; }
.bar label input:focus-visible + .chip { outline: 2px solid var(--link); }
.bar button, .copy { font: inherit; font-size: .8rem; cursor: pointer; color: var(--soft);
  background: none; border: 1px solid var(--line); border-radius: 5px; padding: .1rem .5rem; }
.chip { display: inline-block; white-space: nowrap; border-radius: 999px; padding: 0 .5rem;
  font-size: .76rem; line-height: 1.45rem; }
.chip i { font-style: normal; margin-right: .25rem; }
.good { color: var(--good); background: var(--good-b); }
.fair { color: var(--fair); background: var(--fair-b); }
.odd { color: var(--odd); background: var(--odd-b); }
.bad { color: var(--bad); background: var(--bad-b); }
.none { color: var(--none); background: var(--none-b); }
.item { margin: 1.4rem 0; padding: 1.1rem 1.2rem 1.2rem; border: 1px solid var(--line);
  border-radius: 10px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .5rem 0 .35rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; }
.summary th, .summary td { padding: .4rem .45rem; }
thead th { border-bottom: 2px solid var(--line); font-weight: 600; vertical-align: bottom; }
tbody tr { border-bottom: 1px solid var(--line); }
tbody th { font-weight: 500; min-width: 7.5rem; } tr.group th { background: var(--panel); font-weight: 600; }
.measured { font-weight: 600; white-space: nowrap; }
.failed { color: var(--bad); font-weight: 500; }
.differs { color: var(--odd); background: var(--odd-b); border-radius: 4px; padding: 0 .25rem; }
.filter { display: none; align-items: center; gap: .8rem; font-size: .85rem; }
.js .filter { display: flex; }
.filter input[type=search] { font: inherit; padding: .2rem .5rem; width: 16rem; color: inherit;
  background: var(--back); border: 1px solid var(--line); border-radius: 6px; }
.js .sortable thead th { cursor: pointer; }
.sortable th[aria-sort=ascending]::after { content: " ▲"; }
.sortable th[aria-sort=descending]::after { content: " ▼"; }
.printed span { white-space: nowrap; }
.printed { display: block; font-size: .82rem; color: var(--soft);
  margin-top: .12rem; }
.printed b { font-weight: 500; color: var(--text); }
.claims { width: 100%; } .claims td { min-width: 8rem; } .claims .text { min-width: 16rem; }
.cmd { display: block; background: var(--panel); border-left: 3px solid var(--line);
  padding: .3rem .6rem; margin: .25rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.cmd::before { content: "$ "; color: var(--soft); }
.cmd .copy { float: right; margin-left: .6rem; }
details { margin: .5rem 0; font-size: .88rem; } summary { cursor: pointer; color: var(--soft); }
details ul, .notes { margin: .3rem 0; padding-left: 1.2rem; font-size: .88rem; max-width: 90ch; }
details dl { margin: .3rem 0; } dt { font-weight: 500; margin-top: .4rem; } dd { margin: 0; }
figure { margin: 1rem 0; } figure img { max-width: 100%; height: auto; border-radius: 6px;
  border: 1px solid var(--line); background: #fff; }
figcaption { font-size: .88rem; max-width: 90ch; }
.files { font-size: .85rem; } .files a { margin-right: .9rem; }
[hidden] { display: none !important; }
#nothing { display: none; padding: 2rem 0; color: var(--soft); }
@media (max-width: 60rem) { .page { display: block; } .page > nav { position: static; border: 0;
  max-height: none; padding: 1rem 1.2rem 0; } main { padding: 0 1.2rem 3rem; }
  .top { padding: 1.2rem; } }
@media print { .page { display: block; }
  .page > nav, .js .bar, .js .filter, .copy { display: none; }
  body { font-size: 11px; } .item { border: 0; padding: 0; } tr, figure { break-inside: avoid; }
  details:not([open]) > *:not(summary) { display: block; } main { padding: 0; } }
)css";

const char* const kReportScript = R"js(
(function () {
  'use strict';
  var all = function (selector, root) {
    return Array.prototype.slice.call((root || document).querySelectorAll(selector));
  };
  document.documentElement.classList.add('js');
  var search = document.getElementById('search'), boxes = all('.bar input[type=checkbox]');
  var nothing = document.getElementById('nothing');
  function showsGroup(row) {
    for (var r = row.nextElementSibling; r && !r.classList.contains('group');
         r = r.nextElementSibling) {
      if (!r.hidden) return true;
    }
    return false;
  }
  function apply() {
    var wanted = boxes.filter(function (b) { return b.checked; })
                      .map(function (b) { return b.value; });
    var words = search.value.toLowerCase().match(/"[^"]+"|\S+/g) || [], shown = 0;
    words = words.map(function (w) { return w.replace(/"/g, ''); });
    var has = function (text) {
      text = text.toLowerCase();
      return words.every(function (w) { return text.indexOf(w) >= 0; });
    };
    var filters = all('.block').map(tableFilter);
    all('.item').forEach(function (item) {
      var named = has(item.getAttribute('data-name')), any = false;
      var rows = all('tr[data-v]', item);
      rows.forEach(function (row) {
        var verdicts = row.getAttribute('data-v').split(' ');
        var ok = (!wanted.length || verdicts.some(function (v) { return wanted.indexOf(v) >= 0; }))
                 && (named || has([item.getAttribute('data-name'), row.getAttribute('data-g'),
                                   row.textContent].join(' ')));
        row.classList.toggle('in', ok);
        row.hidden = !ok || row.classList.contains('out');
        any = any || ok;
      });
      all('tr.group', item).forEach(function (row) { row.hidden = !showsGroup(row); });
      all('.block', item).forEach(function (block) {
        block.hidden = !block.querySelector('tr.in');
      });
      item.hidden = !(any || (!wanted.length &&
                              (named || (!rows.length && has(item.textContent)))));
      if (!item.hidden) ++shown;
    });
    filters.forEach(function (count) { count(); });
    nothing.style.display = shown ? 'none' : 'block';
  }
  // A table's own filter: marks rows 'out'; gives back what writes the count of those left.
  function tableFilter(block) {
    var bar = block.querySelector('.filter'), rows = all('tr[data-v]', block);
    if (!bar) return function () {};
    var words = bar.querySelector('input[type=search]').value.toLowerCase().split(/\s+/);
    var box = bar.querySelector('input[type=checkbox]');
    rows.forEach(function (row) {
      var text = (row.getAttribute('data-g') + ' ' + row.textContent).toLowerCase();
      row.classList.toggle('out', !words.every(function (w) { return text.indexOf(w) >= 0; }) ||
                                  !!(box && box.checked && !row.querySelector('.differs')));
    });
    return function () {
      var left = rows.filter(function (row) { return !row.hidden; }).length;
      bar.querySelector('.soft').textContent = left + ' of ' + rows.length + ' rows';
    };
  }
  // Sorting keeps the groups: numbers by value, everything else by its text, empty ones last.
  function sortKey(row, column) {
    var cell = row.children[column], value = cell.querySelector('.measured') || cell;
    var text = value.textContent.trim(), number = parseFloat(text.replace('−', '-'));
    return column > 0 ? (isNaN(number) ? null : number) : text;
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
        if (!order) return a.place - b.place;
        if (a.key === b.key) return a.place - b.place;
        if (a.key === null || b.key === null) return a.key === null ? 1 : -1;
        return sign * (typeof a.key === 'number' ? a.key - b.key : a.key.localeCompare(b.key));
      });
      group.forEach(function (entry) { body.appendChild(entry.row); });
      group = [];
    };
    Array.prototype.slice.call(body.rows).forEach(function (row) {
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
  all('.filter input').forEach(function (input) { input.addEventListener('input', apply); });
  boxes.forEach(function (b) { b.addEventListener('change', apply); });
  search.addEventListener('input', apply);
  document.getElementById('clear').addEventListener('click', function () {
    boxes.forEach(function (b) { b.checked = false; });
    search.value = '';
    all('.filter input').forEach(function (input) { input.checked = false; if (input.type === 'search') input.value = ''; });
    apply();
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
})();
)js";

}  // namespace daemark
