/** The data-protection notice: each right with the way to use it here, and the notice about the terms. */
import { Link } from 'react-router';
import { Panel } from '../../../ui/layout/panel.tsx';
import styles from './data-rights.module.css';
import { ExportDownload } from './export-download.tsx';

const CONTACT = <Link to="/legal#privacy-rights">contact in the privacy notice</Link>;

export function DataProtection() {
  return (
    <Panel heading="Data Protection" id="rights">
      <p className="readable-width">Your data is yours. These are your rights, and how to use each one here:</p>
      <dl className={styles.rights}>
        <div>
          <dt>Access</dt>
          <dd>
            Download it below: profile, predictions, sign-ins, payments, emails and errors. No password, key or code is
            in the file.
          </dd>
        </div>
        <div>
          <dt>Correct</dt>
          <dd>
            Edit or clear any field of your <Link to="/account">profile</Link>, including your photo. To correct
            anything else, write to the {CONTACT}.
          </dd>
        </div>
        <div>
          <dt>Delete</dt>
          <dd>
            Use Delete Account at the end of this page, or write to the {CONTACT} from the email address of your
            account. You can also clear your profile and remove your photo alone.
          </dd>
        </div>
        <div>
          <dt>Portability</dt>
          <dd>The download is one JSON file, which other programs can read.</dd>
        </div>
        <div>
          <dt>Withdraw consent</dt>
          <dd>
            Under <Link to="/account/notifications">Notifications</Link>, switch off what you no longer want. It applies
            immediately.
          </dd>
        </div>
      </dl>
      <ExportDownload />
    </Panel>
  );
}

export function TermsNotice() {
  return (
    <Panel heading="Terms">
      <p className="readable-width">
        By using Kat, you agree to its <Link to="/legal">terms of use and privacy notice</Link>. Forecasts are for
        research, not advice.
      </p>
    </Panel>
  );
}
