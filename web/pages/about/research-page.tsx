/** /research: method and documentation, as a separate document in a frame. */
import { OWN_PAPER_PATH } from '#domain/site/site-settings.ts';
import { ResearchFrame } from '../../features/research/research-frame.tsx';
import { useSiteSettings } from '../../site/site-settings.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './research-page.module.css';

export default function ResearchPage() {
  const address = useSiteSettings()?.researchUrl ?? OWN_PAPER_PATH;
  return (
    <Page>
      <div className={styles.column}>
        <header className="grid gap-3 readable-width">
          <h1>Research</h1>
          <p className="size-16">
            How the forecasts are made and tested, and where they fail: method, data, results with intervals, and every
            missed target.
          </p>
          <div className={styles.actions}>
            <LinkButton to={address} reloadDocument variant="primary">
              Open the paper on its own
            </LinkButton>
            <LinkButton to="/ai-models">AI Models</LinkButton>
            <LinkButton to="/gallery">Prediction Gallery</LinkButton>
          </div>
        </header>
        <ResearchFrame address={address} />
      </div>
    </Page>
  );
}
