import { HONEST_LINE } from '../../content/honest-line.ts';
import { ModelGuide } from '../../features/models/model-guide.tsx';
import { ModelsFigures } from '../../features/models/models-figures.tsx';
import { ModelsFilm } from '../../features/models/models-film.tsx';
import { ReleasesSection } from '../../features/models/releases-section.tsx';
import { TimeframesSection } from '../../features/models/timeframes-section.tsx';
import { UnseenSection } from '../../features/models/unseen-section.tsx';
import { WarningBox } from '../../features/models/warning-box.tsx';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './ai-models-page.module.css';

export default function AiModelsPage() {
  return (
    <Page>
      <div className={styles.top}>
        <header className="grid gap-3 readable-width">
          <h1>AI Models</h1>
          <p className="size-16">{HONEST_LINE}</p>
          <p>
            Bobcat, Panther and Lion read the last 450 one-minute candles and forecast how far the price is likely to
            move in the next 50 minutes. They do the same with candles of <a href="#timeframes">5 and 15 minutes</a>.
          </p>
          <div className="flex wrap gap-3">
            <LinkButton to="/gallery" variant="primary">
              View Prediction Gallery
            </LinkButton>
            <LinkButton to="/track-record">Track Record</LinkButton>
            <LinkButton to="/research">Read the paper</LinkButton>
            <LinkButton to="/kat">Open AI Prediction</LinkButton>
          </div>
        </header>
        <WarningBox />
      </div>
      <div className={styles.parts}>
        <ModelGuide />
        <ModelsFilm />
        <div className={styles.figures}>
          <h2>Measured</h2>
          <p className="readable-width">
            Each model was tested on months that no model was trained on, against simple baselines, misses included. One
            limit: earlier versions were tested on the same months, and we fixed two faults found there. So it is not a
            fully unseen test.
          </p>
          <ModelsFigures />
        </div>
        <TimeframesSection />
        <UnseenSection />
        <ReleasesSection />
      </div>
    </Page>
  );
}
