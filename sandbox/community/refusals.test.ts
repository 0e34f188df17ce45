/** The calls that YouTube, Discord and Patreon refuse, each in its own form, without a server. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { discord } from './discord.ts';
import { patreon } from './patreon.ts';
import type { CommunityService } from './service.ts';
import { YOUTUBE_CHANNEL, youtube } from './youtube.ts';

function get(service: CommunityService, target: string, headers: Record<string, string> = {}) {
  const { pathname, search, searchParams } = new URL(target, 'http://localhost');
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  return service.answer({ path: pathname, search, query: searchParams, headers, nowMs });
}

describe('YouTube', () => {
  const BASE = '/youtube/v3';
  const UPLOADS = `${BASE}/playlistItems?part=contentDetails&playlistId=UUsandboxsandboxsandbox0`;
  const listSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
  const withKey = (target: string) => get(youtube(), `${target}${target.includes('?') ? '&' : '?'}key=sandbox`);

  test.each([
    ['an unknown list', `${BASE}/search?part=snippet`, 404, 'notFound'],
    ['no parts', `${BASE}/channels?id=${YOUTUBE_CHANNEL}`, 400, 'missingRequiredParameter'],
    ['too many results', `${UPLOADS}&maxResults=51`, 400, 'badRequest'],
    ['an invalid number of results', `${UPLOADS}&maxResults=all`, 400, 'badRequest'],
    ['no videos', `${BASE}/videos?part=snippet&id=,`, 400, 'missingRequiredParameter'],
    ['no ids of videos', `${BASE}/videos?part=snippet`, 400, 'missingRequiredParameter'],
    ['too many videos', `${BASE}/videos?part=snippet&id=${'a,'.repeat(51)}`, 400, 'missingRequiredParameter'],
  ])('refuses %s', (_what, target, status, reason) => {
    expect(withKey(target)).toMatchObject({ status, body: { error: { code: status, errors: [{ reason }] } } });
  });

  test('gives five uploads without a number, and none for zero', () => {
    expect(listSchema.parse(withKey(UPLOADS).body).items).toHaveLength(5);
    expect(listSchema.parse(withKey(`${UPLOADS}&maxResults=0`).body).items).toEqual([]);
  });

  test('leaves out unknown videos and parts', () => {
    const [upload] = z
      .object({ items: z.array(z.object({ contentDetails: z.object({ videoId: z.string() }) })) })
      .parse(withKey(`${UPLOADS}&maxResults=1`).body).items;
    const id = upload?.contentDetails.videoId;

    const { items } = listSchema.parse(withKey(`${BASE}/videos?part=statistics,%20snippet,tags&id=none,${id}`).body);
    expect(items.map((item) => [item.id, Object.keys(item).toSorted()])).toEqual([
      [id, ['id', 'kind', 'snippet', 'statistics']],
    ]);
  });

  test('spends none of its allowance on a call that it refuses by its key or address', () => {
    const service = youtube({ unitsPerDay: 1 });
    get(service, `${BASE}/channels?part=snippet`);
    get(service, `${BASE}/other?key=sandbox`);
    const call = () => get(service, `${BASE}/channels?part=snippet&id=${YOUTUBE_CHANNEL}&key=sandbox`);

    expect(call().status).toBe(200);
    expect(call()).toMatchObject({ status: 403, body: { error: { errors: [{ reason: 'quotaExceeded' }] } } });
  });
});

describe('Discord', () => {
  test('answers 404 to other addresses', () => {
    expect(get(discord(), '/api/v10/guilds/1')).toEqual({
      status: 404,
      body: { message: '404: Not Found', code: 0 },
    });
  });

  test('writes a fault as it writes its own refusals', () => {
    expect(discord().refusal?.(503, null)).toEqual({ message: '503: fault', code: 0 });
    expect(discord().refusal?.(429, null)).toEqual({
      message: 'You are being rate limited.',
      retry_after: 1,
      global: false,
    });
  });
});

describe('Patreon', () => {
  const HEADERS = { 'user-agent': 'Kat', authorization: 'Bearer sandbox' };
  const CAMPAIGNS = '/api/oauth2/v2/campaigns';

  test.each([
    ['a client without a name', CAMPAIGNS, { authorization: 'Bearer sandbox' }, 403, 'Forbidden'],
    ['another address', '/api/oauth2/v2/members', HEADERS, 404, 'NotFound'],
    ['a wrong token', CAMPAIGNS, { ...HEADERS, authorization: 'Bearer other' }, 401, 'Unauthorized'],
  ])('refuses %s', (_what, target, headers, status, code) => {
    const error = { code_name: code, status: String(status) };

    expect(get(patreon(), target, headers)).toMatchObject({ status, body: { errors: [error] } });
  });

  test('gives no attributes without a list of them', () => {
    expect(get(patreon(), CAMPAIGNS, HEADERS).body).toMatchObject({ data: [{ attributes: {} }] });
    expect(patreon().refusal?.(502, null)).toMatchObject({ errors: [{ status: '502', detail: 'fault 502' }] });
  });
});
