/** Colors of both themes and palettes, each with its worst contrast, measured in this browser. */
import { useLayoutEffect, useState } from 'react';
import { Badge } from '../../ui/layout/badge.tsx';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import styles from './design.module.css';
import { measured, type ThemeColours, themeColours } from './theme-colours.ts';

export function Colours() {
  const [themes, setThemes] = useState<readonly ThemeColours[]>([]);
  // Runs before the first frame, so that nothing below moves.
  useLayoutEffect(() => setThemes(themeColours(document.styleSheets)), []);
  return (
    <section aria-labelledby="design-colours" className="grid gap-4 min-width-0">
      <SectionHeading
        id="design-colours"
        lead="Lowest contrast on ground, surface, raised and field, or on the fill. Text needs 4.5, lines and borders 3."
      >
        Colours
      </SectionHeading>
      <div className={styles.themes}>
        {themes.map((theme) => (
          <figure key={theme.name}>
            <figcaption className={styles.caption}>{theme.name}</figcaption>
            <ul className="grid gap-2">
              {measured(theme).map(({ name, value, ground, worst, needed }) => (
                <li key={name} className={styles.swatch} data-contrast={worst.toFixed(2)} data-needed={needed}>
                  <svg viewBox="0 0 64 28" width="64" height="28" aria-hidden="true">
                    <rect width="64" height="28" rx="4" fill={ground} />
                    <rect x="6" y="6" width="20" height="16" rx="3" fill={value} />
                    <text x="34" y="19" fontSize="13" fill={value}>
                      Aa
                    </text>
                  </svg>
                  <code>{name}</code>
                  <span className={styles.figure}>{worst.toFixed(1)}</span>
                  {worst < needed && <Badge tone="down">below {needed}</Badge>}
                </li>
              ))}
            </ul>
          </figure>
        ))}
      </div>
    </section>
  );
}
