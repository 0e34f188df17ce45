import type { NewsCategory } from '#domain/community/news.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Age } from '../../ui/status/age.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './headline.module.css';
import type { Headline } from './news-api.ts';

export function HeadlineTitle({ headline, className }: { headline: Headline; className?: string | undefined }) {
  const { title, url } = headline;
  return (
    <h3 dir="auto" className={classNames(styles.title, className)}>
      {url === null ? (
        title
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {title}
        </a>
      )}
    </h3>
  );
}

export function HeadlineFacts({ headline, category }: { headline: Headline; category: NewsCategory }) {
  const { site, publishedAt } = headline;
  return (
    <p className={styles.facts}>
      <Badge>{category}</Badge>
      {site !== null && (
        <span dir="auto" className={styles.site}>
          {site}
        </span>
      )}
      {publishedAt !== null && <Age createdAt={publishedAt} smallest="m" />}
    </p>
  );
}

export function LoadingText() {
  return <span className={styles.loading}>Loading news...</span>;
}
