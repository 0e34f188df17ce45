/** /kat below its workspace: what comes next today, then the wider market and its news. On phones these are two tabs. */
import type { ReactNode } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { TodayFrame } from '../../features/market-clock/today-frame.tsx';
import { TabSection } from '../../ui/layout/section-tabs.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './kat-market-part.module.css';

/** Below the first screen of a laptop. */
const BELOW = { arrival: 'near' } as const;

const TodayStrip = lazyWidget(
  'Today',
  async () => (await import('../../features/market-clock/today-strip.tsx')).TodayStrip,
  undefined,
  { ...BELOW, frame: <TodayFrame /> },
);
const PriceChart = lazyWidget(
  'BTC-USD Weekly',
  async () => (await import('../../features/price-charts/price-chart.tsx')).PriceChart,
  styles.years,
  BELOW,
);
const Sentiment = lazyWidget(
  'Community Sentiment',
  async () => (await import('../../features/sentiment/sentiment.tsx')).Sentiment,
  styles.sentiment,
  BELOW,
);
const NewsList = lazyWidget(
  'Current News',
  async () => (await import('../../features/news/news-list.tsx')).NewsList,
  styles.news,
  BELOW,
);

const sentiment = <Sentiment className={styles.sentiment} />;

export interface KatMarketPartProps {
  symbol: MarketSymbol;
  isPhone: boolean;
  /** At the top of the tab on phones, elsewhere above the whole page. */
  ticker: ReactNode;
}

export function KatMarketPart({ symbol, isPhone, ticker }: KatMarketPartProps) {
  return (
    <TabSection id="market" className="column gap-4 quiet">
      {isPhone && ticker}
      <TodayStrip isOpenAtFirst={!isPhone} />
      {/* A tab needs no heading of its own. */}
      {!isPhone && <h2 className="size-20 margin-top-2">The wider market</h2>}
      <div className={styles.row}>
        <PriceChart symbol={symbol} className={styles.years} />
        {!isPhone && sentiment}
      </div>
    </TabSection>
  );
}

export function KatNewsPart({ isPhone }: { isPhone: boolean }) {
  return (
    <TabSection id="news" className="column gap-4 quiet">
      <NewsList className={styles.news} />
      {isPhone && sentiment}
    </TabSection>
  );
}
