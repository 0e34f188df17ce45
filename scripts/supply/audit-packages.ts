/**
 * `npm run release -- audit`: known vulnerabilities of the packages that the server loads, from the registry. Fails for
 * those rated high or critical. If the registry does not answer, it reports that and does not fail: a check of the code
 * must not depend on an external service.
 */
import { spawnSync } from 'node:child_process';
import { ROOT } from '../site/site-cache.ts';
import { auditVerdict } from './audit.ts';

const args = ['audit', '--omit=dev', '--json', '--loglevel=silent'];
const { stdout, error } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 });
const { isRefused, lines } = auditVerdict(error === undefined ? stdout : '');
for (const line of lines) console.log(line);
process.exitCode = isRefused ? 1 : 0;
