/** The theme's colours for a canvas: custom properties read at the chart's element. */

export interface Palette {
  text: string;
  muted: string;
  line: string;
  surface: string;
  accent: string;
  accentLine: string;
  accentFill: string;
  onAccent: string;
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
  accentLine: 'var(--accent-line)',
  accentFill: 'var(--accent-fill)',
  onAccent: 'var(--on-accent)',
  band: 'rgb(var(--accent-rgb))',
  up: 'var(--up)',
  down: 'var(--down)',
};

/** With forced colours the browser replaces each token by the text's colour: labels would be unreadable on their fill. */
const FORCED: Partial<Record<keyof Palette, string>> = { surface: 'Canvas', onAccent: 'Canvas' };

/** Resolved by the browser, so that any notation of a token (names, hex, mixes) arrives as plain numbers. */
export function readPalette(host: Element): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  // Stale figures are paled as a finished picture; drawing always uses the normal colours.
  const place = host.closest('.old-figures')?.parentElement ?? host;
  place.append(probe);
  const forced = window.matchMedia('(forced-colors: active)').matches ? FORCED : {};
  const read = (name: keyof Palette): string => {
    probe.style.color = forced[name] ?? EXPRESSIONS[name];
    return toRgba(getComputedStyle(probe).color);
  };
  const palette: Palette = {
    text: read('text'),
    muted: read('muted'),
    line: read('line'),
    surface: read('surface'),
    accent: read('accent'),
    accentLine: read('accentLine'),
    accentFill: read('accentFill'),
    onAccent: read('onAccent'),
    band: read('band'),
    up: read('up'),
    down: read('down'),
  };
  probe.remove();
  return palette;
}

/** The colour with another opacity. @param color  `rgb()` or `rgba()` with commas, as `readPalette` returns it */
export function withAlpha(color: string, alpha: number): string {
  const [r = '0', g = '0', b = '0'] = color.match(/[\d.]+/g) ?? [];
  return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

/** Converts `color(srgb r g b / a)`, which mixes compute to, to `rgba()`; returns anything else unchanged. */
function toRgba(color: string): string {
  if (!color.startsWith('color(srgb')) return color;
  const [r = 0, g = 0, b = 0, a = 1] = (color.slice(10).match(/[\d.e-]+/g) ?? []).map(Number);
  const [red, green, blue] = [r, g, b].map((part) => Math.round(part * 255));
  return `rgba(${red}, ${green}, ${blue}, ${a})`;
}

/** Calls back after the theme changes at the document's root. @returns a function that unsubscribes */
export function onThemeChange(callback: () => void): () => void {
  const root = document.documentElement;
  // An attribute may be rewritten with the same value.
  const isChange = ({ attributeName, oldValue }: MutationRecord) => root.getAttribute(attributeName ?? '') !== oldValue;
  const observer = new MutationObserver((records) => records.some(isChange) && callback());
  observer.observe(root, { attributeFilter: ['data-theme', 'data-palette'], attributeOldValue: true });
  return () => observer.disconnect();
}
