/** Choosing a photo, which may be no picture or fail to load the cropper's code, and removing one. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { profileKey, profileSchema } from '../../../session/profile.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import type { AvatarCropDialogProps } from './avatar-crop-dialog.tsx';
import { AvatarPanel } from './avatar-panel.tsx';

const OWN = `/storage/v1/object/public/avatars/${USER.id}/1.webp`;
const NEW = OWN.replace('1.webp', '2.webp');
const SESSION_USER = {
  id: USER.id,
  email: USER.email,
  emailConfirmed: true,
  fullName: 'Ada',
  createdAt: USER.created_at,
};

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
});

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

describe('a picture that the browser decodes', () => {
  const revoke = vi.fn();
  const chosen = () =>
    choose(
      fileOf(
        'image/png',
        Uint8Array.from(atob(PIXEL), (byte) => byte.charCodeAt(0)),
      ),
    );

  beforeEach(() => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(revoke.mockReset());
    vi.stubGlobal('Image', DecodedImage);
    vi.stubGlobal('createImageBitmap', async () => ({ close() {} }));
  });

  /** Instead of the cropper: a button for each way to leave it. */
  function Cropper({ picture, replaced, onStored, onClose }: AvatarCropDialogProps) {
    const profile = profileSchema.parse({ role: 'user', full_name: 'Ada', avatar_url: NEW });
    return (
      <dialog open aria-label={`Crop ${picture.url} for ${replaced}`}>
        <button type="button" onClick={() => onStored(profile)}>
          Store
        </button>
        <button type="button" onClick={onClose}>
          Leave
        </button>
      </dialog>
    );
  }

  test('reports code of the cropper that does not arrive, and keeps the page', async () => {
    mount(null, { loadCropDialog: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')) });

    await chosen();

    expect((await screen.findByRole('alert')).textContent).toContain('couldn’t load');
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:x');
  });

  test('is cropped, shown everywhere once it is stored, and let go of', async () => {
    mount(OWN, { loadCropDialog: async () => Cropper });
    const button = screen.getByLabelText('Change photo');
    await userEvent.upload(button, [
      fileOf(
        'image/png',
        Uint8Array.from(atob(PIXEL), (byte) => byte.charCodeAt(0)),
      ),
    ]);
    await screen.findByRole('dialog', { name: `Crop blob:x for ${OWN}` });
    expect(revoke).not.toHaveBeenCalled();

    await userEvent.click(screen.getByRole('button', { name: 'Store' }));

    expect(screen.getByText('Avatar updated')).toBeDefined();
    expect(queryClient.getQueryData(profileKey(USER.id))).toMatchObject({ avatar_url: NEW });
    expect([screen.queryByRole('dialog'), document.activeElement]).toEqual([null, button]);
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:x');
  });

  test('changes nothing when the cropper is left, and may be chosen again', async () => {
    mount(null, { loadCropDialog: async () => Cropper });
    await chosen();
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));

    expect([screen.queryByRole('dialog'), document.activeElement]).toEqual([
      null,
      screen.getByLabelText('Choose a photo'),
    ]);
    expect(queryClient.getQueryData(profileKey(USER.id))).toBeUndefined();
    await chosen();
    expect(await screen.findByRole('dialog', { name: 'Crop blob:x for null' })).toBeDefined();
  });
});

describe('removing the photo', () => {
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  const confirm = async () => {
    await press('Remove photo');
    await press('Remove');
  };

  test('deletes it after a question, and shows the initial everywhere', async () => {
    backend.on('PATCH /rest/v1/profiles', ({ body }) =>
      json({ id: USER.id, role: 'user', full_name: 'Ada', ...(body as object) }),
    );
    backend.on('DELETE /storage/v1/object/avatars', () => json([]));
    storeSession();
    mount(OWN);
    await press('Remove photo');
    expect(screen.getByRole('dialog', { name: 'Remove your photo?' })).toBeDefined();
    await press('Keep it');
    expect(backend.to('/rest/v1/profiles')).toEqual([]);

    await confirm();

    expect(await screen.findByText('Photo removed')).toBeDefined();
    expect(screen.queryByText(/^We’ll delete your photo/)).toBeNull();
    expect(queryClient.getQueryData(profileKey(USER.id))).toMatchObject({ avatar_url: null });
    await waitFor(() =>
      expect(backend.to('/storage/v1/object/avatars')[0]?.body).toEqual({ prefixes: [`${USER.id}/1.webp`] }),
    );
  });

  test('keeps it and the question when the server refuses, and says what to do', async () => {
    backend.on('PATCH /rest/v1/profiles', () => json({ message: 'no' }, 400));
    storeSession();
    mount(OWN);

    await confirm();

    expect(await screen.findByText('We couldn’t change your profile. Please try again.')).toBeDefined();
    expect(screen.getByText('Failed to update profile')).toBeDefined();
    expect(screen.getByText(/^We’ll delete your photo/)).toBeDefined();
    expect(backend.to('/storage/v1/object/avatars')).toEqual([]);
  });

  test('says that the session has ended', async () => {
    mount(OWN);

    await confirm();

    expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeDefined();
    expect(screen.getByText('Not signed in')).toBeDefined();
  });
});

test('marks the place where a file that is dragged over it would be taken', () => {
  const container = mount();
  const zone = container.querySelector('section > div > div') ?? expect.fail('nothing to drop on');
  const { className } = zone;

  expect(fireEvent.dragOver(zone, { dataTransfer: { types: ['Files'] } })).toBe(false);
  expect(zone.className).not.toBe(className);
  fireEvent.dragLeave(zone);
  expect(zone.className).toBe(className);
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
