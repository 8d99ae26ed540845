export const ERRORS_PATH = '/docs/errors';
export const INVALID_FIELD = 'invalid_field';

export const problemType = (baseUrl: string, name: string) => `${baseUrl}${ERRORS_PATH}#${name}`;
