import Rss from 'lucide-react/icons/rss';
import { ChangeLog } from '../../features/changelog/posts/change-log.tsx';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './change-log-page.module.css';

/** For feed readers; the document's head links to it too. */
const FEED = '/change-log.atom';

export default function ChangeLogPage() {
  return (
    <Page>
      <header className={styles.head}>
        <div className="grid gap-2">
          <h1>Change Log</h1>
          <p className={styles.lead}>What’s new, fixed and measured in Kat, newest first.</p>
        </div>
        <LinkButton to={FEED} reloadDocument type="application/atom+xml" icon={<Rss size={15} aria-hidden="true" />}>
          Atom feed
        </LinkButton>
      </header>
      <ChangeLog />
    </Page>
  );
}
