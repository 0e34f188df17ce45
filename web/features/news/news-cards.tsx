import { useRef, useState } from 'react';
import { NEWS_CATEGORIES, type NewsCategory } from '#domain/community/news.ts';
import { KatMark } from '../../brand/marks.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { HeadlineFacts, HeadlineTitle, LoadingText } from './headline.tsx';
import type { Article } from './news-api.ts';
import styles from './news-cards.module.css';

const SHOWN_FIRST = 4;
const SHOWN_MORE = 3;

export function NewsCards({ articles }: { articles: readonly Article[] }) {
  const [picked, setPicked] = useState<NewsCategory | null>(null);
  const [count, setCount] = useState(SHOWN_FIRST);
  const list = useRef<HTMLUListElement>(null);
  const present = NEWS_CATEGORIES.filter((category) => articles.some((article) => article.category === category));
  // A refresh may remove a category.
  const chosen = picked !== null && present.includes(picked) ? picked : null;
  const chosenArticles = articles.filter(({ category }) => chosen === null || category === chosen);
  const showMore = () => {
    setCount(count + SHOWN_MORE);
    // The button disappears with the last articles, so the focus moves to the list.
    if (count + SHOWN_MORE >= chosenArticles.length) list.current?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.news}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields */}
      <div role="group" aria-label="Category" className={styles.categories}>
        {[null, ...present].map((category) => (
          <button
            key={category}
            type="button"
            className={styles.category}
            aria-pressed={category === chosen}
            onClick={() => {
              setPicked(category);
              setCount(SHOWN_FIRST);
            }}
          >
            {category ?? 'All'}
          </button>
        ))}
      </div>
      <ul ref={list} tabIndex={-1} className={styles.cards}>
        {chosenArticles.slice(0, count).map((article) => (
          <li key={article.id} className={styles.card}>
            <Picture key={article.imagePath} path={article.imagePath} />
            <div className={styles.body}>
              <HeadlineFacts headline={article} category={article.category} />
              <HeadlineTitle headline={article} />
            </div>
            <p dir="auto" className={styles.summary}>
              {article.summary}
            </p>
          </li>
        ))}
      </ul>
      <div className={styles.more}>
        {count < chosenArticles.length && <Button onClick={showMore}>Load More News</Button>}
      </div>
    </div>
  );
}

/** The site's mark if an article has no picture, or it does not load. */
function Picture({ path }: { path: string | null }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <div className={styles.picture}>
      {path === null || isBroken ? (
        <KatMark size={40} />
      ) : (
        <img src={path} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      )}
    </div>
  );
}

export function WaitingCards() {
  return (
    <div role="status" className={styles.news}>
      <LoadingText />
      <div className={styles.categories} />
      <div className={styles.cards}>
        {Array.from({ length: SHOWN_FIRST }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
          <Skeleton key={i} className={styles.card} />
        ))}
      </div>
    </div>
  );
}
