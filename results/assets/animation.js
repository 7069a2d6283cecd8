// Button, slider and time of moving drawings; also of pages that stand alone.
(() => {
  'use strict';
  document.documentElement.classList.add('js');
  for (const figure of document.querySelectorAll('figure.animation')) {
    const [svg, button, slider, now] = ['svg', 'button', 'input', 'output'].map(n => figure.querySelector(n));
    const number = name => parseFloat(svg.getAttribute('data-' + name));
    const length = number('length'), box = svg.viewBox.baseVal, label = svg.querySelector('.an-now');
    let wanted = !matchMedia('(prefers-reduced-motion: reduce)').matches, seen = false;
    svg.setAttribute('viewBox', '0 0 ' + box.width + ' ' + (box.height - 450));
    label.textContent = label.getAttribute('data-speed');
    function write(at = svg.getCurrentTime()) {  // a time that was just set is not read back before the next frame
      const share = at % length / length;
      slider.value = Math.round(1000 * share);
      now.textContent = 't = ' + (number('start') + share * number('span')).toFixed(number('digits')) + ' s';
      slider.setAttribute('aria-valuetext', now.textContent);
    }
    function tick() {
      if (svg.animationsPaused()) return;
      write();
      requestAnimationFrame(tick);
    }
    function apply(at) {
      button.textContent = wanted ? 'Pause' : 'Play';
      if (wanted && seen) { svg.unpauseAnimations(); tick(); } else svg.pauseAnimations();
      write(at);
    }
    button.addEventListener('click', () => { wanted = !wanted; apply(); });
    slider.addEventListener('input', () => {
      const at = Math.min(slider.value / 1000, 0.9999) * length;
      wanted = false;
      svg.setCurrentTime(at);
      apply(at);
    });
    // What is out of sight does not move.
    new IntersectionObserver(entries => { seen = entries.at(-1).isIntersecting; apply(); }).observe(svg);
    apply();
  }
})();
