/** Container health check: exit code 0 if the server is ready. Plain JavaScript: it starts every few seconds. */
const url = `http://127.0.0.1:${process.env.PORT ?? '3000'}/readyz`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(4000) });
  if (!answer.ok) console.error(await answer.text());
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.error(`${url}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
