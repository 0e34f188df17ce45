import { hash } from 'node:crypto';
import { openApiDocument } from '../../server/programs/read-api/open-api.ts';

/** From the repository's folder. */
export const CLIENT_TYPES = 'packages/client/source/read-api.ts';

/** Of the document that the types are written from. */
export function documentHash(): string {
  return hash('sha256', JSON.stringify(openApiDocument()));
}
