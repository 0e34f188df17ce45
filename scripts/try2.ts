import { readFileSync } from 'node:fs';
import { isUsed } from './fit/splits.ts';
import { listCandleFiles, readCandleFile } from './fit/candle-files.ts';
import { measureRealism } from './fit/realism.ts';
import { standardGroups } from './fit/measured-symbols.ts';
const folder='/work/shared/data';
const model = JSON.parse(readFileSync(process.argv[2] ?? '/tmp/kat-model.json','utf8'));
const files = listCandleFiles(folder).filter(isUsed).map((n)=>readCandleFile(folder,n));
for (const g of standardGroups(files, 61)) {
  const t=performance.now();
  console.log(g.name, JSON.stringify(measureRealism(model, 'x', g.symbols.flatMap(s=>s.windows))), performance.now()-t);
  for (const s of g.symbols) console.log('   ',s.file.name, s.file.tickSize, JSON.stringify(measureRealism(model, 'x', s.windows)));
}
