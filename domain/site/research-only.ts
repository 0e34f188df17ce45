/** The research-only line, worded once: pages and mails show it. */
export const RESEARCH_ONLY = 'For research and education only. Not financial advice.';
