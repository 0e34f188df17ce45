import { describe, expect, test } from 'vitest';
import { type Activity, activityCsv, activitySchema, describeActivity } from './activity.ts';

const line = (action: string, details: object = {}, kind = 'security'): Activity =>
  activitySchema.parse({ id: 'event 1', at: '2026-11-20T09:30:00.123456+00:00', kind, action, details });

describe('a line of the activity log', () => {
  test.each([
    ['signed-in', { user_agent: 'curl/8.5.0', ip: '192.0.2.1' }, 'Signed in', 'curl (API client) · 192.0.2.1'],
    ['signed-out', { ip: '192.0.2.1' }, 'Signed out', 'Unknown device · 192.0.2.1'],
    ['method-added', { provider: 'github' }, 'Sign-in method added', 'GitHub'],
    ['plan-changed', { plan: 'lion' }, 'Plan changed', 'Lion plan'],
    ['predicted', { symbol: 'BTC', model: 'kat2_4' }, 'Prediction saved', 'BTC · Lion (Kat 2.4)'],
    ['predicted', { symbol: 'BTC', model: 'kat9' }, 'Prediction saved', 'BTC · kat9'],
    ['downloaded', { file: 'future' }, 'Data downloaded', 'future'],
    ['downloaded', { file: 'account' }, 'Data downloaded', 'All account data'],
    ['webhook-added', { name: 'hooks.example' }, 'Webhook added', 'hooks.example'],
    ['webhook-secret-changed', { name: 'hooks.example' }, 'Webhook secret replaced', 'hooks.example'],
    ['password-changed', {}, 'Password changed', ''],
    ['of-a-newer-server', {}, 'Of a newer server', ''],
  ])('describes %s with its details', (action, details, title, detail) => {
    expect(describeActivity(line(action, details))).toEqual({ title, detail });
  });

  test('is one row of a CSV file, in UTC, and never a formula', () => {
    expect(activityCsv([line('key-created', { name: '=1+1, "x"' })])).toBe(
      'time,kind,event,details\r\n2026-11-20T09:30:00.123Z,Security,API key created,"\'=1+1, ""x"""\r\n',
    );
  });
});
