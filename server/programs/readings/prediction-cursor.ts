import * as z from 'zod/mini';

/** Save time of the last prediction seen, epoch microseconds, and its id. */
export const predictionCursor = z.string().check(z.regex(/^[1-9]\d{0,16}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
