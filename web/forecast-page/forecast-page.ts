/** What JavaScript adds to a forecast's page. The server writes the page whole; nothing here draws a price. */
import { renewWhileRunning } from './renew.ts';
import { startReplay } from './replay.ts';
import { addShareButtons } from './share-buttons.ts';

renewWhileRunning(document, {
  onRenewed: () => startReplay(document),
  reload: () => document.location.reload(),
});
addShareButtons(document);
addVerifyButton();
startReplay(document);

/** The checks load with the first click. */
function addVerifyButton(): void {
  const seal = document.getElementById('seal');
  const button = seal?.querySelector<HTMLButtonElement>('[data-verify]');
  const result = seal?.querySelector('[data-result]');
  if (seal == null || button == null || result == null) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    result.textContent = 'Checking …';
    try {
      const { verifySeal } = await import('./verify-seal.ts');
      result.textContent = await verifySeal(Number(seal.dataset.seq), seal.dataset.hash ?? '');
    } catch {
      result.textContent = 'We couldn’t load the record, so nothing was checked. Try again.';
    }
    button.disabled = false;
  });
}
