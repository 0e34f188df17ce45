// Sends the forms as JSON, because the site forwards nothing else, and keeps the messages up to date.

const REFRESH_MS = 2000;
const result = document.querySelector('[data-result]');

async function refresh() {
  const answer = await fetch(location.pathname, { cache: 'no-store' });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const chat of document.querySelectorAll('[data-chat]')) {
    const shown = chat.querySelector('[data-live]');
    const next = page.querySelector(`[data-chat="${chat.dataset.chat}"] [data-live]`);
    // Leaves what has not changed as it is, so that a selection in it is kept.
    if (shown && next && shown.innerHTML !== next.innerHTML) shown.replaceWith(next);
  }
}

async function send(form, button) {
  // A disabled button would lose the focus.
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  const fields = Object.fromEntries(new FormData(form, button));
  try {
    const answer = await fetch(form.dataset.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const text = form.querySelector('input[name="text"]');
    if (text) text.value = '';
    result.textContent = '';
    await refresh();
  } catch {
    result.textContent = 'We couldn’t send that. Is the server still running?';
  }
  form.ariaBusy = 'false';
}

for (const form of document.querySelectorAll('form[data-action]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form, event.submitter);
  });

setInterval(() => {
  // The next one tries again.
  if (!document.hidden) refresh().catch(() => undefined);
}, REFRESH_MS);
