/**
 * `npm run load`: one node under everything at once (one-node.ts); `npm run load -- overload`: more than a host can carry
 * (overload/run-overload.ts); `npm run load -- picture FILE.json FILE.svg`: draws what an overload wrote.
 */
const [name, ...args] = process.argv.slice(2);

if (name === undefined) {
  await import('./one-node.ts');
} else if (name === 'overload') {
  const { runOverload } = await import('./overload/run-overload.ts');
  await runOverload(args);
} else if (name === 'picture') {
  const { drawFile } = await import('./overload/report/draw-file.ts');
  drawFile(args);
} else {
  console.error(`There is no load ${name}. There are: overload, picture; without a name it is one node.`);
  process.exitCode = 2;
}
