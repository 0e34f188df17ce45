import * as z from 'zod/mini';
import { doneSchema, EXAMPLE_ID, functionContract } from './function-contract.ts';

const body = z.strictObject({ id: z.guid() });
const refusals = ['share/no-such-prediction'] as const;

export const SHARE_FUNCTIONS = {
  'share-prediction': functionContract({
    body,
    answer: z.object({ ok: z.literal(true), path: z.string() }),
    refusals,
    example: { id: EXAMPLE_ID },
    docs: {
      sends: '`{id}` of a saved prediction',
      gets: '`{ok, path}` of its page; the same path again while it is shared',
    },
  }),
  'unshare-prediction': functionContract({
    body,
    answer: doneSchema,
    refusals,
    example: { id: EXAMPLE_ID },
    docs: {
      sends: '`{id}`',
      gets: '`{ok: true}`; the link answers 404 from then on, and sharing again makes another one',
    },
  }),
};
