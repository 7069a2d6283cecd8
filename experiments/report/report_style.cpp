// The style sheet of the report's pages: light, dark, narrow, printed. Tables and figures scroll in
// themselves; on a narrow screen what a page says comes before its contents.
#include "experiments/report/report_assets.hpp"

namespace daemark {

const char* const kReportStyle = R"css(
:root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #5a616d; --line: #dcdfe4;
  --panel: #f5f6f8; --link: #0b5cad; --good: #0b6b45; --good-b: #dcf2e7; --fair: #755000;
  --fair-b: #fdeecb; --odd: #943900; --odd-b: #fde2d2; --bad: #a3122a; --bad-b: #fbdde1;
  --none: #4d5562; --none-b: #e8eaee; --good-s: #2e9e6b; --fair-s: #e0a526; --odd-s: #e07433;
  --bad-s: #cf3349; --none-s: #b6bcc6; }
@media screen and (prefers-color-scheme: dark) { :root { --back: #15171a; --text: #e4e6ea;
  --soft: #a0a8b4; --line: #343941; --panel: #1e2126; --link: #86bdf6; --good: #7fdcb0;
  --good-b: #12362a; --fair: #f0c86a; --fair-b: #3a2e10; --odd: #ffb184; --odd-b: #40240f;
  --bad: #ff9aa8; --bad-b: #46161d; --none: #b4bcc8; --none-b: #2a2e35; --good-s: #2f9468;
  --fair-s: #b98a22; --odd-s: #c0622b; --bad-s: #c23c50; --none-s: #555c67; }
  figure > a img { filter: invert(.91) hue-rotate(180deg); } }
* { box-sizing: border-box; }
html { scroll-padding-top: 6.5rem; }
body { margin: 0; background: var(--back); color: var(--text); overflow-wrap: break-word;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 1.6rem 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.4rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.item h2 { font-size: 1.12rem; margin: 0 0 .4rem; } .item h2 a { color: inherit; }
.item h3 { font-size: .92rem; margin: 1rem 0 .2rem; }
p { margin: .4rem 0; max-width: 78ch; } .lead { font-size: 1.05rem; }
code { font: .86em ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.soft { color: var(--soft); }
.hear, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
.top nav { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: .55rem 2rem;
  border-bottom: 1px solid var(--line); background: var(--panel); font-size: .88rem; }
.top a { color: var(--soft); padding: .15rem 0; } .top a:first-child { font-weight: 700;
  color: var(--text); }
.top a[aria-current] { color: var(--text); box-shadow: inset 0 -2px var(--link); }
.wide { max-width: 76rem; margin: 0 auto; padding: 0 2rem 4rem; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
.page > main { grid-column: 2; grid-row: 1; padding: 0 1.4rem 4rem; max-width: 100rem; }
.contents { grid-column: 1; grid-row: 1; position: sticky; top: 0; align-self: start;
  max-height: 100vh; overflow: auto; padding: 1rem 1rem 2rem 2rem; font-size: .86rem;
  border-right: 1px solid var(--line); }
.contents h2 { font-size: .95rem; margin: .5rem 0; }
.contents ol { list-style: none; margin: 0; padding: 0; }
.contents li { display: flex; gap: .4rem; padding: .12rem 0; line-height: 1.35; }
.contents li a { flex: 1; min-width: 0; }
.count { color: var(--soft); font-variant-numeric: tabular-nums; }
.jump { display: none; }
.dot { display: inline-block; width: .6rem; height: .6rem; border-radius: 50%;
  margin-right: .45rem; }
.chip { display: inline-block; white-space: nowrap; border-radius: 999px; padding: 0 .5rem;
  font-size: .78rem; line-height: 1.45rem; } .chip b { font-weight: 600; }
.chip i { font-style: normal; margin-right: .25rem; }
.sign { padding: 0 .35rem; } .sign i { margin: 0; }
a.chip:hover { text-decoration: underline; }
.good { color: var(--good); background: var(--good-b); }
.fair { color: var(--fair); background: var(--fair-b); }
.odd { color: var(--odd); background: var(--odd-b); }
.bad { color: var(--bad); background: var(--bad-b); }
.none { color: var(--none); background: var(--none-b); }
.share { display: flex; height: .55rem; border-radius: 4px; overflow: hidden; gap: 1px;
  margin-bottom: .4rem; min-width: 9rem; }
.share .good, .dot.good { background: var(--good-s); } .share .bad, .dot.bad {
  background: var(--bad-s); }
.share .fair, .dot.fair { background: var(--fair-s); } .share .odd, .dot.odd {
  background: var(--odd-s); }
.share .none, .dot.none { background: var(--none-s); }
.chips { display: flex; flex-wrap: wrap; gap: .2rem .3rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0; }
.tile { flex: 1 1 13rem; display: block; border-radius: 10px; padding: .7rem 1rem; }
.tile b { font-size: 1.9rem; line-height: 1.2; } .tile .of { font-size: 1.05rem; }
.tile span:last-child { display: block; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .8rem;
  margin: 1.6rem 0; }
.card { border: 1px solid var(--line); border-radius: 10px; padding: .6rem .9rem;
  color: var(--text); } .card b { display: block; color: var(--link); }
.card span { font-size: .86rem; color: var(--soft); }
.papers { width: 100%; } .papers th[scope=row] { width: 32%; }
.papers th .soft { display: block; font-weight: 400; font-size: .82rem; }
.against, .entries { list-style: none; padding: 0; margin: .3rem 0; }
.against > li, .entries > li { padding: .35rem 0; border-bottom: 1px solid var(--line); }
.against ul { margin: .2rem 0; padding-left: 1.4rem; font-size: .86rem; }
.entries > li { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; }
.entries .more { padding-left: 1rem; } .entries .soft { font-size: .82rem; }
.js .quiet .more, #find:not(.quiet) .less { display: none; }
.bar { position: sticky; top: 0; z-index: 2; background: var(--back); padding: .5rem 0;
  border-bottom: 1px solid var(--line); display: none; font-size: .85rem; }
.js .bar { display: block; }
.bar > div { display: flex; flex-wrap: wrap; gap: .3rem .4rem; align-items: center;
  margin-bottom: .3rem; }
.bar input[type=search], .bar select, .filter input[type=search] { font: inherit; color: inherit;
  background: var(--back); border: 1px solid var(--line); border-radius: 6px;
  padding: .25rem .5rem; max-width: 100%; }
.bar input[type=search] { width: 17rem; } .filter input[type=search] { width: 14rem; }
.bar label { cursor: pointer; } .bar label input { position: absolute; opacity: 0; }
.bar label .chip { border: 1.5px solid transparent; }
.bar label input:checked + .chip { border-color: currentColor; font-weight: 600; }
.bar label input:focus-visible + .chip { outline: 2px solid var(--link); }
.bar label.idle { opacity: .45; }
.bar button, .copy { font: inherit; font-size: .8rem; cursor: pointer; color: var(--soft);
  background: none; border: 1px solid var(--line); border-radius: 5px; padding: .1rem .5rem; }
#found { color: var(--soft); }
.item { margin: 1.2rem 0; padding: 1rem 1.2rem; border: 1px solid var(--line);
  border-radius: 10px; }
.item:target, tr:target, .entry:target { border-color: var(--link);
  box-shadow: 0 0 0 2px var(--link); }
.scroll { display: block; position: relative; overflow: auto;
  max-height: max(38rem, calc(100vh - 6rem)); } .flat { max-height: none; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .5rem 0 .35rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; }
table:has(thead th:nth-child(7)) { font-size: .8rem; }
table:has(thead th:nth-child(7)) :is(th, td) { padding: .3rem .4rem; }
thead th { border-bottom: 2px solid var(--line); font-weight: 600; vertical-align: bottom;
  background: var(--back); } .scroll thead th { position: sticky; top: 0; }
tbody tr { border-bottom: 1px solid var(--line); }
tbody th { font-weight: 500; min-width: 7.5rem; }
.scroll tbody th[scope=row] { position: sticky; left: 0; background: var(--back); }
tr.ours td { background: var(--fair-b); font-weight: 600; }
tr.group th { background: var(--panel); font-weight: 600; }
.measured { font-weight: 600; white-space: nowrap; }
.failed { color: var(--bad); font-weight: 500; white-space: normal; }
.differs { color: var(--odd); background: var(--odd-b); border-radius: 4px; padding: 0 .25rem; }
.filter { display: none; align-items: center; flex-wrap: wrap; gap: .3rem .8rem;
  font-size: .85rem; } .js .filter { display: flex; }
.js .sortable thead th { cursor: pointer; }
.sortable th[aria-sort=ascending]::after { content: " ▲"; }
.sortable th[aria-sort=descending]::after { content: " ▼"; }
.printed { display: block; font-size: .82rem; color: var(--soft); margin-top: .12rem; }
.printed b { white-space: nowrap; font-weight: 500; color: var(--text); }
.claims { width: 100%; } .claims .text { min-width: 14rem; }
.cmd { display: block; background: var(--panel); border-left: 3px solid var(--line);
  padding: .3rem .6rem; margin: .25rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.cmd::before { content: "$ "; color: var(--soft); }
.cmd .copy { float: right; margin-left: .6rem; }
details { margin: .5rem 0; font-size: .88rem; } summary { cursor: pointer; color: var(--soft); }
details ul, .notes { margin: .3rem 0; padding-left: 1.2rem; font-size: .88rem; max-width: 90ch; }
details dl { margin: .3rem 0; } dt { font-weight: 500; margin-top: .4rem; } dd { margin: 0; }
.erratum { border-top: 1px solid var(--line); padding: .2rem 0; max-width: 110ch; }
.erratum h4 { margin: .4rem 0 .2rem; font-size: .95rem; } .erratum dt { margin: 0; color: var(--soft); }
.erratum dl { display: grid; grid-template-columns: 8rem 1fr; gap: .15rem 1rem; margin: .2rem 0;
  font-size: .9rem; } .erratum dd { overflow-wrap: anywhere; }
figure { margin: .8rem 0; } figure > a.scroll { max-height: none; }
/* what is not in sight is not laid out: a page of a hundred diagrams opens at once */
section.item { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
@media print { section.item { content-visibility: visible; } }
figure > a img { display: block; max-width: 100%; height: auto; border-radius: 6px; }
.moving img { display: block; max-width: 100%; max-height: 22rem; height: auto; }
@media (prefers-reduced-motion: reduce) { .moving img { display: none; } }
figcaption { font-size: .88rem; max-width: 90ch; margin-top: .3rem; }
.files { font-size: .85rem; } .files a { margin-right: .9rem; }
[hidden] { display: none !important; }
#nothing { padding: 2rem 0; color: var(--soft); }
@media (max-width: 62rem) { .page { display: block; } .jump { display: block; }
  .contents { position: static; border: 0; border-top: 1px solid var(--line); max-height: none; }
  .page > main, .wide { padding: 0 1.2rem 2rem; } .contents, .top nav { padding-left: 1.2rem;
  padding-right: 1.2rem; } }
@media (max-width: 40rem) { html { scroll-padding-top: 1rem; } h1 { font-size: 1.4rem; }
  td code { overflow-wrap: anywhere; }
  .bar { position: static; } .bar > div { flex-wrap: wrap; }
  .bar input[type=search], .bar select { width: 100%; }
  .page > main, .wide { padding: 0 .8rem 2rem; }
  .item { padding: .8rem; margin-left: -.4rem; margin-right: -.4rem; }
  .scroll tbody th[scope=row] { position: static; }
  th, td { padding: .35rem .4rem; }
  .papers, .papers tbody, .papers tr, .papers th, .papers td { display: block; width: auto; }
  .papers thead { display: none; } .papers th[scope=row] { width: auto; }
  .papers tr { padding: .6rem 0; } .papers td, .papers th { padding: .2rem 0; }
  .papers td::before { content: attr(data-label); font-size: .82rem; color: var(--soft); }
  .claims, .claims tbody, .claims tr, .claims td { display: block; } .claims thead { display: none; }
  .claims td { padding: .15rem 0; } .claims tr { padding: .5rem 0; }
  tbody th { min-width: 5.5rem; }}
@media print { .page { display: block; } html, body { font-size: 11px; }
  .contents, .top, .js .bar, .js .filter, .copy, .jump { display: none; }
  .item { border: 0; padding: 0; } tr, figure { break-inside: avoid; }
  .scroll { max-height: none; overflow: visible; } main { padding: 0; }
  .scroll th { position: static !important; min-width: 0; }
  .scroll :is(th, td) { padding: .2rem .3rem; } .scroll td { overflow-wrap: anywhere; } }
)css";

}  // namespace daemark
