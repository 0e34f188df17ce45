import { expect, test } from 'vitest';
import {
  CHANCES_PATH,
  type ChanceAnswer,
  chanceAnswerSchema,
  chanceQuery,
  LIVE_CHANCES_EVENT,
  LIVE_CHANCES_PATH,
  type LineAnswer,
  type LiveChances,
  lineAnswerSchema,
  liveChancesSchema,
  POSED_NUMBERS,
  type PosedChance,
  type WindowChance,
} from './chance-messages.ts';

const MARKET = { symbol: 'BTCUSDT.P', model: 'bobcat', timeframe: '1min' } as const;
const MOMENT: Omit<ChanceAnswer, 'question' | keyof typeof ANSWERED> = {
  ...MARKET,
  modelVersion: 'bobcat-1',
  marketKind: 'live',
  t0: 1_800_000_000,
  asOf: '2027-01-15T08:01:10.250Z',
  price: 64_000,
} as const;
const ANSWERED = { chance: 0.62, baseline: 0.6, by: 'quantiles', similar: null, missingMinutes: 0 } as const;
const WINDOW = { minutes: 5, openAt: '2027-01-15T08:00:00Z', endAt: '2027-01-15T08:05:00Z', open: 63_990 } as const;

test.each<[PosedChance, string]>([
  [{ kind: 'window', minutes: 15 }, 'kind=window&minutes=15'],
  [{ kind: 'touch', price: 62_000.5, bar: 20 }, 'kind=touch&price=62000.5&bar=20'],
  [{ kind: 'outside', lower: 1, upper: 2, bar: 3 }, 'kind=outside&lower=1&upper=2&bar=3'],
  [{ kind: 'first', target: 65_000, stop: 63_000, bar: 50 }, 'kind=first&target=65000&stop=63000&bar=50'],
  [{ kind: 'line', price: 64_100 }, 'kind=line&price=64100'],
])('writes a question as parameters: %j', (posed, text) => {
  expect(chanceQuery(MARKET, posed)).toBe(`symbol=BTCUSDT.P&model=bobcat&timeframe=1min&${text}`);
  const numbers: readonly string[] = POSED_NUMBERS[posed.kind];
  expect(Object.keys(posed).filter((name) => name !== 'kind')).toEqual(numbers);
});

test('asks for live chances by the market alone', () => {
  expect(`${LIVE_CHANCES_PATH}?${chanceQuery(MARKET)}`).toBe(
    '/chances/live?symbol=BTCUSDT.P&model=bobcat&timeframe=1min',
  );
  expect([CHANCES_PATH, LIVE_CHANCES_EVENT]).toEqual(['/chances', 'chances']);
});

test('reads an answer and a line', () => {
  const answer: ChanceAnswer = { ...MOMENT, question: { kind: 'window', ...WINDOW }, ...ANSWERED };
  const bars = Array.from({ length: 50 }, (_, i) => (i === 0 ? null : 0.5));
  const ofBars = { above: bars, aboveBaseline: bars, touch: bars, touchBaseline: bars };
  const line: LineAnswer = { ...MOMENT, question: { kind: 'line', price: 64_100 }, ...ofBars };

  expect(chanceAnswerSchema.parse(answer)).toEqual(answer);
  expect(lineAnswerSchema.parse(line)).toEqual(line);
});

test('reads a frame with one window that has no chance, and a frame of a halted market', () => {
  const error = { code: 'window-over', message: 'The window has ended.' };
  const window: WindowChance = { ...WINDOW, ...ANSWERED };
  const frame: LiveChances = { ...MOMENT, windows: [window, { minutes: 15, error }] };

  expect(liveChancesSchema.parse(frame)).toEqual(frame);
  expect(liveChancesSchema.parse({ ...MARKET, error })).toEqual({ ...MARKET, error });
});

test.each([0, 1, Number.NaN])('refuses an answer with a chance of %d', (chance) => {
  const question = { kind: 'above', price: 64_000, bar: 5 };

  expect(chanceAnswerSchema.safeParse({ ...MOMENT, question, ...ANSWERED, chance }).success).toBe(false);
});
