import { Link } from 'react-router';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';

const SIGN_IN = '/auth/signin?next=%2Ftrack-record%23alerts';

export function VisitorsAlerts() {
  return (
    <section aria-labelledby="alerts-heading">
      <SectionHeading
        id="alerts-heading"
        lead={
          <>
            <Link to={SIGN_IN}>Sign in</Link> to get an alert when a minute closes outside one of your forecasts, when
            its outcome is known, or when the models disagree.
          </>
        }
      >
        Alerts
      </SectionHeading>
    </section>
  );
}
