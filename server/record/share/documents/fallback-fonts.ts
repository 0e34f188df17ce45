/**
 * Fonts of systems, scaled to the widths of ours, so that nothing moves when ours arrive. The measures are those of
 * web/ui/styles/font-fallbacks.css; a test compares them.
 */

/** Weights, local names, and in percent: size, ascent, descent. */
type Measures = readonly [weights: string, local: readonly string[], size: string, ascent: string, descent: string];

const FALLBACKS: Readonly<Record<string, readonly Measures[]>> = {
  'Inter Fallback Arial': [
    ['100 500', ['Arial', 'Liberation Sans', 'Helvetica Neue', 'Helvetica'], '106.22', '91.20', '22.73'],
    [
      '600 900',
      ['Arial Bold', 'Liberation Sans Bold', 'Helvetica Neue Bold', 'Helvetica Bold'],
      ...(['100.70', '96.20', '23.98'] as const),
    ],
  ],
  'Inter Fallback Roboto': [
    ['100 500', ['Roboto'], '106.40', '91.05', '22.70'],
    ['600 900', ['Roboto Bold'], '107.44', '90.17', '22.48'],
  ],
  'Inter Fallback DejaVu': [
    ['100 500', ['DejaVu Sans'], '93.76', '103.32', '25.75'],
    ['600 900', ['DejaVu Sans Bold'], '84.32', '114.89', '28.64'],
  ],
};

const FIGURES =
  '@font-face{font-family:"JetBrains Mono Fallback";src:local("Courier New"),local("Liberation Mono"),local("Menlo"),local("Droid Sans Mono"),local("DejaVu Sans Mono");ascent-override:102%;descent-override:30%;line-gap-override:0%}';

export const FALLBACK_FACES =
  Object.entries(FALLBACKS)
    .flatMap(([family, faces]) =>
      faces.map(
        ([weights, local, size, ascent, descent]) =>
          `@font-face{font-family:"${family}";font-weight:${weights};src:${local.map((name) => `local("${name}")`).join(',')};size-adjust:${size}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%}`,
      ),
    )
    .join('') + FIGURES;

export const FALLBACK_FAMILIES = Object.keys(FALLBACKS)
  .map((family) => `"${family}"`)
  .join(',');
