/** Patreon's campaigns (JSON:API): requires percent-encoded brackets in the query, and a creator's token. */
import type { RestAnswer } from '../rest-answer.ts';
import { type CommunityService, countAt } from './service.ts';

export const PATREON_TOKEN = 'sandbox';

const PATH = '/api/oauth2/v2/campaigns';

export function patreon(): CommunityService {
  return {
    name: 'patreon',
    answer({ path, search, query, headers, nowMs }) {
      if (/[[\]]/.test(search)) return failure(400, 'Bad Request', 'Brackets must be percent-encoded.');
      if (headers['user-agent'] === undefined) return failure(403, 'Forbidden', 'A User-Agent is required.');
      if (headers.authorization !== `Bearer ${PATREON_TOKEN}`)
        return failure(
          401,
          'Unauthorized',
          "The server could not verify that you are authorized to access the URL requested. You either supplied the wrong credentials (e.g. a bad password), or your browser doesn't understand how to supply the credentials required.",
        );
      if (path !== PATH) return failure(404, 'NotFound', 'The requested URL was not found on the server.');
      const fields = (query.get('fields[campaign]') ?? '').split(',');
      const attributes = fields.includes('patron_count') ? { patron_count: countAt(nowMs, 174, 0.12) } : {};
      return {
        status: 200,
        headers: { 'content-type': 'application/vnd.api+json' },
        body: {
          data: [{ attributes, id: '1000001', type: 'campaign' }],
          meta: { pagination: { cursors: { next: null }, total: 1 } },
        },
      };
    },
    refusal: (status) => failure(status, 'Fault', `fault ${status}`).body,
  };
}

function failure(status: number, codeName: string, detail: string): RestAnswer {
  const error = { code: 1, code_name: codeName, detail, status: String(status), title: codeName };
  return { status, body: { errors: [error] } };
}
