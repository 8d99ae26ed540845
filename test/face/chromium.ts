import { existsSync } from 'node:fs';

/** Path of Debian's package `chromium`; set `CHROMIUM` for another one. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Says in the title that the tests were skipped without a browser. */
export const titled = (title: string): string =>
  existsSync(CHROMIUM) ? title : `${title} (NOT TRIED: there is no Chromium at ${CHROMIUM}; CHROMIUM names another)`;

export const HAS_CHROMIUM = existsSync(CHROMIUM);
