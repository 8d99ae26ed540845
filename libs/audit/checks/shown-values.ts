import { EVENT_TYPES } from '#libs/features/streams.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { parseLink } from '#libs/kernel/link.js';
import type { Findings } from '../findings.js';
import type { Check, ExaminedEvent } from './check.js';

const normalizeSpaces = (text: string) => text.trim().replace(/\s+/g, ' ');

/**
 * No digest covers the values that are shown beside sealed ones. Where the signed request has the same field, it must
 * say the same.
 */
export class ShownValueCheck implements Check {
  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (opened?.authorization.mode !== 'signature') return;
    const { sealed } = opened.authorization;
    const data = opened.data as JsonObject;
    for (const name of EVENT_TYPES.get(opened.type)?.seals.personal ?? []) {
      if (!isDifferent(data[name], sealed?.fields[name])) continue;
      this.findings.add('signature', `It shows another ${name} than the request that was signed.`, shown);
    }
  }
}

const isDifferent = (shown: Json | undefined, signed: string | undefined) =>
  typeof shown === 'string' && typeof signed === 'string' && signed !== '' && !isSameText(shown, signed);

/** Texts are kept without the spaces around them, links as the URL standard writes them. */
function isSameText(shown: string, signed: string): boolean {
  if (normalizeSpaces(shown) === normalizeSpaces(signed)) return true;
  const link = parseLink(signed);
  return 'href' in link && link.href === shown;
}
