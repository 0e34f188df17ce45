/** Shown to visitors instead of the news: blurred sample cards and a sign-in link. No article is fetched for them. */
import { useLocation } from 'react-router';
import { KatMark } from '../../brand/marks.tsx';
import { LinkButton } from '../../ui/forms/button.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './locked-news.module.css';
import cards from './news-cards.module.css';

const SAMPLES = ['Sample', 'Sample', 'Sample', 'Sample'];

export function LockedNews() {
  const { pathname } = useLocation();
  return (
    <div className="grid one-column clip relative">
      <div className={classNames(cards.news, styles.preview)} aria-hidden="true" inert>
        <div className={cards.categories}>
          {SAMPLES.map((title, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: samples have no identity
            <span key={i} className={cards.category}>
              {title}
            </span>
          ))}
        </div>
        <ul className={cards.cards}>
          {SAMPLES.map((title, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: samples have no identity
            <li key={i} className={cards.card}>
              <div className={cards.picture}>
                <KatMark size={40} />
              </div>
              <div className={cards.body}>
                <p>{title}</p>
                <p>Sample headline: what happened, in one or two lines</p>
              </div>
              <p className={cards.summary}>
                Sample text. Sign in to see the first lines of each article. The headline links to the rest.
              </p>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.way}>
        <p className="size-16 weight-500">Sign in to view live crypto news for free</p>
        <div className={styles.links}>
          <LinkButton to={`/auth/signin?next=${encodeURIComponent(pathname)}`} variant="primary">
            Sign In
          </LinkButton>
          <LinkButton to={`/auth/signup?next=${encodeURIComponent(pathname)}`}>Sign Up</LinkButton>
        </div>
      </div>
    </div>
  );
}
