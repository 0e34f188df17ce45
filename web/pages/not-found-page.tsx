import { KatMark } from '../brand/marks.tsx';
import { LinkButton } from '../ui/forms/button.tsx';
import { WithNextSteps } from '../ui/layout/next-steps.tsx';
import { Page } from '../ui/layout/page.tsx';
import styles from './not-found-page.module.css';

const DESTINATIONS = [
  { to: '/ai-models', label: 'AI Models', text: 'What the models can and can’t do' },
  { to: '/gallery', label: 'Gallery', text: 'Forecasts and their outcomes' },
  { to: '/research', label: 'Research', text: 'Method and results' },
  { to: '/about', label: 'About', text: 'What this is and who runs it' },
];

export default function NotFoundPage() {
  return (
    <Page className={styles.page}>
      <WithNextSteps heading="You may be looking for" steps={DESTINATIONS}>
        <div className={styles.result}>
          <KatMark size={48} className="muted" />
          <h1>404 – Page Not Found</h1>
          <p className="muted">There is no page at this address. It may have moved, or the link is mistyped.</p>
          <div className="flex wrap gap-2">
            <LinkButton to="/" variant="primary">
              Home
            </LinkButton>
            <LinkButton to="/kat">AI Prediction</LinkButton>
          </div>
        </div>
      </WithNextSteps>
    </Page>
  );
}
