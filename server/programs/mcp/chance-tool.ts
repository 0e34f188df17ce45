import * as z from 'zod/mini';
import {
  type ChanceAnswer,
  chanceAnswerSchema,
  chanceQuery,
  POSED_NUMBERS,
  type PosedKind,
} from '#domain/chances/chance-messages.ts';
import { WINDOW_MINUTES } from '#domain/chances/clock-window.ts';
import { isRefusal } from '#domain/chances/refusals.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import type { Chances } from '../../forecast/chances/chances.ts';
import { readChanceQuery } from '../../forecast/chances/read-chance-query.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';
import { refusedAs } from '../read-api/chance-answers.ts';
import { type Tool, tool } from './tool.ts';
import { modelInput, symbolInput, timeframeInput, wantedOf } from './tool-inputs.ts';

const { optional, describe } = z;

/** A line answers 200 chances: for a chart, not for an assistant. */
const KINDS = ['above', 'below', 'touch', 'outside', 'first', 'window'] as const satisfies readonly PosedKind[];

const price = (text: string) => optional(z.number().check(z.positive(), describe(text)));
const input = z.strictObject({
  symbol: symbolInput,
  model: modelInput,
  timeframe: timeframeInput,
  kind: z
    .enum(KINDS)
    .check(
      describe(
        'above, below: the candle `bar` closes above or below `price`. touch: `price` is reached by `bar`. outside: `bar` closes outside `lower` to `upper`. first: `target` is reached before `stop`. window: the running clock window of `minutes` ends above its open',
      ),
    ),
  price: price('For above, below and touch'),
  lower: price('For outside'),
  upper: price('For outside'),
  target: price('For first'),
  stop: price('For first: on the other side of the current price'),
  bar: optional(
    z.int().check(z.minimum(1), z.maximum(50), describe('Candles ahead, 1 to 50: for every kind but window')),
  ),
  minutes: optional(z.literal(WINDOW_MINUTES).check(describe('Length of the clock window, for the kind window'))),
});

export function getChances(chances: Chances): Tool {
  return tool({
    name: 'get_chances',
    title: 'Chance of an event',
    description:
      'Returns how likely it is that a price closes above or below a level, reaches it, leaves a range, or reaches a target before a stop. It also answers for the running 5, 15 or 60 minutes: whether they end above their open. `baseline` is the same chance by a simple random walk: the difference is all that the model adds. `similar` counts how often past questions with such a chance came true. Chances come from how far prices may move. They know no direction, no news and no costs, and are no advice to buy or sell. Bitcoin by Bobcat for one-minute candles is open to every key; other markets need a plan with the model. No prediction is used up.',
    input,
    output: z.object({ ...chanceAnswerSchema.shape, explanation: z.string() }),
    async run({ input: { symbol, model, timeframe, kind, ...numbers }, key, signal }) {
      const wanted = wantedOf({ symbol, model, timeframe });
      const { market: query, posed } = readChanceQuery(paramsOf(chanceQuery(wanted), kind, numbers));
      const market = await chances.marketOf(query, signal);
      const grant = await chances.admit(market, key.userId);
      const answer = isRefusal(posed) ? posed : chances.answer(posed, await chances.momentOf(market, signal, grant));
      if (isRefusal(answer)) throw refusedAs(answer);
      if (!('chance' in answer)) throw new Error('A line was answered that was not requested.');
      return { ...answer, explanation: explained(answer, market.symbol.label) };
    },
  });
}

/** @throws AppError `request/invalid` with the name of a number that is missing, or that this kind does not take */
function paramsOf(
  market: string,
  kind: (typeof KINDS)[number],
  numbers: Readonly<Record<string, number | undefined>>,
): URLSearchParams {
  const params = new URLSearchParams(market);
  params.set('kind', kind);
  const names: readonly string[] = POSED_NUMBERS[kind];
  for (const name of names) if (numbers[name] === undefined) throw invalidParameter(name, 'missing');
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined) continue;
    if (!names.includes(name)) throw invalidParameter(name, 'unknown');
    params.set(name, String(value));
  }
  return params;
}

function explained(
  { question, chance, baseline, similar, marketKind, price: now }: ChanceAnswer,
  label: string,
): string {
  const counts =
    similar === null
      ? 'No similar question has been scored yet.'
      : `Of ${similar.count} scored questions with such a chance, ${similar.happened} came true.`;
  const source = marketKind === 'live' ? '' : ` These are ${marketKind} prices, not live ones.`;
  return `${eventText(question, label)}: ${percent(chance)}. A simple random walk gives ${percent(baseline)}. ${counts} The price is ${decimalText(now)}.${source}`;
}

function eventText(question: ChanceAnswer['question'], label: string): string {
  switch (question.kind) {
    case 'window':
      return `Chance that the ${question.minutes} minutes until ${question.endAt} end above ${decimalText(question.open)} for ${label}`;
    case 'outside':
      return `Chance that ${label} closes outside ${decimalText(question.lower)} to ${decimalText(question.upper)} at candle ${question.bar}`;
    case 'first':
      return `Chance that ${label} reaches ${decimalText(question.target)} before ${decimalText(question.stop)} within ${question.bar} candles`;
    case 'touch':
      return `Chance that ${label} reaches ${decimalText(question.price)} within ${question.bar} candles`;
    default:
      return `Chance that ${label} closes ${question.kind} ${decimalText(question.price)} at candle ${question.bar}`;
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
