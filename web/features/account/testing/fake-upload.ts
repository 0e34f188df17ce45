import { vi } from 'vitest';

/** What the page's uploads become; the test answers each. */
export class FakeUpload {
  static last: FakeUpload | null = null;
  static answer: (upload: FakeUpload) => void = () => {};

  /** Until the test ends. Each upload is stored. */
  static install(): void {
    vi.stubGlobal('XMLHttpRequest', FakeUpload);
    FakeUpload.last = null;
    FakeUpload.answer = (upload) => upload.finish(200);
  }

  method = '';
  url = '';
  headers: Record<string, string> = {};
  status = 0;
  responseText = '';
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;

  constructor() {
    FakeUpload.last = this;
  }
  open(method: string, url: string) {
    Object.assign(this, { method, url });
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send() {
    FakeUpload.answer(this);
  }
  abort() {
    this.onabort?.();
  }
  finish(status: number, responseText = '{}') {
    Object.assign(this, { status, responseText });
    this.onload?.();
  }
}
