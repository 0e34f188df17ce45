import { expect, test } from 'vitest';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import { fixtureModel, gaussianNetwork, generatedFile, measuredLastThird } from '../testing/measure-fixtures.ts';
import type { Window } from '../windows/windows.ts';
import { type AnsweredQuestion, answerQuestions } from './answered-questions.ts';
import { AnswerTally } from './chance-figures.ts';
import { posedQuestions } from './posed-questions.ts';
import { posedAt, posedWindowsOf } from './posed-windows.ts';

const STRIDE = 29;
const file = generatedFile('chances', 3);
const whole = { startS: 0, endS: Number.POSITIVE_INFINITY };

test('puts questions of clock windows one, three, eight and twelve minutes in, once for each stride', () => {
  const minutes = Array.from({ length: 29 * 60 }, (_, i) => i);
  const windows = minutes.flatMap((minute) =>
    posedAt(minute * MINUTE_S, STRIDE).windows.map((window) => ({ ...window, minute })),
  );

  expect(windows.every(({ windowMin, elapsedMin, minute }) => (minute + 1 - elapsedMin) % windowMin === 0)).toBe(true);
  for (const [windowMin, elapsedMin] of [
    [5, 1],
    [5, 3],
    [15, 3],
    [15, 8],
    [15, 12],
  ] as const) {
    const own = windows.filter((window) => window.windowMin === windowMin && window.elapsedMin === elapsedMin);
    expect(Math.abs(own.length - 60)).toBeLessThanOrEqual(1);
  }
});

test('takes outcomes from the candles that follow', () => {
  const window = [...posedWindowsOf(file, whole, STRIDE)].find(({ t0 }) => posedAt(t0, STRIDE).isAnchor) as Window;
  const ahead = file.candles.slice(window.index + 1, window.index + 51);
  const posed = posedQuestions(window, STRIDE).filter(({ kind }) => kind !== 'window');

  expect(posed).toHaveLength(3 * (11 + 10) + 2 * 8);
  for (const { kind, bar, threshold, happened } of posed) {
    const seen = ahead.slice(0, bar);
    const isUp = threshold > window.features.lastClose;
    if (kind === 'above') expect(happened).toBe((seen.at(-1)?.close ?? 0) > threshold);
    if (kind === 'touch')
      expect(happened).toBe(seen.some(({ low, high }) => (isUp ? high >= threshold : low <= threshold)));
  }
});

test('scores a network that is the baseline exactly like it where quantiles give the chance', async () => {
  const symbol = { ...measuredLastThird(file, STRIDE), windows: [...posedWindowsOf(file, whole, STRIDE)].slice(-80) };
  const figures = new AnswerTally();
  const answers: AnsweredQuestion[] = [];
  const withheld = await answerQuestions(
    [fixtureModel('lion', gaussianNetwork())],
    symbol,
    { strideMinutes: STRIDE },
    (answered) => {
      answers.push(answered);
      figures.add(answered);
    },
  );
  const kinds = new Map(figures.figures().map((kind) => [kind.kind, kind]));

  expect(withheld).toBe(0);
  expect([...kinds.keys()]).toEqual(expect.arrayContaining(['above', 'first', 'touch', 'window', 'window 5 after 3']));
  expect(Math.abs(kinds.get('above')?.brierLeadPercent['ewma-gauss'][0] ?? 1)).toBeLessThan(0.2);
  expect(answers.every(({ chance, baseline }) => chance > 0 && chance < 1 && baseline > 0 && baseline < 1)).toBe(true);
  for (const { reliability, questions } of kinds.values()) {
    expect(reliability.reduce((sum, tenth) => sum + tenth.questions, 0)).toBe(questions);
  }
});
