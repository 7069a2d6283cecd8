(function () {
  var svg = document.documentElement, label = svg.querySelector('.an-now'), held = false;
  var number = function (name) { return parseFloat(svg.getAttribute('data-' + name)); };
  var length = number('length'), bar = svg.querySelector('.an-bar rect');
  function show() {
    var s = svg.getCurrentTime() % length;
    label.textContent = 't = ' + (number('start') + s / length * number('span'))
                                     .toFixed(number('digits')) + ' s';
    requestAnimationFrame(show);
  }
  function seek(event) {
    var box = bar.getBoundingClientRect();
    var part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 0.9999);
    svg.setCurrentTime(part * length);
  }
  function toggle() { if (svg.animationsPaused()) svg.unpauseAnimations(); else svg.pauseAnimations(); }
  svg.addEventListener('pointerdown', function (event) {
    held = event.target === bar;
    if (held) seek(event); else toggle();
  });
  svg.addEventListener('pointermove', function (event) { if (held) seek(event); });
  svg.addEventListener('pointerup', function () { held = false; });
  document.addEventListener('keydown', function (event) {
    if (event.key === ' ') { toggle(); event.preventDefault(); }
    var step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) svg.setCurrentTime((svg.getCurrentTime() + (step * 0.02 + 1) * length) % length);
  });
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) svg.pauseAnimations();
  show();
})();
