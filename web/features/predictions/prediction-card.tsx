/** One saved prediction: what, by whom, when, and its picture. */
import { Maximize2 } from 'lucide-react';
import { useMemo } from 'react';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import type { Candle } from '#domain/market/candle.ts';
import { symbolOfLabel } from '#domain/market/symbols.ts';
import { SmallCandles } from '../../charts/small-candles.tsx';
import { Age } from '../../ui/age.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import styles from './prediction-card.module.css';

export interface PredictionCardProps {
  row: PredictionRow;
  onPopOut: (title: string, candles: readonly Candle[]) => void;
}

const PLAIN_DECIMALS = 2;

export function PredictionCard({ row, onPopOut }: PredictionCardProps) {
  const { candles, isShort } = useMemo(() => readSavedCandles(row.data), [row.data]);
  const modelName = modelOfBackendName(row.model)?.label ?? row.model;
  const title = `${row.cryptocurrency} ${row.timeframe} ${modelName}`;
  return (
    <article className={styles.card} aria-label={title}>
      <header className={styles.head}>
        <h3>{row.cryptocurrency}</h3>
        <Badge>{row.timeframe}</Badge>
        <span className={styles.model}>{modelName}</span>
        <Age createdAt={row.created_at} />
        <IconButton
          label="Pop-out"
          size="small"
          icon={<Maximize2 size={15} aria-hidden="true" />}
          disabled={candles.length === 0}
          {...(candles.length === 0 && { title: 'Pop-out: no candles to show' })}
          onClick={() => onPopOut(title, candles)}
        />
      </header>
      <div className={styles.chart}>
        <SmallCandles
          candles={candles}
          joinS={savedJoinS(candles)}
          name={`Saved prediction, ${title}`}
          decimals={symbolOfLabel(row.cryptocurrency)?.decimals ?? PLAIN_DECIMALS}
        />
      </div>
      {isShort && <p className={styles.warning}>Saved prediction had fewer than 200 bars</p>}
    </article>
  );
}
