/** Tables that pages report into: anybody may report, nobody may fill them. */
export const REPORT_TABLES: readonly string[] = ['error_logs', 'user_activity'];
