/** Chances as alerts see them: the test sets the chance, the plan and the market's trouble, and counts computations. */
import type { ChanceAnswer } from '#domain/chances/chance-messages.ts';
import { type RefusalReason, refusal } from '#domain/chances/refusals.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import type { PosedMoment } from '../../../../server/forecast/chances/answer-chances.ts';
import { ANY_FORECAST, type ChanceGrant } from '../../../../server/forecast/chances/chance-access.ts';
import type { Chances } from '../../../../server/forecast/chances/chances.ts';

export interface FakeChances extends Pick<Chances, 'marketOf' | 'momentOf' | 'answer' | 'grantOf'> {
  chance: number;
  /** Last closed candle of the forecast. */
  t0: number;
  trouble: RefusalReason | AppError | null;
  isInPlan: boolean;
  /** Of a user whose plan includes the market. */
  grant: ChanceGrant;
  /** Markets looked up, and questions answered. */
  moments: number;
  answers: number;
  /** The most plans that were requested at the same time. */
  plansTogether: number;
}

export function fakeChances(): FakeChances {
  const symbol = symbolNamed('BTC');
  let underWay = 0;
  const own: FakeChances = {
    chance: 0.2,
    t0: 60,
    trouble: null,
    isInPlan: true,
    grant: ANY_FORECAST,
    moments: 0,
    answers: 0,
    plansTogether: 0,
    marketOf: async ({ sym, model, timeframe }) => ({ symbol: { ...symbol, sym }, model, timeframe }),
    async grantOf({ model }) {
      underWay += 1;
      own.plansTogether = Math.max(own.plansTogether, underWay);
      await Promise.resolve();
      underWay -= 1;
      if (model === 'bobcat' || own.isInPlan) return own.grant;
      throw new AppError('forecast/model-locked');
    },
    async momentOf() {
      own.moments += 1;
      if (own.trouble instanceof AppError) throw own.trouble;
      return { moment: { marketKind: 'live', price: 61_000 }, source: { t0: own.t0 } } as unknown as PosedMoment;
    },
    answer() {
      own.answers += 1;
      if (typeof own.trouble === 'string') return refusal(own.trouble);
      return { chance: own.chance, baseline: 0.25 } as ChanceAnswer;
    },
  };
  return own;
}
