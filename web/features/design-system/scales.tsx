import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import scales from './scales.module.css';

const SIZES = ['12', '13', '14', '16', '20', '28', '40'] as const;
const SPACES = ['1', '2', '3', '4', '5', '6', '8', '10', '12', '16'] as const;

export function Scales() {
  return (
    <section aria-labelledby="design-scales" className="grid gap-4 min-width-0">
      <SectionHeading
        id="design-scales"
        lead="Inter for text, JetBrains Mono with tabular figures for prices, sizes and times."
      >
        Type, space, radii
      </SectionHeading>
      <ul className="grid gap-2 break-anywhere">
        {SIZES.map((size) => (
          <li key={size} style={{ fontSize: `var(--size-${size})` }}>
            <span className={scales.name}>{size}</span> One path inside its band{' '}
            <span className="figures">63,412.50 −0.42%</span>
          </li>
        ))}
      </ul>
      <p>
        <span className="weight-400">Regular 400</span> <span className="weight-500">Medium 500</span>{' '}
        <span className="weight-600">Strong 600</span>
      </p>
      <ul className={scales.spaces}>
        {SPACES.map((space) => (
          <li key={space}>
            <code>space-{space}</code>
            <span style={{ width: `var(--space-${space})` }} />
          </li>
        ))}
      </ul>
      <ul className={scales.radii}>
        <li className={scales.control}>control, 6</li>
        <li className={scales.panel}>panel, 10</li>
      </ul>
    </section>
  );
}
