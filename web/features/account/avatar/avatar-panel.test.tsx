/** Choosing a photo: refusing a file that isn't a picture, and loading the cropper's code, which may fail. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBackend, USER } from '../../../platform/testing/fake-backend.ts';
import { profileSchema } from '../../../session/profile.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { AvatarPanel } from './avatar-panel.tsx';

const OWN = `/storage/v1/object/public/avatars/${USER.id}/1.webp`;
const SESSION_USER = {
  id: USER.id,
  email: USER.email,
  emailConfirmed: true,
  fullName: 'Ada',
  createdAt: USER.created_at,
};

beforeEach(() => void fakeBackend());

function mount(avatarUrl: string | null = null, change: Partial<ComponentProps<typeof AvatarPanel>> = {}) {
  const profile = profileSchema.parse({ role: 'user', full_name: 'Ada', avatar_url: avatarUrl });
  const { container } = render(
    <>
      <AvatarPanel user={SESSION_USER} profile={profile} {...change} />
      <Toaster />
    </>,
  );
  return container;
}

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** jsdom decodes no picture. */
class DecodedImage {
  naturalWidth = 1;
  naturalHeight = 1;
  onload: () => void = () => undefined;
  set src(_url: string) {
    queueMicrotask(() => this.onload());
  }
}

const fileOf = (type: string, content: BlobPart, name = 'me') => new File([content], name, { type });
const choose = (file: File) => userEvent.upload(screen.getByLabelText('Choose a photo'), file, { applyAccept: false });

test.each([
  ['a document', fileOf('application/pdf', '%PDF'), 'File must be an image'],
  ['a renamed text', fileOf('image/png', 'hello'), 'File must be an image'],
  ['a large picture', fileOf('image/png', new Uint8Array(5 * 1024 * 1024 + 1)), 'Max 5MB image'],
])('refuses %s with the specified text, at the button and as a toast', async (_what, file, message) => {
  mount();

  await choose(file);

  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(screen.getAllByText(message)).toHaveLength(2);
  const input = screen.getByLabelText('Choose a photo');
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(message);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

test('takes a dropped file as a chosen one, and does not replace the page with a file that misses', async () => {
  const container = mount();
  const files = [fileOf('text/plain', 'hello')];
  const zone = container.querySelector('section > div > div');
  if (zone === null) throw new Error('nothing to drop on');

  fireEvent.drop(zone, { dataTransfer: { files, types: ['Files'] } });

  expect((await screen.findByRole('alert')).textContent).toBe('File must be an image');
  expect(fireEvent.dragOver(document.body, { dataTransfer: { types: ['Files'] } })).toBe(false);
  expect(fireEvent.dragOver(document.body, { dataTransfer: { types: ['text/plain'] } })).toBe(true);
});

test('reports code of the cropper that does not arrive, and keeps the page', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  vi.stubGlobal('Image', DecodedImage);
  vi.stubGlobal('createImageBitmap', async () => ({ close() {} }));
  mount(null, { loadCropDialog: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')) });

  await choose(
    fileOf(
      'image/png',
      Uint8Array.from(atob(PIXEL), (byte) => byte.charCodeAt(0)),
    ),
  );

  expect((await screen.findByRole('alert')).textContent).toContain('couldn’t load');
});

test('offers to change and remove a photo, and to remove nothing without one', async () => {
  mount(OWN);
  expect(screen.getByLabelText('Change photo')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Remove photo' })).toBeDefined();

  cleanup();
  mount();
  await waitFor(() => expect(screen.getByLabelText('Choose a photo')).toBeDefined());
  expect(screen.queryByRole('button', { name: 'Remove photo' })).toBeNull();
});
