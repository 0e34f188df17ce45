import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import styles from './warning-box.module.css';

export function WarningBox() {
  return (
    <aside className={styles.box} aria-labelledby="models-warning">
      <TriangleAlert size={22} aria-hidden="true" className="warning" />
      <div className={styles.text}>
        <h2 id="models-warning">What these forecasts cannot do</h2>
        <p>
          <strong>{RESEARCH_ONLY}</strong>
        </p>
        <ul>
          <li>They do not say whether a price will rise or fall. The median of every forecast is the last price.</li>
          <li>The candles drawn are one plausible path of many, and as a point forecast worse than the last price.</li>
          <li>An 80% band is meant to be missed by one close in five; in some months it was missed by more.</li>
          <li>They know no news, no fees, no halts, and nothing of the months after their training.</li>
        </ul>
        <p>Nothing on this page is a reason to trade.</p>
      </div>
    </aside>
  );
}
