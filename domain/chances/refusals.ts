/** Why a question has no chance, as a code and as text. */

const MESSAGES = {
  'price-invalid': 'The price must be a number above 0.',
  'price-too-far': 'That price is too far from the current one to put a chance on it.',
  'already-reached': 'The price is already there.',
  'band-order': 'The lower edge must be below the upper one.',
  'same-side': 'Target and stop must be on both sides of the current price.',
  'bar-outside': 'That moment is not within the forecast.',
  'window-over': 'The window has ended or ends this second.',
  'window-unknown': 'The window must be 5, 15 or 60 minutes.',
  'open-unknown': 'The candle that opened the window is missing.',
  'price-stale': 'The price is delayed. Try again when new prices arrive.',
  'forecast-stale': 'The forecast is too old. A new one follows with the next candle.',
  'forecast-invalid': 'The forecast cannot be read.',
  'market-halted': 'The market is halted.',
  'paths-missing': 'The forecast has no paths.',
} as const;

export type RefusalReason = keyof typeof MESSAGES;

export interface RefusedChance {
  ok: false;
  reason: RefusalReason;
  message: string;
}

/** The refusal of a reason, with its message. */
export function refusal(reason: RefusalReason): RefusedChance {
  return { ok: false, reason, message: MESSAGES[reason] };
}

/** Whether a result of this room is a refusal. */
export function isRefusal(value: object): value is RefusedChance {
  return 'ok' in value && value.ok === false;
}
