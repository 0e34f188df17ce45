import { Hero } from '../features/home/hero.tsx';
import { ModelCards } from '../features/home/model-cards.tsx';
import { Welcome } from '../features/home/welcome.tsx';
import { AwaitedForecast } from '../features/home-forecast/forecast-frame.tsx';
import { Page } from '../ui/layout/page.tsx';
import { lazyWidget } from '../ui/widget.tsx';
import styles from './home-page.module.css';

/** Below the first screen. */
const BELOW = { arrival: 'near' } as const;

const HomeForecast = lazyWidget(
  'This minute’s forecast',
  async () => (await import('../features/home-forecast/home-forecast.tsx')).HomeForecast,
  styles.forecast,
  { frame: <AwaitedForecast className={styles.forecast} /> },
);
const BitcoinStats = lazyWidget(
  'Bitcoin',
  async () => (await import('../features/bitcoin-stats/bitcoin-stats.tsx')).BitcoinStats,
  styles.bitcoin,
  BELOW,
);
const TrendingNews = lazyWidget(
  'Trending Now',
  async () => (await import('../features/news/trending-news.tsx')).TrendingNews,
  styles.trending,
  BELOW,
);
const CommunityStats = lazyWidget(
  'Community',
  async () => (await import('../features/community-stats/community-stats.tsx')).CommunityStats,
  styles.community,
  BELOW,
);
const MarketPanel = lazyWidget(
  'Market',
  async () => (await import('../features/market-panel/market-panel.tsx')).MarketPanel,
  styles.market,
  BELOW,
);

export default function HomePage() {
  return (
    <Page className="column gap-6">
      <Welcome />
      <Hero />
      <HomeForecast className={styles.forecast} />
      <BitcoinStats className={styles.bitcoin} />
      <TrendingNews className={styles.trending} />
      <ModelCards />
      <CommunityStats variant="home" className={styles.community} />
      <MarketPanel className={styles.market} />
    </Page>
  );
}
