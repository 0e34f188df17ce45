/** The operator's settings load after the first paint. */
import { Link } from 'react-router';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { DOCS_PATH } from '#domain/site/routes.ts';
import { KatMark } from '../../brand/marks.tsx';
import { HONEST_LINE } from '../../content/honest-line.ts';
import { useTheme } from '../../ui/browser/theme.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './footer.module.css';
import { QUICK_LINKS } from './navigation-items.ts';

/** The footer has its own headings. */
const IN_FOOTER = { arrival: 'near', isHeaded: true } as const;

const FooterContacts = lazyWidget(
  'Community',
  async () => (await import('./footer-contacts.tsx')).FooterContacts,
  styles.contacts,
  IN_FOOTER,
);
const TimeZoneChoice = lazyWidget(
  'Time zone',
  async () => (await import('./time-zone-choice.tsx')).TimeZoneChoice,
  styles.zone,
  IN_FOOTER,
);

export function Footer() {
  const { isColourBlind, toggleColourBlind } = useTheme();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.about}>
          <p className="row gap-2 text size-14 weight-600">
            <KatMark size={20} />
            Kat
          </p>
          <p>{HONEST_LINE}</p>
          <p className="text">{RESEARCH_ONLY}</p>
          <div className={styles.display}>
            <Switch label="Colour-blind palette" isOn={isColourBlind} onToggle={toggleColourBlind} />
            <TimeZoneChoice />
          </div>
        </div>
        <nav aria-label="Quick links">
          <p className={styles.heading}>Quick links</p>
          <ul className={styles.links}>
            {QUICK_LINKS.map((link) => (
              <li key={link.to}>
                <Link to={link.to}>{link.label}</Link>
              </li>
            ))}
            <li>
              {/* Not a page of the app, so the browser loads it whole. */}
              <a href={DOCS_PATH}>Documentation</a>
            </li>
          </ul>
        </nav>
        <FooterContacts className={styles.contacts} />
      </div>
    </footer>
  );
}
