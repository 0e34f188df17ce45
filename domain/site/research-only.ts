/** The research-only notice, in one place for pages and emails. */
export const RESEARCH_ONLY = 'For research and education only. Not financial advice.';
