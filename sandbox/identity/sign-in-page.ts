/** The page on which a visitor chooses a user. It always states that it is a simulation. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { TEST_PEOPLE } from './test-people.ts';

export interface SignInPage {
  provider: string;
  action: string;
  /** A preselected address; null for the first user. */
  hint: string | null;
  hidden: readonly (readonly [string, string])[];
}

const STYLE = `
:root { color-scheme: dark light; --ground: #0b0d10; --panel: #12151a; --line: #2b3139; --text: #e8ebef; --muted: #9aa4af;
  --accent: #f2b441; --on-accent: #1b1302 }
@media (prefers-color-scheme: light) { :root { --ground: #f5f6f8; --panel: #fff; --line: #d5dae0; --text: #14181d;
  --muted: #56606b; --accent: #8a5a00; --on-accent: #fff } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(26rem, 100vw - 32px); padding: 24px; background: var(--panel); border: 1px solid var(--line);
  border-radius: 10px }
h1 { margin: 0 0 4px; font-size: 1.25rem }
p, small { color: var(--muted) }
a { color: var(--accent) }
fieldset { margin: 16px 0; padding: 0; border: 0 }
label { display: block; padding: 6px 0 }
.person, .tick { display: grid; grid-template-columns: auto 1fr; gap: 0 8px; align-items: baseline }
.person small { grid-column: 2; overflow-wrap: anywhere }
.own { display: none; padding-left: 24px }
form:has([value=own]:checked) .own { display: block }
input:not([type=radio], [type=checkbox]) { box-sizing: border-box; width: 100%; padding: 8px; background: var(--ground);
  color: var(--text); border: 1px solid var(--line); border-radius: 6px; font: inherit }
button { padding: 8px 16px; border: 1px solid var(--line); border-radius: 6px; background: none; color: var(--text);
  font: inherit; cursor: pointer }
button[value=continue] { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }`;

export function signInPage({ provider, action, hint, hidden }: SignInPage): string {
  const label = `Test sign-in - not ${provider}`;
  const chosen = TEST_PEOPLE.some((person) => person.email === hint) ? hint : hint === null ? null : 'own';
  const people = TEST_PEOPLE.map((person, index) => {
    const isChecked = chosen === null ? index === 0 : chosen === person.email;
    const note = person.isEmailVerified ? person.email : `${person.email}, not verified`;
    return `<label class="person"><input type="radio" name="person" value="${escapeHtml(person.email)}"${isChecked ? ' checked' : ''}>
      <span>${escapeHtml(person.name)}</span> <small>${escapeHtml(note)}</small></label>`;
  });
  return page(
    label,
    `<h1>${label}</h1>
    <p>A sandbox on this machine. Nothing here reaches ${provider}.</p>
    <form method="post" action="${escapeHtml(action)}">
      ${hidden.map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`).join('')}
      <fieldset><legend>Sign in as</legend>
        ${people.join('')}
        <label class="person"><input type="radio" name="person" value="own"${chosen === 'own' ? ' checked' : ''}>
          <span>Someone else</span></label>
        <div class="own">
          <label>Name <input name="name" autocomplete="off" maxlength="200"></label>
          <label>Email <input name="email" inputmode="email" autocomplete="off" spellcheck="false" value="${escapeHtml(chosen === 'own' ? (hint ?? '') : '')}"></label>
          <label class="tick"><input type="checkbox" name="verified" value="yes" checked> The address is verified</label>
        </div>
      </fieldset>
      <p><button name="action" value="continue">Continue</button>
      <button name="action" value="cancel" formnovalidate>Cancel</button></p>
    </form>`,
  );
}

export function errorPage(provider: string, message: string, siteUrl: string | null): string {
  const label = `Test sign-in - not ${provider}`;
  const back = siteUrl === null ? '' : `<p><a href="${escapeHtml(siteUrl)}">Back to the site</a></p>`;
  return page(label, `<h1>${label}</h1><p>${escapeHtml(message)}</p>${back}`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}
