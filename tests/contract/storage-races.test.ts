/** Rows and bytes stay consistent: simultaneous writers, readers in between, and what a crash leaves. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diskFiles } from '../../server/backend/storage/files/disk-files.ts';
import type { ObjectFiles } from '../../server/backend/storage/files/object-files.ts';
import { sweep } from '../../server/backend/storage/sweep.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { plainPicture } from '../support/browser/pictures.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';
import { storageCalls } from './support/data/storage.ts';

const TWO_HOURS_S = 2 * 60 * 60;

// Runs on both kinds, because simultaneous writers race for locks.
describeEachDatabase('simultaneous access to stored files', (kind) => {
  let folder: string;
  let files: ObjectFiles;
  let server: BackendTestServer;
  /** Runs once, just before bytes are written or read. */
  const before = { put: async () => {}, open: async () => {} };
  const once = (moment: keyof typeof before, happens: () => Promise<unknown>) => {
    before[moment] = async () => {
      before[moment] = async () => {};
      await happens();
    };
  };
  const { signedIn, storedNames } = storageCalls(() => server);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kat-files-'));
    files = diskFiles(folder);
    const watched: ObjectFiles = {
      ...files,
      put: (...file) => before.put().then(() => files.put(...file)),
      open: (name) => before.open().then(() => files.open(name)),
    };
    server = await backendTestServer(kind, { files: watched });
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function filesOnDisk(): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  test('leaves one row and its bytes after parallel replacements of one path', async () => {
    const ada = await signedIn();
    const service = server.service().storage.from('avatars');
    const path = `${ada.id}/1.png`;
    const left = (await filesOnDisk()).length;
    const pictures = await Promise.all([10, 20, 30, 40, 50, 60].map((side) => plainPicture('png', side)));

    const writers = [ada.avatars, service, ada.avatars, ada.avatars, service, ada.avatars];
    const rounds = [];
    for (let round = 0; round < 5; round += 1)
      rounds.push(
        ...(await Promise.all(
          writers.map((writer, index) => writer.upload(path, pictures[(round + index) % 6] ?? '', { upsert: true })),
        )),
      );

    expect(rounds.map(({ error }) => error?.message ?? null)).toEqual(rounds.map(() => null));
    const { data } = await ada.avatars.download(path);
    const info = await ada.avatars.info(path);
    expect((await sharp(await data?.arrayBuffer()).metadata()).format).toBe('png');
    expect(info.data?.size).toBe(data?.size);
    expect((await filesOnDisk()).length).toBe(left + 1);
  });

  test('accepts one of parallel first uploads, refuses the others with 409, and leaves no extra bytes', async () => {
    const { avatars, id } = await signedIn();
    const service = server.service().storage.from('avatars');
    const left = (await filesOnDisk()).length;
    const picture = await plainPicture('png', 8);

    const answers = await Promise.all(
      [avatars, service, avatars, service].map((writer) => writer.upload(`${id}/1.png`, picture)),
    );

    const refusals = answers.flatMap(({ error }) => (error === null ? [] : [error]));
    expect(refusals).toHaveLength(3);
    for (const refusal of refusals) expect(refusal).toMatchObject({ statusCode: '409' });
    expect((await filesOnDisk()).length).toBe(left + 1);
  });

  test('always shows a reader one whole picture while it is replaced', async () => {
    const { avatars, id } = await signedIn();
    const path = `${id}/1.png`;
    const { publicUrl } = avatars.getPublicUrl(path).data;
    const pictures = await Promise.all([16, 32].map((side) => plainPicture('png', side)));
    await avatars.upload(path, pictures[0] ?? '');
    let isWriting = true;

    const writing = (async () => {
      for (let turn = 1; turn <= 20; turn += 1) await avatars.upload(path, pictures[turn % 2] ?? '', { upsert: true });
      isWriting = false;
    })();
    const widths = new Set<number>();
    while (isWriting) {
      const answer = await fetch(publicUrl);
      expect(answer.status).toBe(200);
      widths.add((await sharp(await answer.arrayBuffer()).metadata()).width);
    }
    await writing;

    expect([...widths].every((width) => width === 16 || width === 32)).toBe(true);
  });

  test('serves the new bytes to a reader who is too late for the old ones', async () => {
    const { avatars, id } = await signedIn();
    const path = `${id}/1.png`;
    await avatars.upload(path, await plainPicture('png', 16));
    const next = await plainPicture('png', 32);
    once('open', () => avatars.upload(path, next, { upsert: true }));

    const answer = await fetch(avatars.getPublicUrl(path).data.publicUrl);

    expect((await sharp(await answer.arrayBuffer()).metadata()).width).toBe(32);
  });

  test('stores neither row nor bytes when the right is revoked during the upload', async () => {
    const { avatars, id } = await signedIn();
    const path = `${id}/1.png`;
    const left = (await filesOnDisk()).length;
    const policy = (role: string) => `alter policy "owners add avatars to their folder" on storage.objects to ${role}`;
    once('put', () => server.database.query(OWNER, policy('service_role')));

    const { error } = await avatars.upload(path, await plainPicture('png', 16));

    await server.database.query(OWNER, policy('authenticated'));
    expect(error).toMatchObject({ statusCode: '403', message: 'new row violates row-level security policy' });
    expect([await storedNames(), (await filesOnDisk()).length]).toEqual([expect.not.arrayContaining([path]), left]);
  });

  test('stores files under its own names, readable only by the server', async () => {
    const { avatars, id } = await signedIn();
    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));

    for (const path of await filesOnDisk()) {
      expect(path.slice(folder.length)).toMatch(/^\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
  });

  test("sweeps a crash's old leftovers, but no bytes that a row refers to", async () => {
    const deps = { database: server.database, files, log: createLogger('silent') };
    // Set explicitly, because the file system's clock may differ from this process's.
    const date = async (timeS: number) => {
      for (const path of await filesOnDisk()) await utimes(path, timeS, timeS);
    };
    // Other tests leave orphans too, such as a deleted account's files.
    await date(Date.now() / 1000 - TWO_HOURS_S);
    await sweep(deps);
    const { avatars, id } = await signedIn();
    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));
    const orphan = randomUUID();
    await files.put(orphan, Buffer.from('x'), 'image/png');
    const draft = join(folder, orphan.slice(0, 2), `${randomUUID()}.draft`);
    await writeFile(draft, 'half');
    const remaining = (await filesOnDisk()).filter((path) => !path.includes(orphan) && path !== draft);

    await date(Date.now() / 1000);
    const young = await sweep(deps);
    await date(Date.now() / 1000 - TWO_HOURS_S);
    const swept = await sweep(deps);

    expect([young, swept]).toEqual([0, 1]);
    expect((await filesOnDisk()).sort()).toEqual(remaining.sort());
  });

  test('reports a row without bytes as a missing object', async () => {
    const { avatars, id } = await signedIn();
    const { data } = await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));
    const info = await avatars.info(`${id}/1.png`);
    await files.remove(info.data?.version ?? '');

    const answer = await fetch(avatars.getPublicUrl(data?.path ?? '').data.publicUrl);

    expect(await answer.json()).toMatchObject({ code: 'NoSuchKey' });
    expect(await storedNames()).toContain(`${id}/1.png`);
  });

  test("makes a deleted account's files unavailable immediately, and no one else's", async () => {
    const { avatars, id } = await signedIn();
    const other = await signedIn();
    await avatars.upload(`${id}/1.png`, await plainPicture('png', 8));
    await other.avatars.upload(`${other.id}/1.png`, await plainPicture('png', 8));

    await server.database.query(OWNER, 'delete from auth.users where id = $1::text::uuid', [id]);

    const deleted = await fetch(avatars.getPublicUrl(`${id}/1.png`).data.publicUrl);
    const remaining = await fetch(other.avatars.getPublicUrl(`${other.id}/1.png`).data.publicUrl);
    await remaining.body?.cancel();
    expect([deleted.status, (await deleted.json()).code]).toEqual([400, 'NoSuchKey']);
    expect(remaining.status).toBe(200);
  });
});
