import { existsSync } from 'node:fs';

/** Where Debian's package `chromium` puts it; `CHROMIUM` names another one. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** What a title says where there is no browser, so that whoever reads the output knows what was not tried. */
export const titled = (title: string): string =>
  existsSync(CHROMIUM) ? title : `${title} (NOT TRIED: there is no Chromium at ${CHROMIUM}; CHROMIUM names another)`;

export const HAS_CHROMIUM = existsSync(CHROMIUM);
