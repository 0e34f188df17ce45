/** /: what this is, in one screen. */
import { Hero } from '../features/home/hero.tsx';
import { ModelCards } from '../features/home/model-cards.tsx';
import { Page } from '../ui/page.tsx';
import { lazyWidget } from '../ui/widget.tsx';
import styles from './home-page.module.css';

const MarketPanel = lazyWidget(
  'Market',
  async () => (await import('../features/market-panel/market-panel.tsx')).MarketPanel,
  styles.market,
);

export default function HomePage() {
  return (
    <Page>
      <Hero />
      <ModelCards />
      <MarketPanel className={styles.market} />
    </Page>
  );
}
