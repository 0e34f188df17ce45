/** Forecasts whose fifty bars are not over are listed separately, with their hash instead of their figures. */

import { useState } from 'react';
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { groupedCount } from '#domain/format/count.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import { type MarketKind, SYMBOLS } from '#domain/market/symbols.ts';
import { barUnit } from '#domain/market/timeframe-text.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { ListedRecord, RecordCard, SealedCard } from '#domain/record/figures/track-summary.ts';
import { isRecorded } from '#domain/record/ledger/ledger.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Picker } from '../../../ui/forms/picker.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { Table } from '../../../ui/layout/table.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState } from '../../../ui/status/state.tsx';
import styles from './latest-records.module.css';
import { recordColumns, sealedColumns } from './record-columns.tsx';
import { type RecordsState, useRecords } from './use-records.ts';

const ALL = 'all';
const symbolOptions = (timeframe: Timeframe) => [
  { value: ALL, label: 'All symbols' },
  ...SYMBOLS.filter((symbol) => isRecorded(symbol, timeframe)).map(({ sym, label }) => ({ value: sym, label })),
];
const MODEL_OPTIONS = [
  { value: ALL, label: 'All models' },
  ...MODEL_NAMES.map((model) => ({ value: model, label: shortName(model) })),
] satisfies { value: ModelName | typeof ALL; label: string }[];

type Shown = 'revealed' | 'sealed';

interface LatestRecordsProps {
  market: MarketKind;
  timeframe: Timeframe;
  cards: readonly RecordCard[];
  /** How many newer records are sealed. */
  sealed: number;
}

export function LatestRecords({ market, timeframe, cards: newest, sealed }: LatestRecordsProps) {
  const [shown, setShown] = useState<Shown>(newest.length === 0 ? 'sealed' : 'revealed');
  const [sym, setSym] = useState<string | null>(null);
  const [model, setModel] = useState<ModelName | null>(null);
  const [isOlderRequested, setOlderRequested] = useState(false);
  const isSealed = shown === 'sealed';
  const isChosen = isSealed || sym !== null || model !== null;
  const isRequested = isChosen || isOlderRequested;
  const records = useRecords({ market, timeframe, sym, model, isSealed }, isRequested);
  const known = isSealed ? null : newest;
  const cards = isRequested ? (records.cards ?? known) : known;
  const isOld = isChosen && (records.isOld || records.cards === null);
  const choose = (change: () => void) => {
    change();
    setOlderRequested(false);
  };
  if (newest.length === 0 && sealed === 0) return null;
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="latest">
      <SectionHeading id="latest" lead={isSealed ? sealedLead(timeframe) : revealedLead(timeframe)}>
        Latest forecasts
      </SectionHeading>
      <div className={styles.choice}>
        <Segmented
          label="Forecasts"
          value={shown}
          options={[
            { value: 'revealed', label: 'Revealed' },
            { value: 'sealed', label: `Sealed (${groupedCount(sealed)})` },
          ]}
          onChange={(value) => choose(() => setShown(value))}
        />
        <Picker
          label="Symbol"
          value={sym ?? ALL}
          options={symbolOptions(timeframe)}
          onChange={(value) => choose(() => setSym(value === ALL ? null : value))}
        />
        <Picker
          label="Model"
          value={model ?? ALL}
          options={MODEL_OPTIONS}
          onChange={(value) => choose(() => setModel(value === ALL ? null : value))}
        />
      </div>
      {cards === null ? (
        !records.hasFailed && (
          <div role="status" aria-label="Loading forecasts">
            <Skeleton className={styles.waiting} needsScript="Sealed forecasts" />
          </div>
        )
      ) : (
        <div className={isOld ? 'old-figures' : undefined} aria-busy={isOld || undefined}>
          <Rows cards={cards} isSealed={isSealed} choice={describeChoice(sym, model)} />
        </div>
      )}
      <Older
        records={records}
        isRequested={isRequested}
        count={cards?.length ?? null}
        onRequest={() => setOlderRequested(true)}
      />
    </section>
  );
}

const revealedLead = (timeframe: Timeframe): string =>
  `Path, half-widths of the bands, and outcome fifty ${barUnit(timeframe)} ahead, in basis points from the last close. A forecast is revealed when its fifty ${barUnit(timeframe)} are over.`;
const sealedLead = (timeframe: Timeframe): string =>
  `These forecasts are recorded and still running. Each is revealed when its fifty ${barUnit(timeframe)} are over. Save a hash to check later that nothing was changed.`;

function Rows({ cards, isSealed, choice }: { cards: readonly ListedRecord[]; isSealed: boolean; choice: string }) {
  const { zone } = useTimeZone();
  const of = choice === '' ? '' : ` ${choice}`;
  if (cards.length === 0) return <EmptyState title={`The record has no ${isSealed ? 'sealed ' : ''}forecasts${of}.`} />;
  const frame = { rowKey: (card: ListedRecord) => String(card.seq), className: styles.frame };
  return isSealed ? (
    <Table
      caption="Sealed forecasts, newest first"
      columns={sealedColumns(zone)}
      rows={cards.filter(isSealedCard)}
      {...frame}
    />
  ) : (
    <Table
      caption="Latest forecasts, newest first"
      columns={recordColumns(zone)}
      rows={cards.filter((card) => !isSealedCard(card))}
      {...frame}
    />
  );
}

function isSealedCard(card: ListedRecord): card is SealedCard {
  return card.state === 'sealed';
}

/** 'of BTC by Lion'. */
function describeChoice(sym: string | null, model: ModelName | null): string {
  const parts = [sym === null ? '' : `of ${marketLabel(sym)}`, model === null ? '' : `by ${shortName(model)}`];
  return parts.filter((part) => part !== '').join(' ');
}

interface OlderProps {
  records: RecordsState;
  isRequested: boolean;
  /** Null while none are known. */
  count: number | null;
  onRequest: () => void;
}

function Older({ records, isRequested, count, onRequest }: OlderProps) {
  const { cards, hasFailed, hasOlder, isLoading, isOld } = records;
  if (isRequested && hasFailed && !isLoading)
    return (
      <div className={styles.older}>
        <Failure>{`We couldn’t load ${cards === null || isOld ? 'these forecasts' : 'older forecasts'}.`}</Failure>
        <Button onClick={records.retry}>Retry</Button>
      </div>
    );
  if (isRequested && cards !== null && !hasOlder)
    return count === 0 ? null : <p className="muted size-13">There are no older forecasts.</p>;
  if (count === null) return null;
  return (
    <div className={styles.older}>
      <Button onClick={isRequested ? records.showOlder : onRequest} isBusy={isLoading || isOld}>
        Show older
      </Button>
      <span className="muted size-13" role="status">
        {`${count} shown`}
      </span>
    </div>
  );
}
