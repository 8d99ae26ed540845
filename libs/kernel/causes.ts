/** The cause of every event that an import adds behind the log that it has put in; a second attempt knows them by it. */
export const IMPORT_CAUSE = 'import';
