/** What a link's preview says of each public page. Figures come from the same manifests and plans as the pages. */
import { PLANS } from '#domain/billing/plans.ts';
import { MAIN_GROUP } from '#domain/forecast/figures/figure-messages.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { dollars } from '#domain/format/dollars.ts';
import { formatPrice } from '#domain/format/price.ts';
import type { MarkName } from '#domain/picture/mark-shapes.ts';
import { findRoute, type SITE_ROUTES } from '#domain/site/routes.ts';
import { HONEST_LINE } from '../../../web/content/honest-line.ts';
import { groupFigures, modelNamed, type PaperModel } from '../../../web/paper/paper-data.ts';

type FoundPath = Extract<(typeof SITE_ROUTES)[number], { description: string }>['path'];

export interface PreviewText {
  title: string;
  line: string;
  /** Shown under the line. */
  marks?: readonly MarkName[];
}

export const SIGN_IN_TEXT: PreviewText = {
  title: 'Sign in to Kat',
  line: 'Run your own forecasts, and see later how they turned out.',
};

/** @param models  with the figures of the current manifests  @returns by path */
export function previewTexts(models: readonly PaperModel[]): Map<string, PreviewText> {
  const lines: Record<FoundPath, string> = {
    '/': HONEST_LINE,
    '/kat': 'The next 50 minutes, candle by candle, with the range around them.',
    '/market-simulator-v03': 'Simulated prices that behave like real ones. Nothing is at stake.',
    '/research': 'Method, data, results with their intervals, and known limits.',
    '/ai-models': bandLine(models),
    '/track-record': 'Sealed before the outcome is known. Hits and misses are shown alike.',
    '/pricing': `Free to read. Forecasts from ${dollars(PLANS.bobcat.priceCents)} a month. Cancel at any time.`,
    '/gallery': 'Forecasts next to what the market did afterwards, misses included.',
    '/change-log': 'What’s new in Kat, newest first.',
    '/about': 'Who makes Kat, and why it forecasts ranges instead of prices.',
    '/youtube': 'How the models work, how to read a band, and what the record shows.',
    '/legal': 'Terms of use and privacy: what we store, why, and for how long.',
  };
  return new Map(Object.entries(lines).map(([path, line]) => [path, textOf(path, line)]));
}

function textOf(path: string, line: string): PreviewText {
  const { title } = findRoute(path) ?? { title: '' };
  const text = { title: title.charAt(0).toUpperCase() + title.slice(1), line };
  return path === '/ai-models' ? { ...text, marks: MODEL_NAMES } : text;
}

function bandLine(models: readonly PaperModel[]): string {
  const [inside] = groupFigures(modelNamed(models, 'lion'), MAIN_GROUP).skill.coverage.pooled80;
  return `On test data, ${formatPrice(inside, 0)} of 100 closes landed inside Lion’s 80% band.`;
}
