/** The texts of a forecast's picture, measured in the outlines that the server draws. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { barSecondsOf, TIMEFRAMES } from '#domain/market/timeframes.ts';
import { PALETTES } from '#domain/picture/palettes.ts';
import {
  PICTURE_SHAPES,
  PICTURE_SIZES,
  type PictureOptions,
  type PictureText,
  pictureSvg,
} from '#domain/share/forecast-picture.ts';
import { forecastVerdict } from '#domain/share/forecast-verdict.ts';
import type { ForecastSubject, ForecastView } from '#domain/share/forecast-view.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { forecastContent, forecastSubject } from '../testing/view-fixtures.ts';
import { OUTLINES } from './set-text.ts';

const PATH = '/f/12-0a1b2c3d4e5f';

type Options = Pick<PictureOptions, 'view' | 'shape' | 'address'>;

function textsOf(options: Options): PictureText[] {
  const texts: PictureText[] = [];
  pictureSvg(
    { ...options, palette: PALETTES.dark },
    {
      ...OUTLINES,
      set(text) {
        texts.push(text);
        return OUTLINES.set(text);
      },
    },
  );
  return texts;
}

const drawnTexts = (options: Options): string[] => textsOf(options).map(({ text }) => text);

/** Left and right edge, px. */
function edgesOf({ text, x, sizePx, weight, anchor = 'start' }: PictureText): [number, number] {
  const width = OUTLINES.widthOf(text, sizePx, weight);
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return [left, left + width];
}

function known(change: Partial<ForecastSubject> = {}, closed = 50): ForecastView {
  const subject = forecastSubject(change);
  // 97,120.4, or 0.00971204: about as many digits as markets quote.
  const content = forecastContent(subject, { closed, lastClose: 971_204 / 10 ** subject.decimals });
  return closed < 50 ? { ...subject, state: 'running', content } : { ...subject, state: 'known', content };
}

function withReleases(view: ForecastView, ...named: [bar: number, name: string][]): ForecastView {
  if (view.content === null) return view;
  const barS = barSecondsOf(view.timeframe);
  const list = named.map(([bar, name]) => ({ atS: view.joinS + bar * barS, kind: 'other', title: name, name }));
  return { ...view, content: { ...view.content, releases: { list, factor: 1.9, isComplete: true } } };
}

const sealed: ForecastView = { ...forecastSubject(), state: 'sealed', content: null };

const anySubject = fc.record({
  label: fc.string({ minLength: 1, maxLength: 60, size: 'max' }),
  model: fc.constantFrom(...MODEL_NAMES),
  timeframe: fc.constantFrom(...TIMEFRAMES),
  market: fc.constantFrom('live', 'replayed', 'simulated'),
  decimals: fc.integer({ min: 0, max: 14 }),
});
const anyRelease = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.string({ minLength: 1, maxLength: 200, size: 'max' }));
const anyView = fc.oneof(
  fc
    .tuple(anySubject, fc.integer({ min: 0, max: 50 }), fc.array(anyRelease, { maxLength: 4 }))
    .map(([subject, closed, releases]) => withReleases(known(subject, closed), ...releases)),
  anySubject.map((subject): ForecastView => ({ ...forecastSubject(subject), state: 'sealed', content: null })),
);

test('keeps every text of any forecast inside the picture', () => {
  const anyAddress = fc.domain().map((domain) => `${domain}${PATH}`);
  fc.assert(
    fc.property(anyView, fc.constantFrom(...PICTURE_SHAPES), anyAddress, (view, shape, address) => {
      const { width, height } = PICTURE_SIZES[shape];
      for (const text of textsOf({ view, shape, address })) {
        const [left, right] = edgesOf(text);
        expect([text.text, left >= 0, right <= width, text.y > 0, text.y < height]).toEqual([
          ...[text.text, true, true, true, true],
        ]);
      }
    }),
  );
});

test.each([
  ['wide', `kat.example${PATH}`],
  // The whole address would run into the notice.
  ['square', 'kat.example'],
] as const)('names the forecast, the outcome, its address and its purpose: %s', (shape, address) => {
  const view = known();

  const words = drawnTexts({ view, shape, address: `kat.example${PATH}` });

  expect(words).toEqual(expect.arrayContaining(['BTC · Lion (Kat 2.4) · 1 minute', address, RESEARCH_ONLY]));
  expect(words.join(' ')).toContain(forecastVerdict(view));
});

test.each(PICTURE_SHAPES)(
  'names a release beside its mark and in a sentence that leaves the other texts free: %s',
  (shape) => {
    const options = { view: withReleases(known(), [12, 'US CPI']), shape, address: `kat.example${PATH}` };
    const texts = textsOf(options);
    const [said] = texts.filter(({ text }) => text === 'Band 1.9 times wider for US CPI at 00:12 UTC.');

    expect(texts.filter(({ text }) => text === 'US CPI')).toHaveLength(1);
    const others = texts.filter(
      (text) => text !== said && Math.abs(text.y - (said?.y ?? 0)) < (said?.sizePx ?? 0) * 1.2,
    );
    expect([said?.tone, others]).toEqual(['muted', []]);
    expect(drawnTexts({ ...options, view: known() }).join(' ')).not.toMatch(/CPI|wider/);
  },
);

test('leaves the sentence about releases out of a picture where the verdict has two lines', () => {
  const { content, ...subject } = withReleases(known(), [12, 'US CPI']);
  const saidOf = (reason: string) =>
    content !== null &&
    drawnTexts({ view: { ...subject, content, state: 'void', reason }, shape: 'wide', address: null });

  expect(saidOf('Not scored.')).toContain('Band 1.9 times wider for US CPI at 00:12 UTC.');
  expect(saidOf('Not scored. '.repeat(10)).toString()).not.toContain('times wider');
});

test('leaves the sentence about releases out of a picture where it has no room', () => {
  const names = Array.from({ length: 9 }, (_, i): [number, string] => [5 * i + 1, 'the Fed’s press conference']);
  const view = withReleases(known(), ...names);

  expect(drawnTexts({ view, shape: 'wide', address: null }).join(' ')).not.toContain('times wider');
});

test('names a market that is not real in capitals, and no other', () => {
  const notices = (market: ForecastSubject['market']) =>
    drawnTexts({ view: known({ market }), shape: 'wide', address: null }).filter((text) => text.endsWith(' MARKET'));

  expect([notices('live'), notices('replayed'), notices('simulated')]).toEqual([
    [],
    ['REPLAYED MARKET'],
    ['SIMULATED MARKET'],
  ]);
});

test('shows of a sealed forecast its hash and when it opens, and no price', () => {
  const words = drawnTexts({ view: sealed, shape: 'wide', address: null });

  expect(words).toEqual(expect.arrayContaining(['Sealed', 'Opens 12 Nov 2025, 00:51 UTC']));
  expect(words.join('')).toContain(sealed.seal?.hash);
  expect(words.filter((text) => /97,\d\d\d/.test(text))).toEqual([]);
});

test.each([
  ['a short site', 'kat.example', 'kat.example'],
  ['a long one', `${'a-long-name.'.repeat(4)}example`, undefined],
])('names the site without its path, or not at all, where there is no room: %s', (_what, site, shown) => {
  const words = drawnTexts({ view: known(), shape: 'square', address: `${site}${PATH}` });

  expect(words.find((text) => text.endsWith('.example') || text.includes('/f/'))).toBe(shown);
});

test('draws the digits that count zeros, smaller than the others', () => {
  const priceWidth = (text: string) => OUTLINES.widthOf(text, 10);

  expect(priceWidth('0.0₅7')).toBeLessThan(priceWidth('0.057'));
  expect(priceWidth('0.0₅7')).toBeGreaterThan(priceWidth('0.07'));
  const drawn = (text: string) => OUTLINES.set({ text, x: 0, y: 0, sizePx: 10, tone: 'text' });
  expect(new Set(Array.from('₀₁₂₃₄₅₆₇₈₉', drawn)).size).toBe(10);
});
