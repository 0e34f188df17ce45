/** Walks through a drawn figure by its keys: what stands at each place is spoken. Its parent has the class `keys.walked`. */
import { useId } from 'react';
import keys from './key-slider.module.css';

export interface KeySliderProps {
  /** Of what is walked through: 'Point of the votes'. */
  name: string;
  /** Places, at least one. */
  count: number;
  index: number;
  onIndex: (index: number) => void;
  /** The place in words. */
  spoken: string | undefined;
  /** For a figure that points at no place at rest: focus points, and leaving ends it. */
  onLeave?: () => void;
}

export function KeySlider({ name, count, index, onIndex, spoken, onLeave }: KeySliderProps) {
  const id = useId();
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {name}, use the arrow keys
      </label>
      <input
        id={id}
        className={keys.slider}
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
