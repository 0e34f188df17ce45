/** The theme's colours as a canvas needs them: custom properties read from the place where the chart stands. */

export interface Palette {
  text: string;
  muted: string;
  line: string;
  surface: string;
  /** Words and rules of the forecast. */
  accent: string;
  /** Fills of the forecast, used at low alpha. */
  band: string;
  up: string;
  down: string;
}

const EXPRESSIONS: Record<keyof Palette, string> = {
  text: 'var(--text)',
  muted: 'var(--muted)',
  line: 'var(--line)',
  surface: 'var(--surface)',
  accent: 'var(--accent)',
  band: 'rgb(var(--accent-rgb))',
  up: 'var(--up)',
  down: 'var(--down)',
};

/** Resolved by the browser, so that any notation a token uses (names, hex, mixes) arrives as plain numbers. */
export function readPalette(host: Element): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  // Where figures are old the finished picture pales; its own colours wait for the next one.
  const place = host.closest('.old-figures')?.parentElement ?? host;
  place.append(probe);
  const read = (name: keyof Palette): string => {
    probe.style.color = EXPRESSIONS[name];
    return toRgba(getComputedStyle(probe).color);
  };
  const palette: Palette = {
    text: read('text'),
    muted: read('muted'),
    line: read('line'),
    surface: read('surface'),
    accent: read('accent'),
    band: read('band'),
    up: read('up'),
    down: read('down'),
  };
  probe.remove();
  return palette;
}

/** The colour with another opacity. @param color  `rgb()` or `rgba()` with commas, as `readPalette` gives it */
export function withAlpha(color: string, alpha: number): string {
  const [r = '0', g = '0', b = '0'] = color.match(/[\d.]+/g) ?? [];
  return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

/** `color(srgb r g b / a)`, which mixes compute to, as `rgba()`; anything else as it came. */
function toRgba(color: string): string {
  if (!color.startsWith('color(srgb')) return color;
  const [r = 0, g = 0, b = 0, a = 1] = (color.slice(10).match(/[\d.e-]+/g) ?? []).map(Number);
  const [red, green, blue] = [r, g, b].map((part) => Math.round(part * 255));
  return `rgba(${red}, ${green}, ${blue}, ${a})`;
}

/** Calls back after the theme changed at the document's root. @returns the undo */
export function onThemeChange(callback: () => void): () => void {
  const root = document.documentElement;
  // Written anew, an attribute may say what it said before.
  const isChange = ({ attributeName, oldValue }: MutationRecord) => root.getAttribute(attributeName ?? '') !== oldValue;
  const observer = new MutationObserver((records) => records.some(isChange) && callback());
  observer.observe(root, { attributeFilter: ['data-theme', 'data-palette'], attributeOldValue: true });
  return () => observer.disconnect();
}
