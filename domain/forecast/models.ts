export const MODEL_NAMES = ['bobcat', 'panther', 'lion'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

export interface ModelInfo {
  name: ModelName;
  /** Backend name, stored in user_predictions.model and sent to create-prediction. */
  backendName: 'kat1' | 'kat2_2' | 'kat2_4';
  label: string;
  /** Query parameter `ver` of the event stream; its order is not that of the models (R-FORECAST-2). */
  version: number;
}

export const MODELS = {
  bobcat: { name: 'bobcat', backendName: 'kat1', label: 'Bobcat (Kat 1)', version: 213 },
  panther: { name: 'panther', backendName: 'kat2_2', label: 'Panther (Kat 2.2)', version: 212 },
  lion: { name: 'lion', backendName: 'kat2_4', label: 'Lion (Kat 2.4)', version: 214 },
} as const satisfies Record<ModelName, ModelInfo>;

/** The one symbol whose forecast is public; forecasts of other symbols require a plan. */
export const PUBLIC_FORECAST = { exc: 'BINANCE', sym: 'BTCUSDT.P', model: 'bobcat' } as const;

export function modelOfVersion(version: number): ModelInfo | null {
  return Object.values(MODELS).find((m) => m.version === version) ?? null;
}

export function modelOfBackendName(backendName: string): ModelInfo | null {
  return Object.values(MODELS).find((m) => m.backendName === backendName) ?? null;
}
