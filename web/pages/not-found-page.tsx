import { Link } from 'react-router';
import { KatMark } from '../brand/marks.tsx';
import { LinkButton } from '../ui/forms/button.tsx';
import { Page } from '../ui/layout/page.tsx';
import styles from './not-found-page.module.css';

const DESTINATIONS = [
  { to: '/ai-models', label: 'AI Models', text: 'what the models can and can’t do' },
  { to: '/gallery', label: 'Gallery', text: 'forecasts and their outcomes' },
  { to: '/research', label: 'Research', text: 'method and results' },
  { to: '/about', label: 'About', text: 'what this is and who runs it' },
];

export default function NotFoundPage() {
  return (
    <Page width="reading" className={styles.page}>
      <KatMark size={48} className="muted" />
      <h1>404 – Page Not Found</h1>
      <p className="muted">There is no page at this address. It may have moved, or the link is mistyped.</p>
      <div className="flex wrap gap-2">
        <LinkButton to="/" variant="primary">
          Home
        </LinkButton>
        <LinkButton to="/kat">AI Prediction</LinkButton>
      </div>
      <ul className={styles.ways}>
        {DESTINATIONS.map(({ to, label, text }) => (
          <li key={to}>
            <Link to={to}>{label}</Link> <span className="muted">{text}</span>
          </li>
        ))}
      </ul>
    </Page>
  );
}
