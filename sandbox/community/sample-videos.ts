/** The sandbox channel's uploads: visibly samples, one every four days, newest first. */
import { countAt } from './service.ts';

export interface SampleVideo {
  id: string;
  title: string;
  description: string;
  publishedMs: number;
  duration: string;
  liveBroadcastContent: 'none' | 'live' | 'upcoming';
  views: number;
}

const DAY_MS = 86_400_000;
const PERIOD_MS = 4 * DAY_MS;
const FIRST_MS = Date.UTC(2024, 0, 2, 15);

/** In turn. Some are shorts, by length or by name. One has yet to start and one is live; those have no length. */
const SUBJECTS: readonly (readonly [title: string, duration: string, live?: 'live' | 'upcoming'])[] = [
  ['how to read a forecast band', 'PT12M41S'],
  ['one minute of Bitcoin, candle by candle', 'PT58S'],
  ['what a quantile is', 'PT8M3S'],
  ['paper trading, a first hour', 'PT1H4M9S'],
  ['the order book in motion #Shorts', 'PT1M12S'],
  ['questions and answers', 'P0D', 'upcoming'],
  ['why the last price is hard to beat', 'PT15M'],
  ['trading sessions of the day', 'PT9M30S'],
  ['a candle closes', 'PT31S'],
  ['the weekly chart, explained', 'PT11M17S'],
  ['how forecasts are scored', 'PT18M55S'],
  ['market holidays', 'PT6M2S'],
  ['a day of forecasts, replayed', 'P1DT2H'],
  ['the chart, day and night', 'P0D', 'live'],
];

export function sampleVideos(nowMs: number, count: number): SampleVideo[] {
  const newest = Math.floor((nowMs - FIRST_MS) / PERIOD_MS);
  return Array.from({ length: Math.max(0, Math.min(count, newest + 1)) }, (_, i) => videoOf(newest - i, nowMs));
}

function videoOf(number: number, nowMs: number): SampleVideo {
  const [subject, duration, live = 'none'] = SUBJECTS[number % SUBJECTS.length] ?? ['', 'PT1M'];
  const publishedMs = FIRST_MS + number * PERIOD_MS;
  const ageDays = (nowMs - publishedMs) / DAY_MS;
  return {
    // Eleven characters, as all video ids.
    id: `sample-${String(number).padStart(4, '0')}`,
    title: `Sample ${number}: ${subject}`,
    description: `A sample video of the sandbox channel, number ${number}. It does not exist.\n\nSecond paragraph of its description.`,
    publishedMs,
    duration,
    liveBroadcastContent: live,
    // Fast at first, then ever more slowly.
    views: live === 'upcoming' ? 0 : Math.floor((400 + ((number * 7919) % 2600)) * Math.log2(2 + ageDays)),
  };
}

export const subscriberCountAt = (nowMs: number): number => roundedTo3(countAt(nowMs, 31_400, 18));
export const viewCountAt = (nowMs: number): number => countAt(nowMs, 1_184_000, 1460);
export const videoCountAt = (nowMs: number): number => Math.floor((nowMs - FIRST_MS) / PERIOD_MS) + 1;

/** YouTube rounds the subscriber count to three digits. */
function roundedTo3(count: number): number {
  return count < 1000 ? count : Number(count.toPrecision(3));
}
