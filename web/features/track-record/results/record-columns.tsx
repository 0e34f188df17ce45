/** The forecast for fifty bars ahead and its outcome; for sealed ones only what is public. */

import { Link } from 'react-router';
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { formatChange, formatPrice } from '#domain/format/price.ts';
import { zonedMinute, zonedShortMinute } from '#domain/format/zoned-time.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import type { ListedRecord, RecordCard, SealedCard } from '#domain/record/figures/track-summary.ts';
import { revealTimeS } from '#domain/record/ledger/reveal.ts';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import type { Column } from '../../../ui/layout/table.tsx';
import { ForecastPageLink } from '../forecast-page-link.tsx';
import { checkAddress, describeState } from '../record-messages.ts';

export function recordColumns(zone: string): Column<RecordCard>[] {
  return [
    ...keyColumns(zone),
    { key: 'close', name: 'Last close', isFigure: true, cell: ({ close }) => close },
    { key: 'path', name: 'Path', isFigure: true, cell: ({ pathBp }) => formatChange(pathBp.at(-1) ?? Number.NaN, 1) },
    { key: 'band80', name: '80%', isFigure: true, cell: ({ band80Bp }) => halfWidth(band80Bp) },
    { key: 'band95', name: '95%', isFigure: true, cell: ({ band95Bp }) => halfWidth(band95Bp) },
    {
      key: 'came',
      name: 'Outcome',
      isFigure: true,
      cell: ({ actualBp }) => (actualBp === null ? '–' : formatChange(actualBp.at(-1) ?? Number.NaN, 1)),
    },
    { key: 'where', name: 'Result', cell: describePlace },
    { key: 'page', name: 'Page', cell: ({ seq }) => <ForecastPageLink seq={seq}>open</ForecastPageLink> },
  ];
}

export function sealedColumns(zone: string): Column<SealedCard>[] {
  return [
    ...keyColumns(zone),
    {
      key: 'page',
      name: 'Page',
      cell: (card) => (
        <ForecastPageLink seq={card.seq} opensS={revealTimeS(card)}>
          open
        </ForecastPageLink>
      ),
    },
    {
      key: 'hash',
      name: 'Hash (SHA-256)',
      cell: ({ seq, hash }) => (
        <span className="inline-row gap-1">
          <code title={hash}>{`${hash.slice(0, 16)}…`}</code>
          <CopyButton text={hash} what={`hash of record ${seq}`} isIcon />
        </span>
      ),
    },
  ];
}

function keyColumns(zone: string): Column<ListedRecord>[] {
  return [
    {
      key: 'seq',
      name: 'Record',
      isFigure: true,
      cell: ({ seq }) => (
        <Link to={checkAddress(seq)} aria-label={`Check record ${seq}`}>
          {seq}
        </Link>
      ),
    },
    {
      key: 'slot',
      name: 'Slot',
      cell: ({ slot }) => <SlotTime slotMs={slot * 1000} zone={zone} />,
    },
    { key: 'sym', name: 'Symbol', cell: ({ sym }) => marketLabel(sym) },
    { key: 'model', name: 'Model', cell: ({ model }) => shortName(model) },
  ];
}

function SlotTime({ slotMs, zone }: { slotMs: number; zone: string }) {
  return (
    <time className="figures" dateTime={new Date(slotMs).toISOString()} title={zonedMinute(slotMs, zone)}>
      {zonedShortMinute(slotMs, zone)}
    </time>
  );
}

function halfWidth(halves: readonly number[]): string {
  return `±${formatPrice(halves.at(-1) ?? Number.NaN, 1)}`;
}

/** Where the close after fifty bars is relative to the bands. */
function describePlace(card: RecordCard): string {
  const actual = card.actualBp?.at(-1);
  if (card.state !== 'known' || actual === undefined) return describeState(card);
  if (Math.abs(actual) <= (card.band80Bp.at(-1) ?? 0)) return 'inside 80%';
  return Math.abs(actual) <= (card.band95Bp.at(-1) ?? 0) ? 'inside 95%' : 'outside both';
}
