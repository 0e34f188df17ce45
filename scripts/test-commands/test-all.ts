/** `npm test -- all`: every check and test, without the samples and files of `npm test -- night`. */
// `../test.ts` runs the quick selection without it.
process.env.TEST_SIZE = 'all';
await import('../test.ts');
