import type { ReactNode } from 'react';
import type { PredictionRow } from '#domain/forecast/prediction.ts';

/** The alerts of saved predictions, for features that show one. */
export interface PredictionAlerts {
  /**
   * @param title  the prediction's name
   * @param variant  'icon' among other icons, 'word' beside a word
   */
  atPrediction(row: PredictionRow, title: string, variant: 'icon' | 'word'): ReactNode;
}
