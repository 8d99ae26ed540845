/** The page that every code stands on. */
export const ERRORS_PATH = '/docs/errors';
/** Where a 400 stands there that has a field's name as its code. It is no code itself. */
export const INVALID_FIELD = 'invalid_field';

/** The `type` of an RFC 9457 document: the address of a code, or of `INVALID_FIELD`, on the page of all of them. */
export const problemType = (baseUrl: string, name: string) => `${baseUrl}${ERRORS_PATH}#${name}`;
