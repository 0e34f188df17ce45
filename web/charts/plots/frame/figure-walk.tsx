/**
 * Moves through a chart by arrow keys with a slider; below it are the values of each series at the chosen place. The
 * resting place is shown until another is chosen, so the figures are always on the page.
 */
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './figure-walk.module.css';
import keys from './key-slider.module.css';
import { KeySlider } from './key-slider.tsx';
import { PointKey, type PointShape } from './point-mark.tsx';

export interface WalkLine {
  name: string;
  shape: PointShape;
  text: string;
}

export interface FigureWalkProps {
  /** What the slider moves through, for its name: 'Skill over HAR by horizon'. */
  name: string;
  count: number;
  /** Its current position. */
  index: number;
  onIndex: (index: number) => void;
  /** The place as text: 'at 10 minutes'. */
  place: string;
  lines: readonly WalkLine[];
}

export function FigureWalk({ name, count, index, onIndex, place, lines }: FigureWalkProps) {
  return (
    <div className={classNames(styles.walk, keys.walked)}>
      <KeySlider
        name={name}
        count={count}
        index={index}
        onIndex={onIndex}
        spoken={`${place}: ${lines.map((line) => `${line.name} ${line.text}`).join('; ')}`}
      />
      <p className={styles.place}>{place}</p>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line.name} className={styles.line}>
            <PointKey shape={line.shape} />
            <span>{line.name}</span>
            <span className={`figures ${styles.figure}`}>{line.text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
