/**
 * Whether the key '?' opens the list of keyboard shortcuts. Users of speech input can switch it off, since spoken text
 * would press it.
 */
import { storedText } from './stored-value.ts';

/** Holds 'off', or nothing. */
const helpKey = storedText('localStorage', 'helpKey');

export function isHelpKeyOn(): boolean {
  return helpKey.read() !== 'off';
}

/** @returns false if the browser did not store the choice */
export function switchHelpKey(isOn: boolean): boolean {
  return helpKey.write(isOn ? null : 'off');
}
