import Star from 'lucide-react/icons/star';
import type { Testimonial } from '#domain/site/site-settings.ts';
import { useSiteSettingsState } from '../../site/site-settings.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './testimonials.module.css';

const STARS = [1, 2, 3, 4, 5];

export function Testimonials({ className }: { className?: string | undefined }) {
  const { settings, hasFailed, isRetrying, retry } = useSiteSettingsState();
  return (
    <section aria-labelledby="simulator-quotes" className={classNames(styles.section, className)}>
      <SectionHeading
        id="simulator-quotes"
        beside={
          settings?.samples.testimonials && (
            <Badge tone="warning" title="Sample quote. Replace it in the site settings.">
              sample
            </Badge>
          )
        }
      >
        Testimonials
      </SectionHeading>
      {settings !== null && <Quotes quotes={settings.testimonials} />}
      {settings === null && !hasFailed && <Skeleton className={styles.waiting} />}
      {settings === null && hasFailed && (
        <ErrorState title="We couldn’t load the quotes" onRetry={retry} isRetrying={isRetrying} />
      )}
    </section>
  );
}

function Quotes({ quotes }: { quotes: readonly Testimonial[] }) {
  if (quotes.length === 0) return <EmptyState title="No quotes yet." />;
  return (
    <ul className={styles.quotes}>
      {quotes.map((quote, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: quotes may repeat, and the list never changes
        <li key={index} className={styles.quote}>
          <p className="row gap-2 muted size-12">
            <span className={styles.stars} aria-hidden="true">
              {STARS.map((star) => (
                <Star key={star} size={15} className={star <= quote.rating ? styles.full : styles.empty} />
              ))}
            </span>
            {quote.rating} of 5 stars
          </p>
          <blockquote dir="auto" className={styles.content}>
            {quote.content}
          </blockquote>
          <p className="muted size-13 break-anywhere">
            <span dir="auto">{quote.name}</span>, <span dir="auto">{quote.role}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
