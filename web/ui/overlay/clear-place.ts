/**
 * Finds the place of toasts: they never cover a figure or control that is marked with `data-keep-clear`. A quiet toast,
 * about something that the user did not do, covers no content at all where there is room.
 */

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Distance from the window's bottom and from the marked elements, CSS pixels. */
const MARGIN_PX = 16;
const GAP_PX = 8;
const CONTENT = 'main :is(button, a, input, canvas, img, svg)';
/** The page's header. */
const TOP_PX = 56;

/**
 * The lowest place that covers nothing; the default one if there is none.
 * @param toasts  where the toasts are now
 * @returns pixels from the window's bottom to theirs
 */
export function clearBottomPx(toasts: Box, marked: readonly Box[], windowPx: number): number {
  const heightPx = toasts.bottom - toasts.top;
  const beside = marked.filter(({ left, right }) => left < toasts.right && right > toasts.left);
  const places = [MARGIN_PX, ...beside.map(({ top }) => windowPx - top + GAP_PX)].sort((a, b) => a - b);
  const isClear = (bottomPx: number): boolean => {
    const [top, bottom] = [windowPx - bottomPx - heightPx, windowPx - bottomPx];
    return top >= TOP_PX && beside.every((box) => box.bottom <= top || box.top >= bottom);
  };
  return places.find((bottomPx) => bottomPx >= MARGIN_PX && isClear(bottomPx)) ?? MARGIN_PX;
}

/**
 * Places the toasts of a region. While the page moves below them, they move only to uncover what is marked.
 * @returns a function that stops it
 */
export function keepClear(region: HTMLElement, areQuiet: boolean): () => void {
  const placed = () => extentOf([...region.children].map((toast) => toast.getBoundingClientRect()));
  const marked = () => boxesOf('[data-keep-clear]');
  const place = (content: readonly Box[]) => {
    const bottomOver = (boxes: readonly Box[]) => clearBottomPx(placed(), boxes, window.innerHeight);
    const quietPx = content.length > 0 ? bottomOver([...marked(), ...content]) : MARGIN_PX;
    const bottomPx = quietPx > MARGIN_PX ? quietPx : bottomOver(marked());
    // Unlike another `bottom`, a translation is no layout shift.
    region.style.translate = `0px ${MARGIN_PX - bottomPx}px`;
  };
  place(areQuiet ? [...boxesOf(CONTENT), ...lineBoxes()] : []);
  const stop = new AbortController();
  const uncover = () => {
    const toasts = placed();
    if (marked().some((box) => overlap(box, toasts))) place([]);
  };
  for (const type of ['scroll', 'resize'])
    window.addEventListener(type, uncover, { passive: true, signal: stop.signal });
  return () => stop.abort();
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

function extentOf(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

function boxesOf(selector: string): Box[] {
  return [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
}

/** The lines of text in view, since a paragraph is as wide as its column. */
function lineBoxes(): Box[] {
  const main = document.querySelector('main');
  if (main === null) return [];
  const range = document.createRange();
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const boxes: Box[] = [];
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    for (const box of range.getClientRects()) if (box.bottom > 0 && box.top < window.innerHeight) boxes.push(box);
  }
  return boxes;
}
