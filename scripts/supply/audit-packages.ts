/**
 * `npm run supply -- audit`: known weaknesses of the packages that the server loads, as the registry tells them. Fails for
 * those it calls high or critical. Where the registry answers no such question, it says so and does not fail: a check of
 * the code must not depend on a service elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { ROOT } from '../site/site-cache.ts';
import { auditVerdict } from './audit.ts';

const args = ['audit', '--omit=dev', '--json', '--loglevel=silent'];
const { stdout, error } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 });
const { isRefused, lines } = auditVerdict(error === undefined ? stdout : '');
for (const line of lines) console.log(line);
process.exitCode = isRefused ? 1 : 0;
