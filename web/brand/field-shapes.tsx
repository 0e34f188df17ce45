import type { CandleField } from '#domain/picture/candle-field.ts';
import type { CandlePaths } from '#domain/picture/candle-paths.ts';
import styles from './field-shapes.module.css';

export interface FieldShapesProps {
  field: CandleField;
  width: number;
  height: number;
}

export function FieldShapes({ field, width, height }: FieldShapesProps) {
  const { joinX } = field;
  return (
    <>
      <path d={`M${joinX} 0H${width}V${height}H${joinX}Z`} className={styles.tint} />
      <path d={field.band95} className={styles.outer} />
      <path d={field.band80} className={styles.inner} />
      <path d={`M${joinX} 0V${height}`} className={styles.join} />
      <Candles paths={field.history} isForecast={false} />
      <Candles paths={field.forecast} isForecast />
    </>
  );
}

function Candles({ paths, isForecast }: { paths: CandlePaths; isForecast: boolean }) {
  return (
    <g className={isForecast ? styles.forecast : undefined}>
      <path d={paths.upWicks + paths.upBodies} className={styles.up} />
      <path d={paths.downWicks + paths.downBodies} className={styles.down} />
    </g>
  );
}
