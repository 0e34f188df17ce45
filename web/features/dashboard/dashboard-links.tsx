/** The dashboard's links; those for admins only are in its header. */
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CreditCard from 'lucide-react/icons/credit-card';
import LayoutGrid from 'lucide-react/icons/layout-grid';
import UserRound from 'lucide-react/icons/user-round';
import { Link } from 'react-router';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './dashboard-links.module.css';

const LINKS = [
  { to: '/kat', label: 'AI Prediction', text: 'Run a forecast', Icon: ChartCandlestick },
  {
    to: '/account/predictions#predictions',
    label: 'Saved predictions',
    text: 'Your past predictions',
    Icon: LayoutGrid,
  },
  { to: '/account/subscription', label: 'Subscription', text: 'Plan and quota', Icon: CreditCard },
  { to: '/account', label: 'Account', text: 'Your details', Icon: UserRound },
] as const;

export function DashboardLinks() {
  return (
    <Panel heading="Go to" className="quiet" isFlush>
      <ul>
        {LINKS.map(({ to, label, text, Icon }) => (
          <li key={to} className={styles.row}>
            <Link to={to} className={styles.link}>
              <Icon size={18} aria-hidden="true" className="flex-none muted" />
              <span className="weight-500">{label}</span>
              <span className={styles.text}>{text}</span>
              <ChevronRight size={16} aria-hidden="true" className="flex-none muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
