/**
 * Walking through a drawn figure: a slider for the arrow keys, and below it what each series says at the place shown.
 * Without a place chosen the resting one is told, so the figures stand in the page before anybody points.
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
  /** What is walked through, for the slider's name: 'Skill over HAR by horizon'. */
  name: string;
  count: number;
  /** Where it stands. */
  index: number;
  onIndex: (index: number) => void;
  /** The place in words: 'at 10 minutes'. */
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
