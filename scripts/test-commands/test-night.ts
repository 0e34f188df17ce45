/** `npm test -- night`: `npm test` with large random samples and with the files that are too long for every run. */
// Test files read it at import, so it is set before anything else.
process.env.TEST_SIZE = 'night';
await import('../test.ts');
