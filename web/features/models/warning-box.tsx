import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import styles from './warning-box.module.css';

export function WarningBox() {
  return (
    <aside className={styles.box} aria-labelledby="models-warning">
      <TriangleAlert size={22} aria-hidden="true" className="warning" />
      <div className={styles.text}>
        <h2 id="models-warning">What these forecasts can’t do</h2>
        <p>
          <strong>{RESEARCH_ONLY}</strong>
        </p>
        <ul>
          <li>They do not say whether a price will rise or fall. The median of every forecast is the last price.</li>
          <li>
            The drawn candles are one plausible path of many. As a point forecast, they are worse than the last price.
          </li>
          <li>One close in five should fall outside an 80% band. In some months, more did.</li>
          <li>They don’t know about news, fees, trading halts or anything after their training.</li>
        </ul>
        <p>Nothing on this page is a reason to trade.</p>
      </div>
    </aside>
  );
}
