/** Cause of all events that an import appends after the imported log. A second attempt recognises them by it. */
export const IMPORT_CAUSE = 'import';
