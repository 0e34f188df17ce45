import { useSiteSettings } from '../../site/site-settings.ts';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import styles from './high-scores.module.css';

/** The operator's own screenshots; without any there is no section, because a drawing would show nothing real. */
export function HighScores() {
  const pictures = useSiteSettings()?.simulatorPictures ?? [];
  if (pictures.length === 0) return null;
  return (
    <section aria-labelledby="simulator-scores" className="grid gap-4">
      <SectionHeading id="simulator-scores">High scores</SectionHeading>
      <div className={styles.screens}>
        {pictures.map(({ url, text }) => (
          <figure key={url}>
            <a href={url} className={styles.frame}>
              <img src={url} alt={text} loading="lazy" className={styles.picture} />
            </a>
            <figcaption dir="auto" className="muted size-13 margin-top-2 break-anywhere">
              {text}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
