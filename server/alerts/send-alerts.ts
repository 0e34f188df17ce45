/**
 * Writes new alerts and queues their messages in the same transaction: each once, however often and by however many
 * processes it is found. A rule removed in the meantime raises no alert.
 */
import * as z from 'zod/mini';
import type { AlertFacts } from '#domain/alerts/alert.ts';
import { describeAlert } from '#domain/alerts/alert-messages.ts';
import type { ChatAlert } from '#domain/chat/chat-alert.ts';
import { alertChatText } from '#domain/chat/chat-texts.ts';
import { type Database, OWNER, type Transaction } from '../platform/database/database.ts';
import { queueMail } from '../platform/mail/mail-queue.ts';
import { queuePush } from '../push/push-store.ts';
import { alertMail, MOST_MAILS_AN_HOUR, type SendingSite } from './mails/alert-mail.ts';
import { removeOpeningRules } from './opening-rules-store.ts';

export interface NewAlert {
  userId: string;
  /** A prediction's id, a symbol with its opening, with a release, or with the hour, and with a price for a chance; alerts are unique per user, kind and subject. */
  subject: string;
  /** Of a chance and of an opening. */
  ruleId?: string;
  /** How long it is worth sending, where that is shorter than for its kind. */
  ttlS?: number;
  facts: AlertFacts;
}

export interface SendDeps {
  database: Database;
  mail: SendingSite;
  sendsMails: boolean;
  /** In the alerts' transaction. Absent: there are no chats. */
  queueChats?: ((tx: Transaction, alerts: readonly ChatAlert[], nowIso: string) => Promise<number>) | undefined;
}

/** Limit per transaction, so that each is short. */
const BATCH = 100;
/** Notifications about a running forecast expire early; outcomes stay relevant. */
const TTL_S: Readonly<Record<AlertFacts['kind'], number>> = {
  'band-broken': 3600,
  'models-disagree': 3600,
  // By then it is another chance.
  'chance-reached': 900,
  'market-opens': 3600,
  // Each has its own: until the release.
  'release-due': 300,
  'prediction-resolved': 12 * 3600,
};
const HOUR_MS = 3_600_000;
/** Alerts on chances of one account, whatever its rules: more would be a way to read the forecast. */
const MOST_CHANCES_AN_HOUR = 20;

/** Serializes the transactions, so that numbers rise in the order they become visible, and mails are counted right. */
const ALERTS_LOCK = 'select pg_advisory_xact_lock(7203127)';

// Uses the present rules: rules for one prediction and for all predictions together select the channels.
// A rule about releases names no prediction.
const WRITE = `
  with candidates as materialized (
    select * from jsonb_to_recordset($1::text::jsonb)
      as g (place int, user_id uuid, kind text, subject text, rule_id uuid, sym text, facts jsonb)),
  wanted as materialized (
    select g.user_id, g.kind, g.subject, min(g.place) as place, bool_or(r.by_mail) as by_mail, bool_or(r.by_push) as by_push,
           row_number() over (partition by g.user_id, g.kind order by min(g.place)) as nth
      from candidates g join public.alert_rules r on r.user_id = g.user_id and r.kind = g.kind
       and case when g.kind = 'models-disagree' then r.sym = g.sym
                when g.kind in ('chance-reached', 'market-opens') then r.id = g.rule_id
                else r.prediction_id is null or r.prediction_id::text = g.subject end
     where not exists (select from public.alerts a where (a.user_id, a.kind, a.subject) = (g.user_id, g.kind, g.subject))
     group by g.user_id, g.kind, g.subject),
  written as (
    insert into public.alerts (user_id, kind, subject, facts, made_at)
    select g.user_id, g.kind, g.subject, g.facts, $2::text::timestamptz
      from wanted w join candidates g on g.place = w.place
     where g.kind <> 'chance-reached' or w.nth + (
       select count(*) from public.alerts a
        where a.user_id = g.user_id and a.kind = g.kind
          and a.made_at > $2::text::timestamptz - interval '1 hour') <= ${MOST_CHANCES_AN_HOUR}
     order by w.place
    on conflict (user_id, kind, subject) do nothing
    returning id, user_id, kind, subject)
  select n.id, w.place, w.by_mail as "byMail", w.by_push as "byPush"
    from written n join wanted w on (w.user_id, w.kind, w.subject) = (n.user_id, n.kind, n.subject) order by n.id`;

const writtenSchema = z.array(
  z.object({ id: z.coerce.number(), place: z.number(), byMail: z.boolean(), byPush: z.boolean() }),
);
type Written = z.infer<typeof writtenSchema>[number];

/** @returns the number of new alerts */
export async function sendAlerts(deps: SendDeps, alerts: readonly NewAlert[], nowMs: number): Promise<number> {
  let written = 0;
  for (let from = 0; from < alerts.length; from += BATCH) {
    const some = alerts.slice(from, from + BATCH);
    written += await deps.database.transaction(OWNER, (tx) => sendSome(tx, deps, some, nowMs));
  }
  return written;
}

async function sendSome(tx: Transaction, deps: SendDeps, alerts: readonly NewAlert[], nowMs: number): Promise<number> {
  await tx.query(ALERTS_LOCK);
  const candidates = alerts.map(({ userId, subject, ruleId, facts }, place) => ({
    place,
    user_id: userId,
    kind: facts.kind,
    subject,
    rule_id: ruleId ?? null,
    sym: facts.sym,
    facts,
  }));
  const nowIso = new Date(nowMs).toISOString();
  const written = writtenSchema.parse(await tx.query(WRITE, [JSON.stringify(candidates), nowIso]));
  await removeSentOnce(tx, alerts);
  await queueForChats(tx, deps, written, alerts, nowIso);
  const sent = written.flatMap((row) => {
    const alert = alerts[row.place];
    return alert !== undefined && (row.byMail || row.byPush) ? [{ ...row, alert }] : [];
  });
  const recipients = sent.length === 0 ? new Map() : await recipientsOf(tx, sent, nowMs);
  for (const one of sent) {
    const recipient = recipients.get(one.alert.userId);
    if (recipient !== undefined) await send(tx, deps, one, recipient, nowIso);
  }
  return written.length;
}

/** Also a rule whose alert another process has sent meanwhile. */
async function removeSentOnce(tx: Transaction, alerts: readonly NewAlert[]): Promise<void> {
  const ids = alerts.flatMap(({ facts, ruleId }) => (facts.kind === 'market-opens' && ruleId ? [ruleId] : []));
  if (ids.length > 0) await removeOpeningRules(tx, ids);
}

async function queueForChats(
  tx: Transaction,
  { queueChats, mail }: SendDeps,
  written: readonly Written[],
  alerts: readonly NewAlert[],
  nowIso: string,
): Promise<void> {
  if (queueChats === undefined) return;
  const outgoing = written.flatMap(({ place }): ChatAlert[] => {
    const alert = alerts[place];
    if (alert === undefined) return [];
    const { userId, subject, facts, ttlS = TTL_S[facts.kind] } = alert;
    const text = alertChatText(facts, mail.siteUrl);
    const predictionId = 'predictionId' in facts ? facts.predictionId : null;
    return [{ userId, kind: facts.kind, key: `${facts.kind} ${subject}`, text, predictionId, ttlS }];
  });
  await queueChats(tx, outgoing, nowIso);
}

interface Recipient {
  /** Confirmed address of a user who wants mails; else null. */
  address: string | null;
  /** Mails within the last hour. */
  mailed: number;
}

const recipientSchema = z.array(z.object({ id: z.string(), address: z.nullable(z.string()), mailed: z.number() }));

/** Excludes banned users. */
async function recipientsOf(
  tx: Transaction,
  sent: readonly { alert: NewAlert }[],
  nowMs: number,
): Promise<Map<string, Recipient>> {
  const rows = await tx.query(
    `select u.id::text as id,
       case when u.email_confirmed_at is not null and u.email <> '' and p.email_notifications then u.email end as address,
       (select count(*)::int from public.alerts a
         where a.user_id = u.id and a.mailed_at > $3::text::timestamptz) as mailed
     from auth.users u join public.profiles p on p.id = u.id
     where u.id = any ($1::text[]::uuid[]) and coalesce(u.banned_until <= $2::text::timestamptz, true)`,
    [
      [...new Set(sent.map(({ alert }) => alert.userId))],
      new Date(nowMs).toISOString(),
      new Date(nowMs - HOUR_MS).toISOString(),
    ],
  );
  return new Map(recipientSchema.parse(rows).map(({ id, address, mailed }) => [id, { address, mailed }]));
}

/** Counts the mail in `recipient`. */
async function send(
  tx: Transaction,
  { mail, sendsMails }: SendDeps,
  { id, byMail, byPush, alert }: Written & { alert: NewAlert },
  recipient: Recipient,
  nowIso: string,
): Promise<void> {
  const { userId, subject, facts, ttlS = TTL_S[facts.kind] } = alert;
  if (byPush) {
    const key = `${facts.kind} ${subject}`;
    await queuePush(tx, { userId, key, ...describeAlert(facts), ttlS, nowIso });
  }
  const isMailed = byMail && sendsMails && recipient.mailed < MOST_MAILS_AN_HOUR;
  if (!isMailed || recipient.address === null) return;
  recipient.mailed += 1;
  await queueMail(tx, alertMail(recipient.address, facts, recipient.mailed, mail), { userId, nowIso });
  await tx.query('update public.alerts set mailed_at = $2::text::timestamptz where id = $1::bigint', [id, nowIso]);
}
