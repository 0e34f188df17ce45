/** What visitors see instead of the news: blurred sample cards, and the way in. No article is fetched for them. */
import { useLocation } from 'react-router';
import { LinkButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { KatMark } from '../../ui/marks.tsx';
import styles from './locked-news.module.css';
import cards from './news-cards.module.css';

const SAMPLES = ['Sample headline', 'Sample headline', 'Sample headline', 'Sample headline'];

export function LockedNews() {
  const { pathname } = useLocation();
  return (
    <div className={styles.locked}>
      <div className={classNames(cards.news, styles.preview)} aria-hidden="true" inert>
        <div className={cards.categories} />
        <ul className={cards.cards}>
          {SAMPLES.map((title, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: samples have no identity
            <li key={i} className={cards.card}>
              <div className={cards.picture}>
                <KatMark size={40} />
              </div>
              <div className={cards.words}>
                <p>Sample</p>
                <p>{title}</p>
              </div>
              <p className={cards.summary}>Sample text. Signed in, a summary of the article stands here.</p>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.way}>
        <p className={styles.words}>Sign in to view live crypto news for free</p>
        <div className={styles.links}>
          <LinkButton to={`/auth/signin?next=${encodeURIComponent(pathname)}`} variant="primary">
            Sign in
          </LinkButton>
          <LinkButton to={`/auth/signup?next=${encodeURIComponent(pathname)}`}>Sign up</LinkButton>
        </div>
      </div>
    </div>
  );
}
