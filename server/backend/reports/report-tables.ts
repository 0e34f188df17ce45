/** Tables that pages report to: anyone may write, so limits keep them from being filled. */
export const ERROR_REPORTS = 'error_logs';
export const REPORT_TABLES: readonly string[] = [ERROR_REPORTS, 'user_activity'];
