export type FileFormat = 'csv' | 'json';

export const FORMATS: readonly FileFormat[] = ['csv', 'json'];

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', json: 'application/json' };
