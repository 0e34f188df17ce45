/** Links to the files and programs with which anyone can check a day without this site. */
import { candlesName } from '#domain/market/timeframe-text.ts';
import { LONGER_TIMEFRAMES } from '#domain/record/ledger/ledger.ts';
import styles from './check-yourself.module.css';
import { dayFile } from './raw-files-api.ts';

/** Raw rows, keys and the code that recomputes every figure: plain, permanent URLs. */
export function Downloads({ day }: { day: string }) {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day);
  return (
    <div className={styles.downloads}>
      <h3>Check without this page</h3>
      <ul className={styles.links}>
        <li>
          <a href="/record/days.json">Signed days</a>
        </li>
        <li>
          <a href="/record/keys.json">Public keys and their history</a>
        </li>
        {isDay && (
          <>
            <li>
              <a href={dayFile(day)}>{`Rows of ${day} (NDJSON)`}</a>
            </li>
            <li>
              <a href={`/record/days/${day}.csv`}>{`Scores of ${day} (CSV)`}</a>
            </li>
            {LONGER_TIMEFRAMES.map((timeframe) => (
              <li key={timeframe}>
                <a href={`/record/days/${day}.csv?tf=${timeframe}`}>
                  {`Scores of ${day}, ${candlesName(timeframe)} (CSV)`}
                </a>
              </li>
            ))}
            <li>
              <a href={`/record/chances/${day}.csv`}>{`Chances of ${day} (CSV)`}</a>
            </li>
          </>
        )}
        <li>
          <a href="/record/recompute.mjs" download>
            Code that recomputes every figure
          </a>
        </li>
      </ul>
      <p className={styles.how}>
        Offline, with the project&rsquo;s code: <code>npm run verify:record -- FILE</code>
      </p>
    </div>
  );
}
