// Search and filters whose counts and contents follow, sorting, links to a claim or a filter, commands
// to copy. Without it a page shows everything.
'use strict';
const all = (selector, root) => [...(root || document).querySelectorAll(selector)];
document.documentElement.classList.add('js');
(() => {
  const one = id => document.getElementById(id);
  const search = one('search'), paper = one('paper'), kind = one('kind');
  const boxes = all('.bar input[type=checkbox]'), containers = all('.item, .group-of');

  // A text as it is, and plain: λ as lambda, gauss(s=3) as gauss(3), "index 3" and index-3 as index3.
  const greek = { α: 'alpha', β: 'beta', γ: 'gamma', δ: 'delta', ε: 'epsilon', ζ: 'zeta', η: 'eta', θ: 'theta',
                  λ: 'lambda', μ: 'mu', ν: 'nu', ρ: 'rho', σ: 'sigma', τ: 'tau', φ: 'phi', ψ: 'psi', ω: 'omega' };
  const plain = text => text.toLowerCase().replace(/[α-ω]/g, letter => greek[letter] || letter)
                            .replace(/([(,])[a-z_]\w*=/g, '$1').replace(/([a-z])[ _-]+(?=\d)/g, '$1');
  const searchable = text => text.toLowerCase() + '\n' + plain(text);
  const holds = (text, sought) => sought.every(w => text.includes(w) || text.includes(plain(w)));

  // What is shown or not: rows of tables, entries of the index. Its surroundings are looked up once.
  const units = all('.item tr[data-v], .entry').map(node => {
    const box = node.closest('.item, .group-of');
    const of = name => node.closest('[data-' + name + ']')?.getAttribute('data-' + name) || '';
    return { node, box, paper: of('p'), kind: of('k'), verdicts: node.dataset.v.split(' ').filter(Boolean),
             text: searchable([box.dataset.name, node.dataset.g, node.textContent].join(' ')) };
  });
  const words = text => (text.toLowerCase().match(/"[^"]+"|[^\s"]+/g) || []).map(w => w.replace(/"/g, ''));

  function apply() {
    const counters = all('.block').map(tableFilter);
    if (search) {
      const wanted = boxes.filter(b => b.checked).map(b => b.value), sought = words(search.value);
      const selected = paper?.value || kind?.value, active = !!(wanted.length || sought.length || selected);
      const has = text => holds(text, sought);
      const asked = verdicts => verdicts.filter(v => !wanted.length || wanted.includes(v));
      const counts = {};
      containers.forEach(box => Object.assign(box, { found: 0, rows: 0, any: false }));
      for (const unit of units) {
        const near = has(unit.text) && (!paper?.value || unit.paper === paper.value) &&
                     (!kind?.value || unit.kind === kind.value);
        if (near) unit.verdicts.forEach(v => { counts[v] = (counts[v] || 0) + 1; });
        const ok = near && (!wanted.length || asked(unit.verdicts).length > 0);
        unit.node.hidden = !ok || unit.node.classList.contains('out');
        unit.node.classList.toggle('in', ok);
        ++unit.box.rows;
        if (!ok) continue;
        unit.box.any = true;
        unit.box.found += asked(unit.verdicts).length;
      }
      let shown = 0, found = 0;
      for (const box of containers) {
        all('tr.group', box).forEach(row => { row.hidden = !showsGroup(row); });
        all('.block', box).forEach(block => { block.hidden = active && !block.querySelector('tr.in'); });
        const named = !wanted.length && !selected && has(searchable(box.dataset.name || ''));
        const alone = !wanted.length && !box.rows && has(searchable(box.textContent));
        box.hidden = active && !(box.any || alone || named);
        if (!box.hidden) { ++shown; found += box.found; }
      }
      // The contents: no link to what is hidden, and how many verdicts are left of each.
      for (const link of all('.contents a')) {
        const target = one(link.hash.slice(1)), count = link.parentNode.querySelector('.count');
        link.parentNode.hidden = !target || target.hidden;
        if (count) count.textContent = target?.found || '';
      }
      for (const box of boxes) {
        box.parentNode.querySelector('b').textContent = counts[box.value] || 0;
        box.parentNode.classList.toggle('idle', !counts[box.value]);
      }
      one('find')?.classList.toggle('quiet', !active);
      one('found').textContent = active ? found + ' verdicts' : '';
      one('nothing').hidden = shown > 0;
    }
    counters.forEach(count => count());
  }
  function showsGroup(row) {
    for (let r = row.nextElementSibling; r && !r.classList.contains('group'); r = r.nextElementSibling)
      if (!r.hidden) return true;
    return false;
  }
  // A table's own filter: marks rows 'out'; gives back what writes the count of those left.
  function tableFilter(block) {
    const bar = block.querySelector('.filter'), rows = all('tr[data-v]', block);
    if (!bar) return () => {};
    const sought = words(bar.querySelector('input[type=search]').value);
    const box = bar.querySelector('input[type=checkbox]');
    for (const row of rows) {
      const text = searchable((row.dataset.g || '') + ' ' + row.textContent);
      const out = !holds(text, sought) || (box?.checked && !row.querySelector('.differs'));
      row.classList.toggle('out', !!out);
      if (!search) row.hidden = !!out;
    }
    return () => {
      bar.querySelector('.soft').textContent = rows.filter(r => !r.hidden).length + ' of ' + rows.length + ' rows';
    };
  }

  // Sorting keeps the groups: numbers by value, everything else by its text, empty ones last.
  function sortKey(row, column) {
    const cell = row.children[column], text = (cell.querySelector('.measured') || cell).textContent.trim();
    const number = parseFloat(text.replace('−', '-').replace('≤ ', ''));
    return column === 0 ? text : !isNaN(number) ? number : ['', '—', '?'].includes(text) ? null : text;
  }
  function compare(a, b) {
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return typeof a === 'number' ? a - b : a.localeCompare(b);
  }
  function sort(table, head) {
    const heads = all('thead th', table), column = heads.indexOf(head), body = table.tBodies[0];
    const order = { ascending: 'descending', descending: '' }[head.getAttribute('aria-sort')] ?? 'ascending';
    const sign = order === 'descending' ? -1 : 1;
    heads.forEach(h => h.removeAttribute('aria-sort'));
    if (order) head.setAttribute('aria-sort', order);
    let group = [];
    const flush = () => {
      group.sort((a, b) => !order || a.key === b.key ? a.row.dataset.place - b.row.dataset.place
                 : a.key === null ? 1 : b.key === null ? -1 : sign * compare(a.key, b.key));
      body.append(...group.map(entry => entry.row));
      group = [];
    };
    for (const row of all('tr', body)) {
      if (!row.classList.contains('group')) { group.push({ row, key: sortKey(row, column) }); continue; }
      flush();
      body.append(row);
    }
    flush();
  }
  for (const table of all('table.sortable')) {
    all('tbody tr', table).forEach((row, i) => { row.dataset.place = i; });
    for (const head of all('thead th', table)) {
      Object.assign(head, { tabIndex: 0, title: 'sort by this column', onclick: () => sort(table, head),
                            onkeydown: event => { if (event.key === 'Enter') sort(table, head); } });
    }
  }

  // #v=fails,differs&q=words sets the filters; #ID shows what it names, whatever is filtered.
  function fromAddress() {
    const hash = decodeURIComponent(location.hash.slice(1)), target = one(hash);
    if (!search || !hash) return;
    if (/^[vq]=/.test(hash)) {
      for (const part of hash.split('&')) {
        if (part[0] === 'q') search.value = part.slice(2);
        if (part[0] === 'v') boxes.forEach(b => { b.checked = part.slice(2).split(',').includes(b.value); });
      }
      apply();
    } else if (target) {
      if (!target.getClientRects().length) clear();
      target.scrollIntoView();
    }
  }
  function clear() {
    boxes.concat(all('.filter input[type=checkbox]')).forEach(b => { b.checked = false; });
    all('input[type=search]').concat(paper || [], kind || []).forEach(input => { input.value = ''; });
    apply();
  }
  all('.filter input, .bar input, .bar select').forEach(input => input.addEventListener('input', apply));
  one('clear')?.addEventListener('click', clear);
  all('form.bar').forEach(form => form.addEventListener('submit', event => event.preventDefault()));
  addEventListener('hashchange', fromAddress);
  addEventListener('beforeprint', () => {
    all('details').forEach(d => { d.open = true; });
    all('img[loading]').forEach(i => { i.loading = 'eager'; });
  });
  for (const cmd of all('.cmd')) {
    const text = cmd.textContent, button = document.createElement('button');
    const say = words => { button.textContent = words; };
    Object.assign(button, { className: 'copy', type: 'button', textContent: 'copy' });
    button.addEventListener('click', () => navigator.clipboard?.writeText(text).then(() => {
      say('copied');
      setTimeout(say, 1200, 'copy');
    }, () => {}));
    cmd.prepend(button);
  }
  apply();
  fromAddress();
})();
