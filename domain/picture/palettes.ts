/** Colours of standalone picture files, the same as in web/ui/styles/tokens.css. */

export interface PicturePalette {
  surface: string;
  text: string;
  muted: string;
  line: string;
  /** Of lines and marks; the light theme's amber text is darker. */
  accent: string;
  /** Opacity of the forecast's background, and of the 95% and 80% bands on top of it. */
  tintOpacity: number;
  outerOpacity: number;
  innerOpacity: number;
  bandColour: string;
  up: string;
  down: string;
}

const OPACITIES = { tintOpacity: 0.04, outerOpacity: 0.1, innerOpacity: 0.22 } as const;

const DARK = {
  ...OPACITIES,
  surface: '#12151a',
  text: '#e8ebef',
  muted: '#9aa4af',
  line: '#272a2f',
  accent: '#f2b441',
  bandColour: '#f2b441',
} as const;
const LIGHT = {
  ...OPACITIES,
  surface: '#ffffff',
  text: '#12161b',
  muted: '#566170',
  line: '#e0e4e9',
  accent: '#c47a00',
  bandColour: '#ec9800',
} as const;

/** By the page theme's names; the two for colour-blind readers end in `-cb`. */
export const PALETTES = {
  dark: { ...DARK, up: '#2fbf9b', down: '#f27565' },
  light: { ...LIGHT, up: '#047857', down: '#c8302a' },
  'dark-cb': { ...DARK, up: '#4c9fe8', down: '#fb6f4d' },
  'light-cb': { ...LIGHT, up: '#1a69b0', down: '#8f1d0a' },
} as const satisfies Record<string, PicturePalette>;
