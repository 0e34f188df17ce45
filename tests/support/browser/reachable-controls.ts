/** Whether a mouse reaches every control of a page, and whether the page is as wide as its window. */
import type { Page } from 'playwright-core';

/** @returns one line for each control whose centre something else covers, and for a page wider than its window */
export async function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const CONTROLS =
      'a[href], button, input, select, textarea, summary, [role="tab"], [role="option"], [role="slider"]';
    const found: string[] = [];
    // What follows the window's width has followed it then. Live pages are never still.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const root = document.documentElement;
    if (root.scrollWidth > window.innerWidth || window.innerWidth > window.outerWidth)
      found.push(`the page is ${root.scrollWidth} px wide in a window of ${window.outerWidth}`);

    // An open dialog or list covers what is behind it.
    const covering = [...document.querySelectorAll('dialog[open], [role="listbox"]')].filter(
      (element) => element.checkVisibility() && (element.role === 'listbox' || element.matches(':modal')),
    );
    const within: ParentNode = covering.at(-1) ?? document;
    for (const control of within.querySelectorAll<HTMLElement>(CONTROLS)) {
      if (!isShown(control)) continue;
      // A table's first column stays in view, and covers a column that is scrolled below it.
      const covers = (['center', 'end'] as const).map((inline) => coverOf(control, inline));
      if (covers.every((cover) => cover !== null)) found.push(`${nameOf(control)} is covered by ${covers[0]}`);
    }
    window.scrollTo({ top: 0, behavior: 'instant' });
    return found;

    /** What is at its centre instead of it, and where; null for nothing. */
    function coverOf(control: HTMLElement, inline: 'center' | 'end'): string | null {
      control.scrollIntoView({ block: 'center', inline, behavior: 'instant' });
      const box = clickedBox(control);
      if (box === undefined) return null;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const hit = document.elementFromPoint(x, y);
      if (hit === null || belongsTo(hit, control)) return null;
      return `${nameOf(hit)} at ${Math.round(x)}, ${Math.round(y)}`;
    }

    /** Not hidden, not moved by keys alone, and not clipped to nothing. */
    function isShown(control: HTMLElement): boolean {
      const isVisible = control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isVisible || control.closest('[inert], [aria-hidden="true"], .key-slider') !== null) return false;
      const { width, height } = control.getBoundingClientRect();
      // A field that only screen readers see is pressed by its label.
      return (width > 1 && height > 1) || labelOf(control) !== null;
    }

    function labelOf(control: HTMLElement): HTMLElement | null {
      return control instanceof HTMLInputElement ? (control.labels?.[0] ?? null) : null;
    }

    function clickedBox(control: HTMLElement): DOMRect | undefined {
      const hidden = control.closest('.visually-hidden') !== null;
      // A link over two lines is pressed on its first.
      return [...(hidden ? (labelOf(control)?.getClientRects() ?? []) : control.getClientRects())].find(
        ({ width, height }) => width > 1 && height > 1,
      );
    }

    function belongsTo(hit: Element, control: HTMLElement): boolean {
      return control.contains(hit) || labelOf(control)?.contains(hit) === true;
    }

    function nameOf(element: Element): string {
      const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return `<${element.tagName.toLowerCase()} ${element.className.toString().split(' ')[0]}> '${text.trim().slice(0, 40)}'`;
    }
  });
}
