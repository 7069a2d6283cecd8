// Expressions of tags, as `daemark list methods --tag` has them, and lists filtered by them.
'use strict';
const unmarked = name => name.replace(/ †$/, '').replace(/ with control$/, '');
// What is typed: an expression where it is one, else words in the name.
const chooser = (() => {
  const tags = window.daemarkTags || { names: [], numbers: {}, methods: {} };
  const lower = tags.names.map(name => name.toLowerCase());

  // True, false or undecided (null) of a method.
  function parse(text) {
    let at = 0;
    const fail = what => { throw new Error('character ' + (at + 1) + ': ' + what); };
    const blanks = () => { while (/\s/.test(text.charAt(at))) ++at; };
    function take(sign) {
      blanks();
      if (text.charAt(at) !== sign || (sign === '!' && text.charAt(at + 1) === '=')) return false;
      ++at;
      if (sign !== '!' && sign !== '(' && sign !== ')' && text.charAt(at) === sign) ++at;
      return true;
    }
    function joined(part, sign, decisive) {
      const parts = [part()];
      while (take(sign)) parts.push(part());
      return m => {
        const truths = parts.map(p => p(m));
        return truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
      };
    }
    const either = () => joined(both, '|', true), both = () => joined(unary, '&', false);
    function unary() {
      if (take('!')) {
        const inner = unary();
        return m => inner(m) === null ? null : !inner(m);
      }
      if (take('(')) {
        const whole = either();
        if (!take(')')) fail('a parenthesis is not closed');
        return whole;
      }
      const name = (/^\w+/.exec(text.slice(at)) || fail('a tag should stand here'))[0];
      const index = lower.indexOf(name.toLowerCase()), is = m => m.split('(')[0] === name;
      if (index < 0 && !Object.keys(tags.methods).some(is)) fail('"' + name + '" is no tag');
      at += name.length;
      if (index < 0) return is;
      const value = m => (tags.methods[m] || [])[index] ?? null;
      if (!tags.numbers[tags.names[index]]) return m => value(m) === null ? null : value(m) === 1;
      blanks();
      const sign = /^(<=|>=|!=|==|<|>|=)\s*(-?[\d.]+(?:e-?\d+)?)/.exec(text.slice(at)) ||
                   fail(name + ' is a number: ' + name + '>=2');
      at += sign[0].length;
      const b = parseFloat(sign[2]);
      const holds = { '<': a => a < b, '<=': a => a <= b, '>': a => a > b, '>=': a => a >= b,
                      '!=': a => a !== b, '==': a => a === b, '=': a => a === b }[sign[1]];
      return m => value(m) === null ? null : holds(value(m) === 'unbounded' ? Infinity : value(m));
    }
    const root = either();
    blanks();
    if (at < text.length) fail('"' + text.slice(at, at + 8) + '" does not belong there');
    return root;
  }
  return text => {
    text = text.trim();
    if (!text) return { holds: null };
    try {
      const holds = parse(text);
      return { holds: m => holds(m) === true };
    } catch (error) {
      if (/[&|!<>]/.test(text)) return { error: error.message, holds: null };
      const words = text.toLowerCase().split(/\s+/);
      return { error: '', holds: (m, name) => words.every(w => (m + ' ' + name).toLowerCase().includes(w)) };
    }
  };
})();
for (const bar of all('.tagged')) {
  const input = bar.querySelector('input'), said = bar.querySelector('span');
  const rows = all('tr[data-m], tr[data-n]', document.getElementById(bar.dataset.for));
  const filter = () => {
    const wanted = chooser(input.value);
    rows.forEach(row => {
      row.hidden = !!wanted.holds && !wanted.holds(row.dataset.m || unmarked(row.dataset.n), row.textContent);
    });
    bar.classList.toggle('bad-input', !!wanted.error);
    said.textContent = wanted.error || rows.filter(row => !row.hidden).length + ' of ' + rows.length;
  };
  input.addEventListener('input', filter);
  filter();
}
