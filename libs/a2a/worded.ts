/** A value of JSON as a text; a text as it is. */
export const worded = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
