/** Apart from the row that it saves, because no page checks what it sends. */
import * as z from 'zod/mini';
import { candleSchema } from '../market/candle.ts';

/** Body of the function create-prediction. */
export const createPredictionSchema = z.object({
  model: z.string().check(z.maxLength(20)),
  cryptocurrency: z.string().check(z.maxLength(20)),
  timeframe: z.string().check(z.maxLength(10)),
  data: z.array(candleSchema).check(z.maxLength(1000)),
});
export type CreatePrediction = z.infer<typeof createPredictionSchema>;
