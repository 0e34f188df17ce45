/** Compressed forms beside a built site's files, which the server sends to browsers that accept them. */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Smaller files gain nothing. */
const MIN_BYTES = 1024;

/** @param isLeftOut  for files that the server compresses itself; by path from `dir` */
export function compress(dir: string, files: RegExp, isLeftOut: (file: string) => boolean = () => false): void {
  for (const file of globSync('**/*', { cwd: dir })) {
    const path = join(dir, file);
    if (isLeftOut(file) || !files.test(file) || !statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    if (bytes.length < MIN_BYTES) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}
