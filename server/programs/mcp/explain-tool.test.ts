import type { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { ReadApiKey } from '#domain/account/api-key.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { Estimate, TrackFigures, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { LatestShown } from '../readings/forecast-shapes.ts';
import type { LatestForecasts } from '../readings/latest-forecasts.ts';
import { type ExplainParts, explainBand } from './explain-tool.ts';

const bandAt = (bar: number) => ({
  bar,
  closesAt: `2026-11-20T10:${String(bar).padStart(2, '0')}:00Z`,
  lower80: 99,
  upper80: 101,
  lower95: 98,
  upper95: 102.5,
});
const shown: LatestShown = {
  symbol: 'BTCUSDT.P',
  label: 'BTC',
  model: 'bobcat',
  modelVersion: '1',
  timeframe: '1min',
  market: 'live',
  access: 'public',
  issuedAt: '2026-11-20T10:00:00Z',
  firstBarOpensAt: '2026-11-20T10:00:00Z',
  lastClose: 100,
  releases: null,
  bands: [bandAt(1), bandAt(12), bandAt(50)],
};

const answerSchema = z.object({
  isError: z.optional(z.boolean()),
  content: z.tuple([z.object({ text: z.string() })]),
  structuredContent: z.optional(z.object({ explanation: z.string(), bar: z.int(), measured: z.unknown() })),
});
type Handler = (input: object, context: { mcpReq: { signal: AbortSignal } }) => Promise<unknown>;

/** Calls the tool as the server's library does. */
async function explain(input: object, parts: Partial<ExplainParts>, lines: string[] = []) {
  const handlers: Handler[] = [];
  const server = { registerTool: (_name: string, _config: object, handler: Handler) => void handlers.push(handler) };
  const tool = explainBand({
    latest: async () => ({ shown, history: [], path: [] }),
    summaries: { read: async () => null },
    marketKind: 'simulated',
    ...parts,
  });
  const key: ReadApiKey = {
    id: 'k',
    userId: 'u',
    name: 'laptop',
    prefix: 'kat_abcdef',
    isRaised: false,
    createdAt: '2026-11-20T10:00:00Z',
    expiresAt: null,
  };
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  tool(server as unknown as McpServer, { key, log });
  return answerSchema.parse(await handlers[0]?.(input, { mcpReq: { signal: new AbortController().signal } }));
}

const textOf = async (change: Partial<LatestShown>, input: object = {}, parts: Partial<ExplainParts> = {}) => {
  const latest = async () => ({ shown: { ...shown, ...change }, history: [], path: [] });
  return (await explain(input, { latest, ...parts })).structuredContent?.explanation ?? '';
};

/** Figures of one model's record at bar 15, whose bands held as given. */
function summariesOf(cover80: Estimate | null, cover95: Estimate | null, model = 'bobcat', role = 'serving') {
  const none = { skillEwma: null, skillHar: null, skillLastClose: null, modelCover80: null, modelCover95: null };
  const figures: TrackFigures = { n: 640, blocks: 12, ...none, cover80, cover95 };
  const queried: unknown[][] = [];
  const read = async (...question: unknown[]) => {
    queried.push(question);
    return { models: [{ model, role, bars: [{ bar: 15, figures }] }] } as Partial<TrackSummary> as TrackSummary;
  };
  return { queried, summaries: { read } };
}

test('explains the last candle unless another one is named', async () => {
  expect((await explain({}, {})).structuredContent).toMatchObject({ bar: 50 });
  expect((await explain({ bar: 12 }, {})).structuredContent).toMatchObject({ bar: 12 });
});

test('puts the band into words, and how far its edges are from the last close', async () => {
  expect(await textOf({}, { bar: 12 })).toContain(
    '12 candles of one minute ahead (2026-11-20T10:12:00Z), bobcat expects BTC to close between 99 and 101 with a probability of 80%, and between 98 and 102.5 with 95%. The last close was 100: that is about 1.00% and 2.50% to either side. Too few forecasts',
  );
  expect(await textOf({ timeframe: '15min' })).toContain('50 candles of 15 minutes ahead');
});

test.each([
  ['replayed', ' These are replayed prices, not live ones.'],
  ['simulated', ' These are simulated prices, not live ones.'],
  [null, ' It is not stored whether these prices were live.'],
] as const)('says of prices that are not known to be live what they are: %s', async (market, message) => {
  expect(await textOf({ market })).toContain(message);
});

test('says what a scheduled release does to the band', async () => {
  const releases = {
    list: [{ at: '2026-11-20T10:30:00Z', kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }],
    widthFactor: 1.9,
    isComplete: true,
  };

  expect(await textOf({ releases })).toContain('Scheduled releases: band 1.9 times wider for US CPI at 10:30 UTC.');
  expect(await textOf({})).not.toContain('times wider');
});

test('says how often such bands held at the scored candle nearest to the named one', async () => {
  const { queried, summaries } = summariesOf(
    { value: 0.8049, interval: [0.761, 0.84] },
    { value: 0.95, interval: null },
  );
  const { structuredContent } = await explain({ bar: 12 }, { summaries });
  expect(structuredContent?.explanation).toContain(
    "In the last 30 days 80.5% (76.1% to 84.0%) of bobcat's closes at candle 15 were inside the 80% band, and 95.0% inside the 95% band (640 forecasts).",
  );
  expect(structuredContent?.measured).toMatchObject({ bar: 15, forecasts: 640 });
  expect(queried).toEqual([['live', '1min', '30d']]);
});

test("takes this site's market for a forecast that names none", async () => {
  const { queried, summaries } = summariesOf(null, null);
  await textOf({ market: null }, {}, { summaries });
  expect(queried).toEqual([['simulated', '1min', '30d']]);
});

test.each([
  ['nothing is measured', null],
  ['too few are scored', summariesOf(null, null).summaries],
  ['only the 80% band has a figure', summariesOf({ value: 0.8, interval: null }, null).summaries],
  ['only the 95% band has one', summariesOf(null, { value: 0.95, interval: null }).summaries],
  [
    'only another model is',
    summariesOf({ value: 0.8, interval: null }, { value: 0.9, interval: null }, 'lion').summaries,
  ],
  [
    'only a candidate is',
    summariesOf({ value: 1, interval: null }, { value: 1, interval: null }, 'bobcat', 'shadow').summaries,
  ],
])('names no share where %s', async (_what, summaries) => {
  const text = await textOf({}, { bar: 12 }, summaries === null ? {} : { summaries });
  expect(text).toContain('Too few forecasts are scored to say how often such bands held.');
  expect(text).not.toContain('In the last 30 days');
});

test('answers with the widest band that a short forecast has, and fails without any', async () => {
  const withBands =
    (bands: LatestShown['bands']): LatestForecasts =>
    async () => ({ shown: { ...shown, bands }, history: [], path: [] });
  const answer = await explain({ bar: 30 }, { latest: withBands([bandAt(1), bandAt(12)]) });
  expect(answer.structuredContent).toMatchObject({ bar: 12 });
  const lines: string[] = [];
  expect(await explain({}, { latest: withBands([]) }, lines)).toMatchObject({ isError: true });
  expect(lines.join()).toContain('A forecast has no band.');
});

test('refuses in a message with the code and its facts, and logs nothing of it', async () => {
  const lines: string[] = [];
  const details = { symbol: 'ETHUSDT.P', model: 'lion' };
  const latest = () => Promise.reject(new AppError('forecast/not-opened', { details }));
  const { isError, content } = await explain({}, { latest }, lines);
  expect(isError).toBe(true);
  expect(content[0].text).toMatch(/\(forecast\/not-opened; symbol: ETHUSDT\.P, model: lion\)$/);
  expect(lines).toEqual([]);
});
