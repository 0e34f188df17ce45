/** Cropping a photo: which part of it is saved, how far it is sent, and what Cancel stops. */
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { FakeUpload } from '../testing/fake-upload.ts';
import { AvatarCropDialog } from './avatar-crop-dialog.tsx';

const NOW_MS = 1_763_700_000_000;
const STORED = `/storage/v1/object/public/avatars/${USER.id}/${NOW_MS}.webp`;
/** A portrait: its square is 600 pixels wide, in the middle of its height. */
const PICTURE = { naturalWidth: 600, naturalHeight: 1200 };

/** jsdom decodes no picture; this one is decoded once the test says so. */
class Picture {
  static decoded = Promise.resolve();
  naturalWidth = PICTURE.naturalWidth;
  onload: () => void = () => undefined;
  set src(_url: string) {
    void Picture.decoded.then(() => this.onload());
  }
}

const drawImage = vi.fn<(...values: unknown[]) => void>();
const onStored = vi.fn();
const onClose = vi.fn();
let backend: FakeBackend;

beforeEach(() => {
  backend = fakeBackend();
  backend.on('PATCH /rest/v1/profiles', ({ body }) =>
    json({ id: USER.id, role: 'user', full_name: 'Ada', ...(body as object) }),
  );
  backend.on(`HEAD ${STORED}`, () => new Response(null));
  backend.on('DELETE /storage/v1/object/avatars', () => json([]));
  storeSession();
  FakeUpload.install();
  Picture.decoded = Promise.resolve();
  vi.stubGlobal('Image', Picture);
  vi.spyOn(Date, 'now').mockReturnValue(NOW_MS);
  // A stage of 300 by 300 pixels.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 300));
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(PICTURE.naturalWidth);
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(PICTURE.naturalHeight);
  const context = { drawImage } as unknown as RenderingContext;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type = '') =>
    done(new Blob(['x'], { type })),
  );
  for (const mock of [drawImage, onStored, onClose]) mock.mockReset();
});

function open(isMoving = false) {
  const picture = { url: 'blob:picture', isMoving };
  const view = render(
    <>
      <AvatarCropDialog userId={USER.id} picture={picture} replaced={null} onStored={onStored} onClose={onClose} />
      <Toaster />
    </>,
  );
  const cropped = document.querySelector('.reactEasyCrop_Image') ?? expect.fail('no picture');
  const load = () => fireEvent.load(cropped);
  return { ...view, load };
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const save = () => fireEvent.click(button('Save photo'));
/** The square that was drawn: its upper left and its side, in pixels of the picture. */
const drawn = () => drawImage.mock.calls.map((values) => values.slice(1, 5));

test('saves the middle of a picture, and only once the picture is there', async () => {
  const { load } = open();
  expect(button('Save photo').disabled).toBe(true);

  load();
  save();

  await vi.waitFor(() => expect(onStored).toHaveBeenCalledOnce());
  expect(drawn()).toEqual([[0, 300, 600, 600]]);
  expect(onStored.mock.calls[0]?.[0]).toMatchObject({ avatar_url: `http://localhost:3000${STORED}` });
  expect(FakeUpload.last?.headers['content-type']).toBe('image/webp');
});

test('moves the square by the arrow keys and shrinks it by zooming, and shows both in the previews', async () => {
  const { load } = open();
  load();
  const area = screen.getByRole('application', { name: 'Photo: move with the arrow keys' });
  const preview = () => document.querySelector<HTMLElement>('img[alt=""][style*="left"]')?.style;
  expect([preview()?.width, preview()?.height, preview()?.top]).toEqual(['100%', '200%', '-50%']);

  fireEvent.keyDown(area, { key: 'ArrowDown' });
  fireEvent.keyUp(area, { key: 'ArrowDown' });
  const zoom = screen.getByRole<HTMLInputElement>('slider', { name: 'Zoom' });
  expect(zoom.getAttribute('aria-valuetext')).toBe('1.0 times');
  fireEvent.change(zoom, { target: { value: '2' } });
  expect(zoom.getAttribute('aria-valuetext')).toBe('2.0 times');
  expect([preview()?.width, preview()?.height]).toEqual(['200%', '400%']);
  save();

  await vi.waitFor(() => expect(onStored).toHaveBeenCalledOnce());
  // Ten pixels of the stage are ten of the picture, at twice its size.
  expect(drawn()).toEqual([[150, 440, 300, 300]]);
});

test('shows how much is sent, then that it is saved, and takes no second click meanwhile', async () => {
  const uploads: FakeUpload[] = [];
  FakeUpload.answer = (upload) => void uploads.push(upload);
  const { load } = open();
  load();
  save();
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  save();
  const [upload] = uploads;

  act(() => upload?.upload.onprogress?.({ loaded: 1, total: 4 }));
  expect(screen.getByRole('progressbar', { name: /^Upload progress in percent/ })).toHaveProperty('value', 25);
  act(() => upload?.upload.onprogress?.({ loaded: 4, total: 4 }));
  expect(screen.getByRole('progressbar', { name: /^Uploaded. Saving…/ })).toBeDefined();
  act(() => upload?.finish(200));

  await vi.waitFor(() => expect(onStored).toHaveBeenCalledOnce());
  expect([uploads.length, screen.queryByRole('progressbar')]).toEqual([1, null]);
});

test('keeps the picture when the upload is refused, says why, and tries again', async () => {
  FakeUpload.answer = (upload) => upload.finish(503);
  const { load } = open();
  load();
  save();

  expect(await screen.findByText(/^The server is busy\. Your picture is still here\./)).toBeDefined();
  expect(screen.getByText('Avatar upload failed')).toBeDefined();
  expect([onStored.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0]);

  FakeUpload.install();
  save();
  await vi.waitFor(() => expect(onStored).toHaveBeenCalledOnce());
});

test('says that the browser cannot draw the picture, and sends nothing', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const { load } = open();
  load();
  save();

  expect(await screen.findByText(/^This browser couldn’t open the picture\./)).toBeDefined();
  expect(FakeUpload.last).toBeNull();
  expect(button('Save photo').disabled).toBe(false);
});

test.each([
  ['its upload', true],
  ['its cropping', false],
])('stores nothing that was cancelled during %s', async (_what, isSending) => {
  const decoded = Promise.withResolvers<void>();
  if (!isSending) Picture.decoded = decoded.promise;
  FakeUpload.answer = () => undefined;
  const { load, unmount } = open();
  load();
  save();
  if (isSending) await vi.waitFor(() => expect(FakeUpload.last).not.toBeNull());

  fireEvent.click(button('Cancel'));
  expect(onClose).toHaveBeenCalledOnce();
  unmount();
  decoded.resolve();
  await act(() => new Promise((resolve) => setTimeout(resolve)));

  const isRemoved = () => backend.to('/storage/v1/object/avatars').length > 0;
  if (isSending) await vi.waitFor(() => expect(isRemoved()).toBe(true));
  else expect(FakeUpload.last).toBeNull();
  expect(backend.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
  expect(onStored).not.toHaveBeenCalled();
});

test.each([
  [true, 'Only the first frame of an animation is used.'],
  [false, 'Drag the picture, or move it with the arrow keys.'],
])('says what is used of a picture that moves: %s', (isMoving, message) => {
  open(isMoving);

  expect(
    screen
      .getByText(/^Drag the picture/)
      .parentElement?.textContent?.trim()
      .endsWith(message),
  ).toBe(true);
});
