/** Tables that pages report into: anyone may report, nobody may fill them. */
export const ERROR_REPORTS = 'error_logs';
export const REPORT_TABLES: readonly string[] = [ERROR_REPORTS, 'user_activity'];
