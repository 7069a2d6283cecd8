// Diagrams that people explore: uPlot draws axes and shows parts, this file the curves.
'use strict';
(() => {
  const state = { part: '', pin: '', holds: null };
  const font = 'px system-ui, sans-serif';
  // What is switched off: by the legend of the page, or by that of the diagrams around a node.
  const hidden = node => {
    const scope = node.closest('.keyed') || document.body;
    return scope.daemarkOff = scope.daemarkOff || {};
  };
  const place = (axis, share) => axis.log ? axis.from * (axis.to / axis.from) ** share
                                          : axis.from + share * (axis.to - axis.from);
  const power = k => '10' + String(k).replace(/./g, c => c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[+c]);
  function tick(value) {
    const exponent = Math.floor(Math.log10(value) + 1e-9), digit = value / 10 ** exponent;
    return Math.abs(digit - 1) < 1e-9 ? power(exponent) : +digit.toPrecision(3) + '·' + power(exponent);
  }
  function decades(splits) {
    const few = splits[splits.length - 1] < 100 * splits[0];
    return splits.map(v => few || !tick(v).includes('·') ? v : null);
  }
  function text(axis, value) {  // no digit that the data do not have
    const grain = 10 ** (Math.floor(Math.log10(axis.to - axis.from)) - 3);
    if (!axis.log) value = Math.round(value / grain) * grain;
    const size = Math.abs(value);
    if (size === 0) return '0';
    if (size >= (axis.log ? 10 : 1e-3) && size < 1e6) return String(+value.toPrecision(4));
    return value.toExponential(2).replace('e+', 'e');
  }
  const chosen = curve => !state.holds || state.holds(curve.method, curve.name);

  class Figure {
    constructor(node) {
      const data = JSON.parse(node.querySelector('script').textContent);
      Object.assign(this, { node, data, off: hidden(node), keyed: !!node.closest('.keyed') });
      for (const curve of data.parts.flatMap(part => part.curves)) {
        curve.method = curve.method || unmarked(curve.name);
        curve.points = [];  // k: which of its values, joined: to the point before
        for (const run of curve.runs)
          for (let i = 0; i < run.length; i += 2)
            curve.points.push({ x: place(data.x, run[i] / data.grain), y: place(data.y, run[i + 1] / data.grain),
                                k: curve.kept ? curve.kept[curve.points.length] : curve.points.length,
                                joined: i > 0 && curve.look !== 'points' });
      }
      node.daemarkFigure = this;
      node.tabIndex = 0;
      node.style.minHeight = this.size().height + 'px';
      node.ariaLabel += '. Arrow keys go from point to point and from curve to curve, Enter keeps a ' +
                        'curve in front. A drag shows a part, a double click all.';
      node.addEventListener('focus', () => this.show());
      node.addEventListener('keydown', event => { this.show(); this.key(event); });
    }
    part() { return this.data.parts.find(p => p.id === state.part) || this.data.parts[0]; }
    visible() { return this.part().curves.filter(c => !this.off[c.family]); }
    size() {
      const width = this.node.clientWidth;
      return { width, height: Math.round(Math.min(Math.max(0.62 * width, 260), 480)) };
    }

    // How a curve is drawn, the highest level over the others.
    look(curve) {
      if (curve.name === state.pin || curve === this.hot) return { level: 3, alpha: 1, width: 3.2 };
      if (curve.ours) return { level: 2, alpha: 1, width: 2.8 };
      const front = state.holds ? chosen(curve) : this.keyed || curve.front;
      return front ? { level: 1, alpha: 0.95, width: this.keyed ? 1.5 : 1.8 }
                   : { level: 0, alpha: state.holds ? 0.13 : 0.3, width: 1 };
    }
    paint(u) {
      const ink = u.ctx, ratio = devicePixelRatio, style = getComputedStyle(this.node);
      ink.save();
      ink.beginPath();
      ink.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      ink.clip();
      ink.lineJoin = 'round';
      const curves = this.visible().map(curve => ({ curve, look: this.look(curve) }));
      for (const { curve, look } of curves.sort((a, b) => a.look.level - b.look.level)) {
        const dots = curve.look === 'points', dashed = curve.dashed || curve.look === 'dashes';
        ink.globalAlpha = look.alpha;
        ink.strokeStyle = curve.ours ? style.color : style.getPropertyValue('--f' + curve.family % 10);
        ink.lineWidth = (dots ? 5 : look.width) * ratio;
        ink.lineCap = dots ? 'round' : 'butt';
        ink.setLineDash((dashed ? [5, 3] : curve.look === 'dots' ? [1.5, 2.5] : []).map(d => d * ratio));
        ink.beginPath();
        for (const p of curve.points) {
          const x = u.valToPos(p.x, 'x', true), y = u.valToPos(p.y, 'y', true);
          if (!p.joined) ink.moveTo(x, y);
          if (p.joined || dots) ink.lineTo(x, y);
        }
        ink.stroke();
      }
      ink.restore();
    }
    axis(name) {
      const one = this.data[name], rows = name === 'y' && this.data.names.length ? this.data.names : null;
      const colour = variable => () => getComputedStyle(this.node).getPropertyValue(variable);
      const axis = {
        label: name === 'x' ? one.label : () => this.part().label, labelSize: 18, labelFont: '12' + font,
        labelGap: 0, font: '11' + font, size: name === 'x' ? 30 : 46, gap: 4, stroke: colour('--soft'),
        ticks: { show: false }, grid: { stroke: colour('--line'), width: 1,
                                        filter: (u, splits) => one.log ? decades(splits) : splits },
        values: (u, splits) => splits.map(v => v === null ? '' : one.log ? tick(v) : String(+v.toPrecision(6))) };
      return !rows ? axis : Object.assign(axis, {
        size: 14 + 6 * Math.max(...rows.map(r => r.length)), splits: () => rows.map((_, i) => i + 1), values: () => rows });
    }
    // Made once it comes into sight.
    show() {
      if (this.plot) return;
      const { node, data } = this;
      const scale = axis => ({ time: false, distr: axis.log ? 3 : 1, auto: false, min: axis.from, max: axis.to,
                               range: (u, min, max) => [min, max] });
      this.plot = new uPlot({
        ...this.size(), legend: { show: false }, scales: { x: scale(data.x), y: scale(data.y) },
        axes: [this.axis('x'), this.axis('y')], series: [{}, { show: false }],
        cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: true, uni: 20 },
                  bind: { dblclick: () => () => this.home() } },
        hooks: { draw: [u => this.paint(u)], setScale: [() => this.leave()] }
      }, [[data.x.from, data.x.to], [data.y.from, data.y.to]], (u, start) => {
        node.insertBefore(u.root, node.querySelector('figcaption'));
        start();
      });
      node.style.minHeight = '';
      this.plot.batch(() => {});  // its scales are there now, not after this event
      new ResizeObserver(() => {
        const now = this.size();
        if (now.width && now.width !== this.plot.width) this.plot.setSize(now);
      }).observe(node);
      const over = this.plot.over;
      over.addEventListener('pointerleave', () => this.leave());
      over.addEventListener('pointermove', event => {
        const found = this.nearest(event);
        if (found) this.point(found.curve, found.index, found.at); else this.leave();
      });
      over.addEventListener('click', event => pin(this.nearest(event)?.curve.name || state.pin));
    }
    home() {
      for (const name of ['x', 'y']) this.plot.setScale(name, { min: this.data[name].from, max: this.data[name].to });
    }
    leave() {
      if (!this.hot) return;
      this.hot = null;
      this.mark.hidden = this.says.hidden = true;
      this.plot.redraw();
    }
    point(curve, index, between) {
      const { node, data, plot } = this, over = plot.over, at = between || curve.points[index];
      this.hot = curve;
      this.index = index;
      if (!this.mark) {
        this.mark = Object.assign(over.appendChild(document.createElement('i')), { className: 'hit' });
        this.says = Object.assign(node.appendChild(document.createElement('div')), { className: 'says', role: 'status' });
      }
      const x = plot.valToPos(at.x, 'x'), y = plot.valToPos(at.y, 'y');
      Object.assign(this.mark.style, { left: x + 'px', top: y + 'px' });
      const lines = [curve.name, (curve.dashed ? data.dashed_knobs : data.knobs)[curve.points[index].k],
                     data.x.label + ' ' + text(data.x, at.x), this.part().label + ' ' + text(data.y, at.y)];
      this.says.replaceChildren(...lines.filter(Boolean).map((line, i) =>
          Object.assign(document.createElement(i ? 'div' : 'b'), { textContent: line })));
      this.mark.hidden = this.says.hidden = false;
      const left = x + over.offsetLeft, wide = this.says.offsetWidth;
      const beyond = left + 14 + wide > node.clientWidth;
      this.says.style.left = Math.max(0, beyond ? left - 14 - wide : left + 14) + 'px';
      this.says.style.top = Math.max(0, y + over.offsetTop - this.says.offsetHeight - 10) + 'px';
      plot.redraw();
    }
    // The point of a curve nearest to the pointer, of motions also one between two points.
    nearest(event) {
      const u = this.plot, box = u.over.getBoundingClientRect();
      const x = event.clientX - box.left, y = event.clientY - box.top;
      let best = null, least = 900;
      for (const curve of this.visible()) {
        let before = null;
        curve.points.forEach((p, index) => {
          const here = { x: u.valToPos(p.x, 'x'), y: u.valToPos(p.y, 'y') };
          let near = here, at = null;
          if (this.data.between && p.joined) {
            const dx = here.x - before.x, dy = here.y - before.y, length = dx * dx + dy * dy || 1;
            const s = Math.min(1, Math.max(0, ((x - before.x) * dx + (y - before.y) * dy) / length));
            near = { x: before.x + s * dx, y: before.y + s * dy };
            at = { x: u.posToVal(near.x, 'x'), y: u.posToVal(near.y, 'y') };
          }
          before = here;
          const distance = (near.x - x) ** 2 + (near.y - y) ** 2 + (chosen(curve) ? 0 : 300);
          if (distance < least) { least = distance; best = { curve, index, at }; }
        });
      }
      return best;
    }
    key(event) {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (event.key === 'Escape') { this.leave(); this.home(); pin(state.pin); }
      if (event.key === 'Enter' && this.hot) { pin(this.hot.name); event.preventDefault(); }
      if (!step) return;
      event.preventDefault();
      const curves = this.visible().filter(chosen).sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
      const at = curves.indexOf(this.hot), curve = curves[(Math.max(at, 0) + (at < 0 ? 0 : step[0]) + curves.length) % curves.length];
      if (curve) this.point(curve, at < 0 ? 0 : Math.min(Math.max(this.index + step[1], 0), curve.points.length - 1));
    }
  }

  const figures = all('.explore').map(node => new Figure(node));
  function draw() {
    figures.forEach(figure => figure.plot?.redraw());
    all('.parts button').forEach(b => { b.ariaPressed = b.dataset.part === state.part; });
  }
  function pin(name) {
    state.pin = state.pin === name ? '' : name;
    draw();
    all('tr[data-n]').forEach(row => row.classList.toggle('ours', !!state.pin && row.dataset.n === state.pin));
  }
  function change() {
    figures.forEach(figure => figure.leave());
    draw();
  }
  const sight = new IntersectionObserver(entries => entries.forEach(entry => {
    if (entry.isIntersecting) entry.target.daemarkFigure.show();
  }), { rootMargin: '300px' });
  figures.forEach(figure => sight.observe(figure.node));
  for (const item of all('.families li')) {
    const button = document.createElement('button'), off = hidden(item), family = item.dataset.f;
    Object.assign(button, { type: 'button', ariaPressed: 'true' }).append(...item.childNodes);
    item.append(button);
    button.addEventListener('click', () => {
      off[family] = !off[family];
      button.ariaPressed = String(!off[family]);
      change();
    });
  }
  for (const button of all('.parts button')) {
    state.part = state.part || button.dataset.part;
    button.addEventListener('click', () => { state.part = button.dataset.part; change(); });
  }
  for (const bar of all('.choose')) {
    const input = bar.querySelector('input'), said = bar.querySelector('span');
    input.addEventListener('input', () => {
      const wanted = chooser(input.value);
      state.holds = wanted.holds;
      bar.classList.toggle('bad-input', !!wanted.error);
      draw();
      const names = new Set(figures.flatMap(f => f.part().curves.filter(chosen).map(c => c.name)));
      said.textContent = wanted.error || (state.holds ? names.size + ' curves' : '');
    });
  }
  all('tr[data-n]').forEach(row => row.addEventListener('click', event => {
    if (!event.target.closest('a')) pin(row.dataset.n);
  }));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  addEventListener('beforeprint', () => figures.forEach(figure => figure.show()));
  draw();
})();
