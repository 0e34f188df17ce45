/** The bell of one prediction, which opens its alert settings. The dialog's code loads on click. */
import { useQuery } from '@tanstack/react-query';
import Bell from 'lucide-react/icons/bell';
import BellRing from 'lucide-react/icons/bell-ring';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { Button, IconButton } from '../../../ui/forms/button.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { lazyPart, WidgetBoundary } from '../../../ui/widget.tsx';
import { alertsQuery } from '../alert-cache.ts';
import styles from './alert-bell.module.css';
import type { AlertDialogProps } from './alert-dialog.tsx';

export interface Bells {
  /** @param title  the prediction's name. @param variant  an icon among icons, or a labeled button */
  atPrediction(row: PredictionRow, title: string, variant: 'icon' | 'word'): ReactNode;
  /** The alert at the opening of a closed market. */
  atOpening(symbol: MarketSymbol): ReactNode;
}

/** Loads with the first closed market. */
const OpeningAlert = lazyPart(async () => (await import('./opening-alert.tsx')).OpeningAlert);

export const bellsOf = (userId: string): Bells => ({
  atPrediction: (row, title, variant) => (
    <AlertBell key={row.id} userId={userId} predictionId={row.id} title={title} variant={variant} />
  ),
  atOpening: (symbol) => (
    <WidgetBoundary key={symbol.sym} name="Alert at the open">
      <Suspense fallback={null}>
        <OpeningAlert userId={userId} symbol={symbol} />
      </Suspense>
    </WidgetBoundary>
  ),
});

interface AlertBellProps {
  userId: string;
  predictionId: string;
  title: string;
  variant: 'icon' | 'word';
}

function AlertBell({ userId, predictionId, title, variant }: AlertBellProps) {
  const [Dialog, setDialog] = useState<ComponentType<AlertDialogProps> | null>(null);
  const [isOpen, setOpen] = useState(false);
  // The bell sends no request; it shows what the watcher or the dialog has loaded.
  const { data } = useQuery({ ...alertsQuery(userId), enabled: false });
  const rules = data?.rules ?? [];
  // The dialog has no row for releases.
  const isOn = rules.some(
    (rule) => rule.sym === null && rule.kind !== 'release-due' && (rule.predictionId ?? predictionId) === predictionId,
  );
  const Icon = isOn ? BellRing : Bell;
  // A second click has no effect. A disabled button would lose the focus that the dialog gives back.
  const open = async () => {
    setOpen(true);
    try {
      const { AlertDialog } = await import('./alert-dialog.tsx');
      setDialog(() => AlertDialog);
    } catch {
      // The dialog's code cannot load: the page is older than the site, or offline.
      setOpen(false);
      toast.error('We couldn’t open your alerts');
    }
  };
  const name = isOn ? 'Alerts, on' : 'Alerts';
  const shared = {
    'aria-haspopup': 'dialog',
    'aria-busy': isOpen && Dialog === null,
    onClick: () => void open(),
  } as const;
  return (
    <>
      {variant === 'icon' ? (
        <IconButton {...shared} label={name} icon={<Icon size={16} aria-hidden="true" />} />
      ) : (
        <Button
          {...shared}
          variant="quiet"
          size="small"
          aria-label={name}
          className={styles.bell}
          icon={<Icon size={14} aria-hidden="true" />}
        >
          Alerts
        </Button>
      )}
      {isOpen && Dialog !== null && (
        <Dialog userId={userId} predictionId={predictionId} title={title} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
