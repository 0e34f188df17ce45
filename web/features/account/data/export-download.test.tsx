/** 'Download my data': the file is what the server wrote, and half a download is refused. */
import { screen, waitFor } from '@testing-library/react';
import { toast } from 'react-hot-toast/headless';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession } from '../../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { alertText, mountPanel, press } from '../testing/security-panel.tsx';
import { ExportDownload } from './export-download.tsx';

const PATH = 'POST /functions/v1/export-account';
/** With a figure that JavaScript would round. */
const TEXT =
  '{"ok":true,"exported_at":"2026-11-20T23:30:00.000Z","account":{"id":"a"},"quotes":[{"n":12345678901234567890}]}';

interface Saved {
  name: string;
  text: string;
}

let backend: FakeBackend;
let saved: Saved[];

beforeEach(() => {
  backend = fakeBackend();
  storeSession();
  saved = [];
  let parts: BlobPart[] = [];
  const RealBlob = Blob;
  vi.stubGlobal(
    'Blob',
    class extends RealBlob {
      constructor(chunks: BlobPart[] = [], options?: BlobPropertyBag) {
        super(chunks, options);
        parts = chunks;
      }
    },
  );
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: parts.join('') });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  toast.remove();
});

function mount(zone = 'UTC') {
  setProfileZone(zone);
  return mountPanel(<ExportDownload />);
}

/** A body that comes in pieces; what is not ended stays open, or breaks. */
function inPieces() {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      control = controller;
    },
  });
  const encoder = new TextEncoder();
  backend.on(PATH, () => new Response(body, { headers: { 'content-type': 'application/json' } }));
  return {
    send: (text: string) => control?.enqueue(encoder.encode(text)),
    end: () => control?.close(),
    break: () => control?.error(new TypeError('network error')),
  };
}

test('saves what the server wrote, character for character, named for the day in the reader’s zone', async () => {
  backend.on(PATH, () => new Response(TEXT));
  mount('Asia/Tokyo');

  await press('Download my data');

  await screen.findByText('Saved as kat-account-2026-11-21.json (1 kB).');
  expect(saved).toEqual([{ name: 'kat-account-2026-11-21.json', text: TEXT }]);
  expect(backend.to('/functions/v1/export-account')[0]?.headers.get('authorization')).toMatch(/^Bearer ey/);
});

test('shows how much has arrived, and joins a character that is cut in two', async () => {
  const pieces = inPieces();
  mount();
  await press('Download my data');
  const [head, tail] = ['{"ok":true,"exported_at":"2026-11-20T23:30:00.000Z","account":"', `${'x'.repeat(250_000)}"}`];

  pieces.send(head);
  pieces.send(tail);
  await screen.findByText('0.3 MB so far');
  expect(screen.getByRole('button', { name: 'Download my data' })).toHaveProperty('disabled', true);
  pieces.end();

  await screen.findByText(/^Saved as kat-account-2026-11-20\.json/);
  expect(saved[0]?.text).toBe(head + tail);
});

test('saves nothing when stopped, and can begin again', async () => {
  const pieces = inPieces();
  mount();
  await press('Download my data');
  pieces.send('{"ok":');

  await press('Stop');

  await screen.findByText('Stopped. No file was saved.');
  backend.on(PATH, () => new Response(TEXT));
  await press('Download my data');
  await waitFor(() => expect(saved).toHaveLength(1));
});

test.each([
  ['an unavailable server', () => Promise.reject(new TypeError('Failed to fetch')), 'was interrupted'],
  ['a fault of the server', () => json({ error: 'broken' }, 500), 'was interrupted'],
  ['half a document', () => new Response('{"ok":true,"exported_at":"2026'), 'was interrupted'],
  ['another document', () => new Response('{"hello":1}'), 'was interrupted'],
  ['too many downloads', () => json({ ok: false, reason: 'request/too-many', message: 'no' }), 'several times'],
  ['too many questions', () => json({ code: 'request/too-many', error: 'no' }, 429), 'several times'],
] as const)('saves no file and explains %s', async (_what, answer, message) => {
  backend.on(PATH, answer);
  mount();

  await press('Download my data');

  expect(await alertText()).toContain(message);
  expect(await alertText()).toContain('No file was saved');
  expect(saved).toEqual([]);
});

test('saves nothing when the connection breaks in the middle', async () => {
  const pieces = inPieces();
  mount();
  await press('Download my data');
  pieces.send(TEXT.slice(0, 40));
  pieces.break();

  expect(await alertText()).toContain('was interrupted');
  expect(saved).toEqual([]);
});

test('saves no file after the user leaves the page', async () => {
  const pieces = inPieces();
  const { unmount } = mount();
  await press('Download my data');
  pieces.send(TEXT);

  unmount();
  pieces.end();
  await new Promise((resolve) => setTimeout(resolve, 50));

  expect(saved).toEqual([]);
});
