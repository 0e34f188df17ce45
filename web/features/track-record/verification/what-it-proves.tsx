import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import styles from './what-it-proves.module.css';

export function WhatItProves() {
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="proves">
      <SectionHeading id="proves">What this proves and what it doesn’t</SectionHeading>
      <div className={styles.columns}>
        <div>
          <h3>It proves</h3>
          <ul className={styles.list}>
            <li>
              That no forecast was changed, removed or inserted: each record contains the hash of the one before it, and
              each day is signed.
            </li>
            <li>
              That each forecast was fixed before anyone knew the outcome. Its hash is published within seconds. Its
              content follows when its fifty candles have closed, or, for a chance, when its window has ended. Save the
              hash, or the day’s file, to check this yourself.
            </li>
            <li>That nothing was cherry-picked: every slot that was due is counted, including missed and void ones.</li>
            <li>
              That the figures follow from the records: you can download the rows and the code that computes them.
            </li>
          </ul>
        </div>
        <div>
          <h3>It does not prove</h3>
          <ul className={styles.list}>
            <li>
              That the operator didn’t rewrite the whole history and sign it again. Only a signed statement that you
              saved earlier can show that: compare later days with it.
            </li>
            <li>
              That the future will be like the past: markets change, and intervals describe only what was measured.
            </li>
            <li>That anyone could trade on it: no figure includes fees, spread or delay.</li>
          </ul>
        </div>
      </div>
    </section>
  );
}
