/** Moves through a chart by arrow keys; each place is announced. The parent needs the class `steppable`. */
import { useId } from 'react';

export interface KeySliderProps {
  /** What it moves through: 'Point of the votes'. */
  name: string;
  count: number;
  index: number;
  onIndex: (index: number) => void;
  spoken: string | undefined;
  /** For a chart that highlights nothing at rest: focus highlights a place, and leaving calls this. */
  onLeave?: () => void;
}

export function KeySlider({ name, count, index, onIndex, spoken, onLeave }: KeySliderProps) {
  const id = useId();
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {`${name}: move with the arrow keys`}
      </label>
      <input
        id={id}
        className="key-slider"
        type="range"
        min={0}
        max={count - 1}
        value={index}
        aria-valuetext={spoken}
        onFocus={onLeave && (() => onIndex(index))}
        onBlur={onLeave}
        onChange={(event) => onIndex(event.currentTarget.valueAsNumber)}
      />
    </>
  );
}
