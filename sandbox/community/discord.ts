/** Discord's invitations with their counts, which need no key and allow few calls in a burst. */
import type { RestAnswer } from '../rest-answer.ts';
import { type CommunityService, countAt, type ServiceRequest } from './service.ts';

export const DISCORD_INVITE = 'sandbox';

const PATH = /^\/api\/v10\/invites\/([\w-]{1,100})$/;
const DAY_MS = 86_400_000;
const BURST = 10;
const WINDOW_MS = 10_000;

export function discord(): CommunityService {
  let window = { startMs: Number.NEGATIVE_INFINITY, calls: 0 };

  /** @returns 0, or the seconds until the next call is allowed */
  function waitS(): number {
    // By the wall clock, since the product's may be moved.
    const nowMs = performance.now();
    if (nowMs - window.startMs >= WINDOW_MS) window = { startMs: nowMs, calls: 0 };
    window.calls += 1;
    return window.calls <= BURST ? 0 : (window.startMs + WINDOW_MS - nowMs) / 1000;
  }

  return {
    name: 'discord',
    answer(request) {
      const held = waitS();
      return held > 0 ? limited(held) : invitation(request);
    },
    refusal: (status, retryAfterS) =>
      status === 429 ? limited(retryAfterS ?? 1).body : { message: `${status}: fault`, code: 0 },
  };
}

function invitation({ path, query, nowMs }: ServiceRequest): RestAnswer {
  const code = PATH.exec(path)?.[1];
  if (code === undefined) return { status: 404, body: { message: '404: Not Found', code: 0 } };
  if (code !== DISCORD_INVITE) return { status: 404, body: { message: 'Unknown Invite', code: 10006 } };
  const members = countAt(nowMs, 8430, 6);
  // Most members are online in the evening, UTC.
  const awake = 0.11 - 0.05 * Math.cos((2 * Math.PI * ((nowMs % DAY_MS) - 7 * 3_600_000)) / DAY_MS);
  const counts = {
    approximate_member_count: members,
    approximate_presence_count: Math.floor(members * awake),
  };
  return {
    status: 200,
    body: {
      type: 0,
      code,
      expires_at: null,
      guild: { id: '100000000000000001', name: 'Sandbox sample community', features: [], verification_level: 1 },
      channel: { id: '100000000000000002', name: 'sample', type: 0 },
      ...(query.get('with_counts') === 'true' ? counts : {}),
    },
  };
}

function limited(retryAfterS: number): RestAnswer {
  return {
    status: 429,
    body: { message: 'You are being rate limited.', retry_after: Number(retryAfterS.toFixed(3)), global: false },
    headers: { 'retry-after': String(Math.ceil(retryAfterS)), 'x-ratelimit-limit': String(BURST) },
  };
}
