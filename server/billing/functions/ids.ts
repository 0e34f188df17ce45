/** Schemas for provider ids and URLs in requests. */
import * as z from 'zod/mini';

export const providerId = z.string().check(z.minLength(1), z.maxLength(255));
export const address = z.string().check(z.minLength(1), z.maxLength(4000));
