/** Choosing a photo: what is no picture is told at once; what the cropper's code needs to arrive, and may not. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from 'react-hot-toast/headless';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBackend, USER } from '../../platform/testing/fake-backend.ts';
import { profileSchema } from '../../session/profile.ts';

const OWN = `/storage/v1/object/public/avatars/${USER.id}/1.webp`;
const SESSION_USER = {
  id: USER.id,
  email: USER.email,
  emailConfirmed: true,
  fullName: 'Ada',
  createdAt: USER.created_at,
};

beforeEach(() => {
  vi.resetModules();
  fakeBackend();
});
afterEach(() => {
  toast.remove();
  vi.doUnmock('./avatar-crop-dialog.tsx');
  vi.doUnmock('./avatar-file.ts');
});

async function mount(avatarUrl: string | null = null) {
  const { AvatarPanel } = await import('./avatar-panel.tsx');
  const { Toaster } = await import('../../ui/toaster.tsx');
  const profile = profileSchema.parse({ role: 'user', full_name: 'Ada', avatar_url: avatarUrl });
  const { container } = render(
    <>
      <AvatarPanel user={SESSION_USER} profile={profile} />
      <Toaster />
    </>,
  );
  return container;
}

const fileOf = (type: string, content: BlobPart, name = 'me') => new File([content], name, { type });
const choose = (file: File) => userEvent.upload(screen.getByLabelText('Choose a photo'), file, { applyAccept: false });

test.each([
  ['a document', fileOf('application/pdf', '%PDF'), 'File must be an image'],
  ['a renamed text', fileOf('image/png', 'hello'), 'File must be an image'],
  ['a large picture', fileOf('image/png', new Uint8Array(5 * 1024 * 1024 + 1)), 'Max 5MB image'],
])('%s is refused in the specified words, at the button and as a toast', async (_what, file, words) => {
  await mount();

  await choose(file);

  expect((await screen.findByRole('alert')).textContent).toBe(words);
  expect(screen.getAllByText(words)).toHaveLength(2);
  const input = screen.getByLabelText('Choose a photo');
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(words);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

test('a file that is dropped is one that is chosen; one that misses does not take the page’s place', async () => {
  const container = await mount();
  const files = [fileOf('text/plain', 'hello')];
  const zone = container.querySelector('section > div > div');
  if (zone === null) throw new Error('nothing to drop on');

  fireEvent.drop(zone, { dataTransfer: { files, types: ['Files'] } });

  expect((await screen.findByRole('alert')).textContent).toBe('File must be an image');
  expect(fireEvent.dragOver(document.body, { dataTransfer: { types: ['Files'] } })).toBe(false);
  expect(fireEvent.dragOver(document.body, { dataTransfer: { types: ['text/plain'] } })).toBe(true);
});

test('code of the cropper that does not arrive is told, and the page stays', async () => {
  vi.doMock('./avatar-file.ts', () => ({ readPicture: async () => ({ url: 'blob:x', isMoving: false }) }));
  vi.doMock('./avatar-crop-dialog.tsx', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  await mount();

  await choose(fileOf('image/png', 'x'));

  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
});

test('a photo is there to be changed and removed; without one there is nothing to remove', async () => {
  await mount(OWN);
  expect(screen.getByLabelText('Change photo')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Remove photo' })).toBeDefined();

  cleanup();
  await mount();
  await waitFor(() => expect(screen.getByLabelText('Choose a photo')).toBeDefined());
  expect(screen.queryByRole('button', { name: 'Remove photo' })).toBeNull();
});
