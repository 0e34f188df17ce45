import Bell from 'lucide-react/icons/bell';
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import CreditCard from 'lucide-react/icons/credit-card';
import History from 'lucide-react/icons/rotate-ccw-clock';
import Shield from 'lucide-react/icons/shield';
import UserRound from 'lucide-react/icons/user-round';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { Page } from '../../ui/layout/page.tsx';
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
  const { pathname } = useLocation();
  const menuRef = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current item
  useLayoutEffect(() => showCurrent(menuRef.current), [pathname]);
  return (
    <Page className={styles.layout}>
      <nav ref={menuRef} aria-label="Account" className={styles.menu}>
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
      <div className="grid gap-6 min-width-0">{children}</div>
    </Page>
  );
}

/** On phones the menu scrolls sideways: centres the current item without scrolling the page. */
function showCurrent(menu: HTMLElement | null): void {
  const current = menu?.querySelector('[aria-current="page"]');
  if (menu == null || current == null) return;
  const [frame, item] = [menu.getBoundingClientRect(), current.getBoundingClientRect()];
  menu.scrollLeft += item.left + item.width / 2 - (frame.left + frame.width / 2);
}
