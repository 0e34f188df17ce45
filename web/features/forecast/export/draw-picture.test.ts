/** The picture of a forecast as the browser draws it, on a canvas that records what is drawn. */
import { beforeEach, expect, test, vi } from 'vitest';
import { PALETTES } from '#domain/picture/palettes.ts';
import { aMarket, aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { drawPicture } from './draw-picture.ts';
import { exportedView } from './exported-view.ts';

interface Drawn {
  text: string;
  font: string;
  align: string;
  colour: string;
}

const drawn: Drawn[] = [];
const shapes: string[] = [];
let decode: () => Promise<void>;
let getContext: () => unknown;
const loadFont = vi.fn<(font: string) => Promise<FontFace[]>>();

class Picture {
  src = '';
  decode = () => decode();
}

const context = {
  font: '',
  textAlign: '',
  fillStyle: '',
  measureText: (text: string) => ({ width: 10 * text.length }),
  drawImage: ({ src }: Picture) => void shapes.push(decodeURIComponent(src)),
  fillText(text: string) {
    drawn.push({ text, font: context.font, align: context.textAlign, colour: context.fillStyle });
  },
  getImageData: () => ({ data: new Uint8ClampedArray(4), width: 1, height: 1 }),
};

beforeEach(() => {
  drawn.length = 0;
  shapes.length = 0;
  decode = async () => undefined;
  vi.stubGlobal('Image', Picture);
  getContext = () => context;
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => getContext() }), fonts: { load: loadFont } });
  loadFont.mockReset().mockResolvedValue([]);
});

function draw(palette = PALETTES.dark) {
  const series = {
    candles: [...candlesUntil(T0, 150), ...forecastPath(T0, 50)],
    joinS: T0,
    band: aStart().band,
  };
  const exported = { ...aMarket(), shown: aStart(), marketKind: 'simulated', origin: 'unsaved', id: null } as const;
  const view = exportedView({ ...exported, series }, (T0 + 300) * 1000) ?? expect.fail('no view');
  return drawPicture({ view, palette, historyBars: 60, address: 'kat.example/f/1' });
}

test('draws the shapes first, then each text in the site’s font, its place and its colour', async () => {
  const png = await draw();

  expect(png.type).toBe('image/png');
  expect(shapes).toHaveLength(1);
  // The browser sets the texts: in a picture of shapes it would not use the site's font.
  expect(shapes[0]).toMatch(/^data:image\/svg\+xml,<svg/);
  expect(shapes[0]).not.toContain('<text');
  expect(drawn.find(({ text }) => text === 'kat.example/f/1')).toBeDefined();
  const { text, muted } = PALETTES.dark;
  expect(new Set(drawn.map(({ font }) => font.replace(/ [\d.]+px/, '')))).toEqual(
    new Set([400, 600].map((weight) => `${weight} "Inter Variable", system-ui, sans-serif`)),
  );
  expect(new Set(drawn.map(({ align }) => align))).toEqual(new Set(['start', 'center', 'end']));
  expect(drawn.map(({ colour }) => colour)).toEqual(expect.arrayContaining([text, muted]));
});

test('loads both weights of the font, and draws without them if they do not load', async () => {
  loadFont.mockRejectedValue(new Error('offline'));

  expect((await draw()).type).toBe('image/png');
  expect(loadFont.mock.calls.map(([font]) => font.slice(0, 3))).toEqual(['400', '600']);
});

test.each([
  [
    'has no canvas',
    () => {
      getContext = () => null;
    },
  ],
  [
    'cannot draw the shapes',
    () => {
      decode = () => Promise.reject(new DOMException('broken', 'EncodingError'));
    },
  ],
])('fails in a browser that %s', async (_what, prepare) => {
  prepare();

  await expect(draw()).rejects.toThrow();
  expect(drawn).toEqual([]);
});
