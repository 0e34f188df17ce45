/** Every file of supabase/tests/database. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { loadPgtap, PGTAP_EXTENSION, runPgtap } from '../support/database/pgtap.ts';

const FOLDER = fileURLToPath(new URL('../../supabase/tests/database/', import.meta.url));
const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.test.sql'))
  .sort();

// Runs on both kinds, because grants, row-level security and functions are SQL.
describeEachDatabase('pgTAP', (kind) => {
  let database: Database;
  let isLoaded = false;

  beforeAll(async () => {
    database = await openTestDatabase(kind, { extensions: PGTAP_EXTENSION });
    isLoaded = await loadPgtap(database);
  });
  afterAll(() => database?.close());

  test.for(FILES)('passes %s', async (name, { skip }) => {
    skip(!isLoaded && kind === 'postgres', 'pgTAP is not installed for PostgreSQL');
    const report = await runPgtap(database, readFileSync(FOLDER + name, 'utf8'));

    expect(report.failures).toEqual([]);
    expect(report.planned).toBeGreaterThan(0);
    expect(report.passed).toBe(report.planned);
  });
});
