/** The forecasts of the record, whatever became of them: the newest at first, and all before them by asking for older ones. */
import { useState } from 'react';
import { shortName } from '#domain/forecast/figure-words.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { type MarketKind, SYMBOLS } from '#domain/market/symbols.ts';
import type { RecordCard } from '#domain/record/track-summary.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Picker } from '../../ui/picker.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { EmptyState } from '../../ui/state.tsx';
import { Table } from '../../ui/table.tsx';
import { useTimeZone } from '../../ui/time-zone.ts';
import styles from './latest-records.module.css';
import { recordColumns } from './record-columns.tsx';
import section from './section.module.css';
import { symbolName } from './track-record-words.ts';
import { type RecordsState, useRecords } from './use-records.ts';

const ALL = 'all';
const SYMBOL_OPTIONS = [
  { value: ALL, label: 'All symbols' },
  ...SYMBOLS.map(({ sym, label }) => ({ value: sym, label })),
];
const MODEL_OPTIONS = [
  { value: ALL, label: 'All models' },
  ...MODEL_NAMES.map((model) => ({ value: model, label: shortName(model) })),
] satisfies { value: ModelName | typeof ALL; label: string }[];

export function LatestRecords({ market, cards: newest }: { market: MarketKind; cards: readonly RecordCard[] }) {
  const [sym, setSym] = useState<string | null>(null);
  const [model, setModel] = useState<ModelName | null>(null);
  const [isOlderAsked, setOlderAsked] = useState(false);
  const isChosen = sym !== null || model !== null;
  const isAsked = isChosen || isOlderAsked;
  const records = useRecords({ market, sym, model }, isAsked);
  const cards = isAsked ? (records.cards ?? newest) : newest;
  const isOld = isChosen && (records.isOld || records.cards === null);
  const choose = (change: () => void) => {
    change();
    setOlderAsked(false);
  };
  if (newest.length === 0) return null;
  return (
    <section className={section.section} aria-labelledby="latest">
      <SectionHeading
        id="latest"
        lead="Path, half widths of the bands and what came, fifty minutes ahead, in basis points over the last close."
      >
        Latest forecasts
      </SectionHeading>
      <div className={styles.choice}>
        <Picker
          label="Symbol"
          value={sym ?? ALL}
          options={SYMBOL_OPTIONS}
          onChange={(value) => choose(() => setSym(value === ALL ? null : value))}
        />
        <Picker
          label="Model"
          value={model ?? ALL}
          options={MODEL_OPTIONS}
          onChange={(value) => choose(() => setModel(value === ALL ? null : value))}
        />
      </div>
      <div className={isOld ? 'old-figures' : undefined} aria-busy={isOld || undefined}>
        <Rows cards={cards} words={choiceWords(sym, model)} />
      </div>
      <Older records={records} isAsked={isAsked} count={cards.length} onAsk={() => setOlderAsked(true)} />
    </section>
  );
}

function Rows({ cards, words }: { cards: readonly RecordCard[]; words: string }) {
  const { zone } = useTimeZone();
  if (cards.length === 0) return <EmptyState title={`The record holds no forecast ${words}.`} />;
  return (
    <Table
      caption="Latest forecasts, newest first"
      columns={recordColumns(zone)}
      rows={cards}
      rowKey={(card) => String(card.seq)}
      className={styles.frame}
    />
  );
}

/** 'of BTC by Lion'. */
function choiceWords(sym: string | null, model: ModelName | null): string {
  const parts = [sym === null ? '' : `of ${symbolName(sym)}`, model === null ? '' : `by ${shortName(model)}`];
  return parts.filter((part) => part !== '').join(' ');
}

interface OlderProps {
  records: RecordsState;
  isAsked: boolean;
  /** Shown now. */
  count: number;
  onAsk: () => void;
}

function Older({ records, isAsked, count, onAsk }: OlderProps) {
  const { cards, hasFailed, hasOlder, isLoading, isOld } = records;
  if (isAsked && hasFailed && !isLoading)
    return (
      <div className={styles.older}>
        <Failure>{cards === null || isOld ? 'These forecasts' : 'Older forecasts'} did not load.</Failure>
        <Button onClick={records.retry}>Retry</Button>
      </div>
    );
  if (isAsked && cards !== null && !hasOlder)
    return count === 0 ? null : <p className={styles.end}>These are all: there is none before.</p>;
  return (
    <div className={styles.older}>
      <Button onClick={isAsked ? records.showOlder : onAsk} isBusy={isLoading || isOld}>
        Show older
      </Button>
      <span className={styles.end} role="status">
        {count} shown
      </span>
    </div>
  );
}
