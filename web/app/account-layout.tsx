/** The account area: side menu and the page beside it. */
import { Bell, ChartCandlestick, CreditCard, History, Shield, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { Page } from '../ui/page.tsx';
import styles from './account-layout.module.css';

const ITEMS = [
  { label: 'Profile', to: '/account', Icon: UserRound },
  { label: 'Subscription', to: '/account/subscription', Icon: CreditCard },
  { label: 'Notifications', to: '/account/notifications', Icon: Bell },
  { label: 'Security', to: '/account/security', Icon: Shield },
  { label: 'Activity', to: '/account/activity', Icon: History },
  { label: 'Predictions', to: '/account/predictions', Icon: ChartCandlestick },
] as const;

export function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <Page className={styles.layout}>
      <nav aria-label="Account" className={styles.menu}>
        <ul>
          {ITEMS.map(({ label, to, Icon }) => (
            <li key={to}>
              <NavLink to={to} end className={styles.link ?? ''}>
                <Icon size={17} aria-hidden="true" />
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.content}>{children}</div>
    </Page>
  );
}
