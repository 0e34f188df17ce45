/** The marks, the icons in use, up and down with their second cue, and the moving parts. */
import type { LucideIcon } from 'lucide-react';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Copy from 'lucide-react/icons/copy';
import ExternalLink from 'lucide-react/icons/external-link';
import Lock from 'lucide-react/icons/lock';
import Moon from 'lucide-react/icons/moon';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Sun from 'lucide-react/icons/sun';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import X from 'lucide-react/icons/x';
import { BobcatMark, KatMark, LionMark, PantherMark } from '../../brand/marks.tsx';
import { useTheme } from '../../ui/browser/theme.ts';
import { useReducedMotion } from '../../ui/browser/use-media.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { Spinner } from '../../ui/status/loader.tsx';
import motion from './motion.module.css';

const MARKS = [
  { name: 'Kat', Mark: KatMark },
  { name: 'Bobcat', Mark: BobcatMark },
  { name: 'Panther', Mark: PantherMark },
  { name: 'Lion', Mark: LionMark },
];
const ICONS: readonly LucideIcon[] = [
  Check,
  ChevronDown,
  Copy,
  ExternalLink,
  Lock,
  Moon,
  RefreshCw,
  Sun,
  TriangleAlert,
  X,
];

export function MarksAndMotion() {
  const { isColourBlind, toggleColourBlind } = useTheme();
  const isReduced = useReducedMotion();
  return (
    <>
      <section aria-labelledby="design-marks" className="grid gap-4 min-width-0">
        <SectionHeading id="design-marks">Marks and icons</SectionHeading>
        <ul className={motion.marks}>
          {MARKS.map(({ name, Mark }) => (
            <li key={name}>
              <Mark size={64} />
              <Mark size={24} />
              <Mark size={16} />
              {name}
            </li>
          ))}
        </ul>
        <p className="row wrap gap-3" aria-hidden="true">
          {ICONS.map((Icon) => (
            <Icon key={Icon.displayName} size={18} />
          ))}
        </p>
      </section>
      <section aria-labelledby="design-cues" className="grid gap-4 min-width-0">
        <SectionHeading id="design-cues" lead="Sign, arrow and fill, never colour alone.">
          Up and down
        </SectionHeading>
        <div className="row wrap gap-3">
          <Candle isUp />
          <Candle isUp={false} />
          <span className={`figures ${motion.up}`}>▲ +1.24%</span>
          <span className={`figures ${motion.down}`}>▼ −0.87%</span>
          <Switch label="Colour-blind palette" isOn={isColourBlind} onToggle={toggleColourBlind} />
        </div>
      </section>
      <section aria-labelledby="design-motion" className="grid gap-4 min-width-0">
        <SectionHeading
          id="design-motion"
          lead={
            isReduced
              ? 'Reduced motion is on: nothing moves automatically.'
              : 'Quick is 120 ms, calm 200 ms, both ease out.'
          }
        >
          Motion
        </SectionHeading>
        <div className="row wrap gap-3">
          <span className={motion.quick}>quick, on hover</span>
          <span className={motion.calm}>calm, on hover</span>
          <Spinner />
        </div>
      </section>
    </>
  );
}

function Candle({ isUp }: { isUp: boolean }) {
  return (
    <svg
      viewBox="0 0 16 40"
      width="16"
      height="40"
      role="img"
      aria-label={isUp ? 'Rising candle, hollow' : 'Falling candle, filled'}
      className={isUp ? motion.hollow : motion.filled}
    >
      <path d="M8 2v8M8 30v8" />
      <rect x="3" y="10" width="10" height="20" />
    </svg>
  );
}
