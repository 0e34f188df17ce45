import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import Download from 'lucide-react/icons/download';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Share2 from 'lucide-react/icons/share-2';
import { lazy, Suspense, useMemo, useState } from 'react';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type PredictionRow, readSavedCandles, savedDecimals, savedJoinS } from '#domain/forecast/prediction.ts';
import { TRADING_COSTS } from '#domain/forecast/ranges/round-trip.ts';
import { describeAssumedCost, describeInsideCost, savedMoveBp } from '#domain/forecast/trading-cost.ts';
import { assetClassOf } from '#domain/market/named-market.ts';
import { DEFAULT_TIMEFRAME, timeframeOfText } from '#domain/market/timeframes.ts';
import { SmallCandles } from '../../charts/candles/small-candles.tsx';
import { SavedKey } from '../../charts/overlays/saved-key.tsx';
import type { PopOut } from '../../site/pop-out.ts';
import type { PredictionAlerts } from '../../site/prediction-alerts.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import { Age } from '../../ui/status/age.tsx';
import { type FileFormat, FORMATS } from './file-format.ts';
import styles from './prediction-card.module.css';
import { OutcomeText } from './prediction-outcome.tsx';
import type { ShownOutcome } from './use-outcomes.ts';

interface PredictionCardProps {
  row: PredictionRow;
  outcome: ShownOutcome;
  hasOutcomeFailed: boolean;
  /** Shown while the prediction's outcome is pending. */
  alerts?: PredictionAlerts | undefined;
  /** Opens it in the big chart; without it, the card has no such button. */
  onOpen?: ((row: PredictionRow) => void) | undefined;
  onPopOut: PopOut;
}

const ShareDialog = lazy(async () => ({ default: (await import('./sharing/share-dialog.tsx')).ShareDialog }));

/** Height of the chart's key, CSS pixels. */
const KEY_PX = 22;

export function PredictionCard({ row, outcome, hasOutcomeFailed, alerts, onOpen, onPopOut }: PredictionCardProps) {
  const { candles, isShort } = useMemo(() => readSavedCandles(row.data), [row.data]);
  const modelName = modelOfBackendName(row.model)?.label ?? row.model;
  const title = `${row.cryptocurrency} ${row.timeframe} ${modelName}`;
  const joinS = savedJoinS(candles);
  const band = joinS === null ? null : (row.band ?? null);
  const assetClass = assetClassOf(row.cryptocurrency);
  const decimals = savedDecimals(row.cryptocurrency, candles);
  const cost = assetClass === null || joinS === null ? null : describeInsideCost({ assetClass }, savedMoveBp(candles));
  const [isSharing, setSharing] = useState(false);
  const actual = outcome?.state === 'known' && joinS !== null ? outcome.candles : undefined;
  return (
    <article className={styles.card} aria-label={title}>
      <header className={styles.head}>
        <h3>{row.cryptocurrency}</h3>
        <Badge>{row.timeframe}</Badge>
        <span className="muted">{modelName}</span>
        <Age createdAt={row.created_at} />
        {onOpen !== undefined && assetClass !== null && joinS !== null && (
          <IconButton
            label="Open in chart"
            size="small"
            icon={<ChartCandlestick size={15} aria-hidden="true" />}
            onClick={() => onOpen(row)}
          />
        )}
        {joinS !== null && (
          <IconButton
            label="Share"
            size="small"
            icon={<Share2 size={15} aria-hidden="true" />}
            onClick={() => setSharing(true)}
          />
        )}
        <IconButton
          label="Pop-out"
          size="small"
          icon={<Maximize2 size={15} aria-hidden="true" />}
          disabled={candles.length === 0}
          {...(candles.length === 0 && { title: 'Pop-out: no candles to show' })}
          onClick={() => onPopOut(title, candles, actual, band)}
        />
      </header>
      <div className={styles.chart}>
        <SmallCandles
          candles={candles}
          joinS={joinS}
          name={`Saved prediction, ${title}`}
          decimals={decimals}
          band={band}
          outcome={actual}
          keyPx={KEY_PX}
        />
        {joinS !== null && (
          <SavedKey
            bands={band === null ? 'missing' : 'drawn'}
            hasOutcome={actual !== undefined}
            className={styles.key}
          />
        )}
      </div>
      {cost !== null && (
        <p
          className={styles.cost}
          title={
            assetClass === null
              ? undefined
              : `${describeAssumedCost({ assetClass })} ${TRADING_COSTS[assetClass].source}`
          }
        >
          {cost}
        </p>
      )}
      {isShort && <p className={styles.warning}>Saved prediction had fewer than 200 bars</p>}
      <footer className={styles.foot}>
        <div className={styles.body}>
          <OutcomeText
            outcome={outcome}
            hasFailed={hasOutcomeFailed}
            band={band}
            timeframe={timeframeOfText(row.timeframe) ?? DEFAULT_TIMEFRAME}
            decimals={decimals}
          />
          {outcome?.state === 'waiting' && alerts && <div>{alerts.atPrediction(row, title, 'word')}</div>}
        </div>
        <div className={styles.files}>
          {FORMATS.map((format) => (
            <FileButton key={format} format={format} row={row} outcome={outcome} isEmpty={candles.length === 0} />
          ))}
        </div>
      </footer>
      {isSharing && (
        <Suspense fallback={null}>
          <ShareDialog predictionId={row.id} title={title} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </article>
  );
}

interface FileButtonProps {
  format: FileFormat;
  row: PredictionRow;
  outcome: ShownOutcome;
  isEmpty: boolean;
}

function FileButton({ format, row, outcome, isEmpty }: FileButtonProps) {
  const name = format.toUpperCase();
  const save = (): void => {
    import('./prediction-files.ts')
      .then(({ saveOne }) => saveOne(row, outcome ?? null, format))
      // Its code may fail to load: the page is older than the site, or offline.
      .catch(() => toast.error(`We couldn’t create the ${name} file`));
  };
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={`Download as ${name}`}
      disabled={isEmpty}
      icon={<Download size={13} aria-hidden="true" />}
      onClick={save}
    >
      {name}
    </Button>
  );
}
