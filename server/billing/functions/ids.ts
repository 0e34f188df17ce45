/** The provider's ids, as they come from outside. */
import * as z from 'zod/mini';

export const providerId = z.string().check(z.minLength(1), z.maxLength(255));
export const address = z.string().check(z.minLength(1), z.maxLength(4000));
