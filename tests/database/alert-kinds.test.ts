/** The kinds of alert stand in the code and in four places of the database. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ALERT_KINDS } from '#domain/alerts/alert-rule.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const rowsSchema = z.array(z.object({ place: z.string(), text: z.string() }));
const SQL = `
  select conname as place, pg_get_constraintdef(oid) as text from pg_constraint
   where conname in ('alert_rules_kind_check', 'alerts_kind_check', 'chat_channels_kinds_check')
  union all
  select 'default of chat_channels.kinds', pg_get_expr(d.adbin, d.adrelid)
    from pg_attrdef d join pg_attribute a on (a.attrelid, a.attnum) = (d.adrelid, d.adnum)
   where d.adrelid = 'public.chat_channels'::regclass and a.attname = 'kinds'`;

describeOneDatabase('kinds of alert', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));

  test('are the same in the code, in the checks of both tables, and for chats', async () => {
    const rows = rowsSchema.parse(await database().query(OWNER, SQL));

    expect(rows).toHaveLength(4);
    for (const { place, text } of rows) {
      const kinds = [...text.matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].map(([, name]) => name);
      expect([place, kinds.toSorted()]).toEqual([place, ALERT_KINDS.toSorted()]);
    }
  });
});
