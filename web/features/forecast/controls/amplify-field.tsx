/** For admins only: stretches a forecast's moves, in per cent. Rejects input that is not a number. */
import { useId, useState } from 'react';
import { MAX_AMPLIFY_PERCENT } from '#domain/forecast/amplify.ts';
import styles from './amplify-field.module.css';

export function AmplifyField({ percent, onChange }: { percent: number; onChange: (percent: number) => void }) {
  const id = useId();
  const [text, setText] = useState(String(percent));
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Amplify</label>
      <input
        id={id}
        className={`figures ${styles.input}`}
        type="number"
        inputMode="numeric"
        min={0}
        max={MAX_AMPLIFY_PERCENT}
        step={1}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const value = event.target.valueAsNumber;
          if (Number.isFinite(value)) onChange(Math.min(MAX_AMPLIFY_PERCENT, Math.max(0, Math.round(value))));
        }}
        onBlur={() => setText(String(percent))}
      />
      <span className="muted" aria-hidden="true">
        %
      </span>
    </div>
  );
}
