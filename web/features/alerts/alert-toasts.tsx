/** New alerts as toasts: at most three, each with its link, then the number of further ones. */
import X from 'lucide-react/icons/x';
import { Link } from 'react-router';
import type { Alert } from '#domain/alerts/alert.ts';
import { describeAlert, placeName } from '#domain/alerts/alert-messages.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { IconButton } from '../../ui/forms/button.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import styles from './alert-toasts.module.css';

const SHOWN = 3;
const LIST = '/track-record#alerts';

/** @param alerts  newest first */
export function showAlerts(alerts: readonly Alert[]): void {
  const more = alerts.length - SHOWN;
  // The last toast shown is on top.
  if (more > 0) show('alerts-more', { title: `And ${more} more`, path: LIST, market: null });
  for (const { id, facts } of alerts.slice(0, SHOWN).toReversed())
    show(`alert-${id}`, { ...describeAlert(facts), market: facts.marketKind });
}

function show(id: string, content: AlertToastContent): void {
  toast.lasting(<AlertToast {...content} onClose={() => toast.dismiss(id)} />, { id });
}

interface AlertToastContent {
  title: string;
  text?: string;
  path: string;
  /** Shown beside the title, because the text may be cut before its mention. Null: several markets. */
  market: MarketKind | null;
}

interface AlertToastProps extends AlertToastContent {
  onClose: () => void;
}

function AlertToast({ title, text, path, market, onClose }: AlertToastProps) {
  return (
    <div className={styles.toast}>
      <div className={styles.body}>
        <p className="size-14 weight-600">
          <span>{title}</span> <SourceBadge kind={market} />
        </p>
        {text !== undefined && <p className={styles.text}>{text}</p>}
        <Link to={path} className={styles.link} onClick={onClose}>
          {path === LIST ? 'Latest alerts' : placeName(path)}
        </Link>
      </div>
      <IconButton label="Dismiss" icon={<X size={16} aria-hidden="true" />} onClick={onClose} />
    </div>
  );
}
