/** Contrast of two colors by WCAG 2. */
export type Rgb = readonly [number, number, number];

/** @param value  `#rrggbb`, or `rgb(r g b / a%)` over `ground`; null for anything else */
export function rgbOf(value: string, ground: Rgb): Rgb | null {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value.trim());
  if (hex) return [part(hex[1]), part(hex[2]), part(hex[3])];
  const rgb = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)%\)$/.exec(value.trim());
  if (!rgb) return null;
  const share = Number(rgb[4]) / 100;
  const mix = (over: string | undefined, under: number) => Number(over) * share + under * (1 - share);
  return [mix(rgb[1], ground[0]), mix(rgb[2], ground[1]), mix(rgb[3], ground[2])];
}

/** 1 (the same) to 21 (black on white). */
export function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(value: number): number {
  const s = value / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

function part(hex: string | undefined): number {
  return Number.parseInt(hex ?? '', 16);
}
