/** Faults that the tests must catch, each planted alone: money, access, time, chart content, sandbox answers. */
export interface Mutation {
  /** Relative to the repository. */
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** What goes wrong. */
  fault: string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    file: 'domain/billing/subscription.ts',
    find: 'nowS < row.current_period_end + GRACE_S',
    replace: 'nowS <= row.current_period_end + GRACE_S',
    fault: 'the grace lasts a second longer',
  },
  {
    file: 'domain/billing/entitlement.ts',
    find: "role === 'admin'",
    replace: "role !== 'user'",
    fault: 'an unknown role is an admin',
  },
  {
    file: 'domain/forecast/quota.ts',
    find: 'remainingDaily !== 0 && remainingMonthly !== 0',
    replace: 'remainingDaily !== 0 || remainingMonthly !== 0',
    fault: 'one of two quotas is enough',
  },
  {
    file: 'domain/forecast/window.ts',
    find: 'candle.time > (joined',
    replace: 'candle.time >= (joined',
    fault: 'two candles of one minute are saved',
  },
  {
    file: 'domain/market/book/order-book.ts',
    find: 'bid >= ask',
    replace: 'bid > ask',
    fault: 'a locked book counts as sound',
  },
  {
    file: 'domain/market/narrative.ts',
    find: 'Math.sign(first) * Math.sign(second) < 0',
    replace: 'Math.sign(first) * Math.sign(second) > 0',
    fault: 'the narrative describes the opposite path',
  },
  {
    file: 'domain/record/ledger/merkle.ts',
    find: 'if (at % 2 === 0 && at === width - 1) continue;',
    replace: 'if (at % 2 === 0) continue;',
    fault: 'a proof skips hashes',
  },
  {
    file: 'domain/time/backoff.ts',
    find: 'RECONNECT_FIRST_MS * 2 **',
    replace: 'RECONNECT_FIRST_MS * 3 **',
    fault: 'reconnects wait too long',
  },
  {
    file: 'domain/forecast/amplify.ts',
    find: '(ampPercent / 100) * Math.log',
    replace: '(ampPercent / 10) * Math.log',
    fault: 'amplified candles move ten times as far',
  },
  {
    file: 'server/billing/events/webhook.ts',
    find: 'stampS <= nowMs / 1000 + TOLERANCE_S',
    replace: 'stampS > 0',
    fault: 'a signature from the future is trusted',
  },
  {
    file: 'server/billing/events/webhook.ts',
    find: "event.livemode !== (source.mode === 'live')",
    replace: 'event.livemode === null',
    fault: 'test events change live subscriptions',
  },
  {
    file: 'server/forecast/stream/open-stream.ts',
    find: 'if (refusal !== null) throw new AppError(refusal);',
    replace: '',
    fault: 'the quota is not looked at before a forecast is computed',
  },
  {
    file: 'server/forecast/stream/open-stream.ts',
    find: 'if (isAmplified && !isAdmin) throw',
    replace: 'if (isAmplified && isAdmin) throw',
    fault: 'users amplify, admins cannot',
  },
  {
    file: 'server/forecast/stream/stream-slots.ts',
    find: 'if (count >= maxPerUser) throw refusal(maxPerUser);',
    replace: 'if (count > maxPerUser) throw refusal(maxPerUser);',
    fault: 'a user opens one stream too many',
  },
  {
    file: 'server/market/candles/candle-series.ts',
    find: "return same.length * 2 >= both.length ? 'same' : 'other';",
    replace: "return same.length * 2 >= both.length ? 'other' : 'same';",
    fault: 'candles of another market are mixed in',
  },
  {
    file: 'server/backend/rest/rpc.ts',
    find: '(arg) => !arg.isRequired || supplied.includes(arg.name)',
    replace: '(arg) => supplied.includes(arg.name)',
    fault: 'a procedure is not found without its optional arguments',
  },
  {
    file: 'server/backend/auth/token.ts',
    find: 'if (found === null || !isMatch) throw invalidCredentials();',
    replace: 'if (found === null) throw invalidCredentials();',
    fault: 'any password signs in',
  },
  {
    file: 'server/backend/auth/sessions/sessions.ts',
    find: 'requireNotBanned(stored);',
    replace: '',
    fault: 'a banned user signs in',
  },
  {
    file: 'server/platform/http/calls/caller.ts',
    find: "if (claims.role === 'anon') return ANONYMOUS;",
    replace: "if (claims.role === 'anon') return { ...ANONYMOUS, role: 'service_role' };",
    fault: 'the public key passes row-level security',
  },
  {
    file: 'supabase/migrations/20261130070000_community.sql',
    find: "as $$ select interval '24 hours' $$;",
    replace: "as $$ select interval '23 hours' $$;",
    fault: 'a vote is taken an hour early',
  },
  {
    file: 'supabase/migrations/20261130030000_predictions.sql',
    find: '"owners read their predictions" on public.user_predictions\n  for select to authenticated using (user_id = (select auth.uid()));',
    replace: '"owners read their predictions" on public.user_predictions\n  for select to authenticated using (true);',
    fault: "users read other people's predictions",
  },
  {
    file: 'supabase/migrations/20261130070000_community.sql',
    find: 'for delete to authenticated using (user_id = (select auth.uid()));',
    replace: 'for delete to authenticated using (true);',
    fault: "users take back other people's likes",
  },
  {
    file: 'supabase/migrations/20261130020000_billing.sql',
    find: 's.current_period_end + 7200',
    replace: 's.current_period_end + 3600',
    fault: 'the database ends the grace before the page does',
  },
  {
    file: 'web/features/forecast/controls/prediction-button.tsx',
    find: "if (!isPaid) return { isDisabled: true, click: 'upgrade', text };",
    replace: "if (!isPaid) return { isDisabled: true, click: 'nothing', text };",
    fault: "a free user's click leads nowhere",
  },
  {
    file: 'web/features/forecast/controls/prediction-button.tsx',
    find: 'if (!isAllowed || isRunning) return refused;',
    replace: 'if (!isAllowed) return refused;',
    fault: 'a second forecast starts beside a running one',
  },
  {
    file: 'web/session/return-path.ts',
    find: 'if (url === null || url.origin !== origin) return null;',
    replace: 'if (url === null) return null;',
    fault: 'sign-in leads to another site',
  },
  {
    file: 'web/session/guards.tsx',
    find: 'if (user !== null) return children;',
    replace: 'return children;',
    fault: 'visitors see the pages of accounts',
  },
  {
    file: 'domain/errors/redact.ts',
    find: "[/\\b(bearer|basic)\\s{1,20}[\\w.~+/=-]+/gi, '$1 [token]'],",
    replace: '',
    fault: 'tokens reach the error log',
  },
  {
    file: 'web/ui/browser/time-zone.ts',
    find: 'const isUtc = !currentTimeZone().isUtc;',
    replace: 'const isUtc = currentTimeZone().isUtc;',
    fault: 'the switch to UTC does nothing',
  },
  {
    file: 'web/features/market-clock/session-blocks.ts',
    find: 'if (endHour <= 24) return',
    replace: 'if (endHour < 24) return',
    fault: 'a session that ends at midnight has a second, empty block',
  },
  {
    file: 'web/features/order-book/live-book.tsx',
    find: 'export const TOP_LEVELS = 3;',
    replace: 'export const TOP_LEVELS = 4;',
    fault: 'four levels stand out instead of three',
  },
  {
    file: 'web/features/billing/payment/use-billing.ts',
    find: 'const isSeen = await ports.fetch().then(isThere, () => false);',
    replace: 'const isSeen = await ports.fetch().then(isThere);',
    fault: 'one failed request ends the wait for a subscription',
  },
  {
    file: 'web/features/predictions/use-predictions.ts',
    find: '(last.total > countIn(pages.length) ? pages.length : undefined)',
    replace: '(last.total >= countIn(pages.length) ? pages.length : undefined)',
    fault: 'Load More stays when everything is loaded',
  },
  {
    file: 'web/features/sentiment/use-sentiment.ts',
    find: 'if (isSignedOut) return toSignIn();',
    replace: '',
    fault: "a visitor's vote does not lead to sign-in",
  },
  {
    file: 'web/features/paper-trading/paper-engine.ts',
    find: 'if (nowMs - open.openedAtMs >= AUTO_CLOSE_MS) {',
    replace: 'if (nowMs - open.openedAtMs < 0) {',
    fault: 'a tab that slept closes a trade at the wrong price',
  },
  {
    file: 'web/charts/plots/gauge.tsx',
    find: 'Math.min(max, Math.max(-max, angle))',
    replace: 'Math.min(max, Math.max(0, angle))',
    fault: 'the needle never points left',
  },
  {
    file: 'sandbox/payments/webhooks/webhooks.ts',
    find: "createHmac('sha256', secret)",
    replace: "createHmac('sha512', secret)",
    fault: 'the payment sandbox signs events as the provider does not',
  },
  {
    file: 'sandbox/payments/api/endpoint.ts',
    find: "if (issue.code === 'unrecognized_keys') {",
    replace: "if (issue.code === 'unrecognized_keys' && issue.keys.length > 9) {",
    fault: 'the payment sandbox names unknown parameters wrongly',
  },
  {
    file: 'sandbox/market/simulation/ticks.ts',
    find: 'uniformAt(own ^ 4, i) < 0.5 : price > last',
    replace: 'uniformAt(own ^ 4, i) < 0.5 : price < last',
    fault: 'simulated trades name the wrong side',
  },
  {
    file: 'scripts/command-line.ts',
    find: 'if (day === undefined || Number.isNaN(ms) || new Date(midnightMs).toISOString().slice(0, 10) !== day) {',
    replace: 'if (day === undefined || Number.isNaN(ms)) {',
    fault: 'a day that the calendar does not have is accepted',
  },
];
