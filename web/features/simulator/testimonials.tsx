import Star from 'lucide-react/icons/star';
import type { Testimonial } from '#domain/site/site-settings.ts';
import { useSiteSettings } from '../../site/site-settings.ts';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import styles from './testimonials.module.css';

const STARS = [1, 2, 3, 4, 5];

/** Hidden until the operator sets quotes: the shipped samples are not from real people. */
export function Testimonials() {
  const settings = useSiteSettings();
  if (settings === null || settings.samples.testimonials || settings.testimonials.length === 0) return null;
  return (
    <section aria-labelledby="simulator-quotes" className="grid gap-4">
      <SectionHeading id="simulator-quotes">Testimonials</SectionHeading>
      <Quotes quotes={settings.testimonials} />
    </section>
  );
}

function Quotes({ quotes }: { quotes: readonly Testimonial[] }) {
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
