/** Refusals that a service sends in the body of its answer, some of them with status 200. */
import * as z from 'zod/mini';

export interface BodyRefusal {
  reason: string;
  /**
   * `too-many` and `banned` pause calls, `failing` counts against the service's health, `mistaken` is our own fault.
   */
  kind: 'too-many' | 'banned' | 'failing' | 'mistaken';
}

/** @param answer  parsed JSON. @returns null for anything but a refusal */
export type ReadRefusal = (answer: unknown) => BodyRefusal | null;

/** A ban grows with each call made during it. */
export const REFUSAL_PAUSE_MS: Readonly<Partial<Record<BodyRefusal['kind'], number>>> = {
  'too-many': 10_000,
  banned: 600_000,
};

/** @param read  the code and text of a refusal; any code that is not listed is our own mistake */
export function codedRefusals(
  read: (answer: unknown) => { code: number; text: string } | null,
  codes: Readonly<Partial<Record<'too-many' | 'banned' | 'failing', readonly number[]>>>,
): ReadRefusal {
  const kinds = ['too-many', 'banned', 'failing'] as const;
  return (answer) => {
    const refusal = read(answer);
    if (refusal === null) return null;
    const { code, text } = refusal;
    const kind = kinds.find((one) => codes[one]?.includes(code) === true) ?? 'mistaken';
    return { reason: `code ${code} ${text}`.trim(), kind };
  };
}

const statusSchema = z.object({
  status: z.object({ error_code: z.coerce.number(), error_message: z.nullish(z.string()) }),
});

/** CoinGecko's and CoinMarketCap's: per minute or by address; per day or month, or a key that is not paid. */
export const statusRefusal: ReadRefusal = codedRefusals(
  (answer) => {
    const { error_code: code = 0, error_message: text } = statusSchema.safeParse(answer).data?.status ?? {};
    return code === 0 ? null : { code, text: text ?? '' };
  },
  { 'too-many': [429, 1008, 1011], banned: [1003, 1009, 1010], failing: [500, 503] },
);
