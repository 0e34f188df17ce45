/** 'Trending Now': the three newest headlines, for everyone. 178 px high where it is wider than 720 px, else 328. */
import { Skeleton } from '../../ui/status/loader.tsx';
import { HeadlineFacts, HeadlineTitle, LoadingText } from './headline.tsx';
import type { Headline } from './news-api.ts';
import { NewsFrame } from './news-frame.tsx';
import styles from './trending-news.module.css';
import { useHeadlines } from './use-news.ts';

export function TrendingNews({ className }: { className?: string | undefined }) {
  return (
    <NewsFrame
      heading="Trending Now"
      className={className}
      state={useHeadlines()}
      emptyText="No news available"
      contentClassName={styles.place}
      loading={
        <div role="status" className={styles.list}>
          {[0, 1, 2].map((i) => (
            <div key={i} className={styles.item}>
              <Skeleton className="full-height" />
            </div>
          ))}
          <LoadingText />
        </div>
      }
    >
      {(headlines: readonly Headline[]) => (
        <ul className={styles.list}>
          {headlines.map((headline) => (
            <li key={headline.id} className={styles.item}>
              {/* Only the longer list has the category Banking. */}
              <HeadlineFacts
                headline={headline}
                category={headline.category === 'Banking' ? 'Markets' : headline.category}
              />
              <HeadlineTitle headline={headline} className={styles.title} />
            </li>
          ))}
        </ul>
      )}
    </NewsFrame>
  );
}
