/** Draws the outcome bar by bar: the plot is whole, and a clip shows its part. */

const FRAME_MS = 1000;

export function startReplay(root: ParentNode): void {
  const bar = root.querySelector<HTMLElement>('#replay');
  const range = bar?.querySelector<HTMLInputElement>('input');
  const speed = bar?.querySelector('select');
  const play = bar?.querySelector<HTMLButtonElement>('[data-play]');
  const label = bar?.querySelector('[data-bar]');
  if (bar == null || range == null || speed == null || play == null || label == null) return;
  const last = Number(range.max);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (shown: number): void => {
    range.value = String(shown);
    label.textContent = `${shown} / ${last}`;
    for (const plot of root.querySelectorAll<SVGSVGElement>('svg.plot')) {
      const [join, step] = [Number(plot.dataset.join), Number(plot.dataset.step)];
      // The whole outcome has no clip, so that its last dot is whole too.
      const width = shown >= last ? plot.viewBox.baseVal.width : join + shown * step;
      plot.querySelector('.played')?.setAttribute('width', String(width));
    }
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    play.textContent = 'Replay';
  };
  const next = (): void => {
    const shown = Number(range.value) + 1;
    show(shown);
    if (shown >= last) stop();
    else timer = setTimeout(next, FRAME_MS / Number(speed.value));
  };
  play.addEventListener('click', () => {
    if (timer !== undefined) return stop();
    if (Number(range.value) >= last) show(0);
    play.textContent = 'Pause';
    timer = setTimeout(next, FRAME_MS / Number(speed.value));
  });
  range.addEventListener('input', () => {
    stop();
    show(Number(range.value));
  });
  show(last);
  bar.hidden = false;
}
