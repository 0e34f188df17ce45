// Stands in every built document (scripts/site/document-head.ts), whose head names what is asked for here.
(() => {
  const named = (name) => document.querySelector(`meta[name="${name}"]`)?.content.split(' ') ?? [];
  const add = (tag, values) =>
    document.head.append(Object.assign(document.createElement(tag), { crossOrigin: '', ...values }));

  // Parts of the page's one style sheet: the code that loads a part sees that it is there. Written as tags they would be
  // fetched after all, ahead of the fonts: browsers that look through a document in advance do not mind `disabled`.
  for (const href of named('styles')) add('link', { rel: 'stylesheet', disabled: true, href });

  // A page that was drawn beforehand is seen first; then come the scripts that bring it to life.
  const [main, ...parts] = named('scripts');
  if (main === undefined) return;
  // A button that is clicked before its code is there is clicked again then (web/main.tsx); of several the last one
  // counts. An arrow opens a list, as a click does.
  const keep = ({ type, key, target }) => {
    if (type === 'click') window.pressed = target.closest?.('[type="button"],[type="radio"]');
    else if (key === 'ArrowDown' && target.matches?.('[role="combobox"]')) window.pressed = target;
  };
  document.addEventListener('click', keep, true);
  document.addEventListener('keydown', keep, true);
  let hasBegun = false;
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    for (const href of parts) add('link', { rel: 'modulepreload', href });
    add('script', { type: 'module', src: main });
  };
  // A hidden tab draws no frame, and some browsers draw none while they are busy.
  if (document.hidden) begin();
  else {
    new PerformanceObserver(begin).observe({ type: 'paint', buffered: true });
    setTimeout(begin, 3000);
  }
})();
