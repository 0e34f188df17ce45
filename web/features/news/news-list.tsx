import { Suspense } from 'react';
import { useSession } from '../../session/session.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { lazyPart } from '../../ui/widget.tsx';
import { NewsCards, WaitingCards } from './news-cards.tsx';
import { NewsFrame, SimulatedNews } from './news-frame.tsx';
import styles from './news-list.module.css';
import { useArticles } from './use-news.ts';

const HEADING = 'Current News';

/** Only for visitors. */
const LockedNews = lazyPart(async () => (await import('./locked-news.tsx')).LockedNews);

export interface NewsListProps {
  className?: string | undefined;
}

export function NewsList({ className }: NewsListProps) {
  const { initialized, user } = useSession();
  if (user !== null) return <SignedInNews key={user.id} className={className} />;
  return (
    <Panel heading={HEADING} className={className} isFlush beside={<SimulatedNews />}>
      <div className={styles.place}>
        {initialized ? (
          <Suspense fallback={<WaitingCards />}>
            <LockedNews />
          </Suspense>
        ) : (
          <WaitingCards />
        )}
      </div>
    </Panel>
  );
}

function SignedInNews({ className }: NewsListProps) {
  return (
    <NewsFrame
      heading={HEADING}
      className={className}
      state={useArticles()}
      contentClassName={styles.place}
      emptyText="No news data available"
      loading={<WaitingCards />}
    >
      {(articles) => <NewsCards articles={articles} />}
    </NewsFrame>
  );
}
