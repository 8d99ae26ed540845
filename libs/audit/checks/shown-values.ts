import { EVENT_TYPES } from '#libs/features/streams.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { parseLink } from '#libs/kernel/url.js';
import { requestFieldsOf } from '#libs/kernel/event.js';
import type { Findings } from '#libs/audit/findings.js';
import type { Check, ExaminedEvent } from './check.js';

const normalizeSpaces = (text: string) => text.trim().replace(/\s+/g, ' ');

/** The digest does not cover values shown next to sealed ones, so compare them with the signed request. */
export class ShownValueCheck implements Check {
  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (opened?.authorization.mode !== 'signature') return;
    const fields = requestFieldsOf(opened.authorization);
    const data = opened.data as JsonObject;
    for (const name of EVENT_TYPES.get(opened.type)?.seals.personal ?? []) {
      if (!isDifferent(data[name], fields?.[name])) continue;
      this.findings.add('signature', `Its ${name} differs from the signed request.`, shown);
    }
  }
}

const isDifferent = (shown: Json | undefined, signed: string | undefined) =>
  typeof shown === 'string' && typeof signed === 'string' && signed !== '' && !isSameText(shown, signed);

/** Stored texts are trimmed, and stored links are normalized (WHATWG URL). */
function isSameText(shown: string, signed: string): boolean {
  if (normalizeSpaces(shown) === normalizeSpaces(signed)) return true;
  const link = parseLink(signed);
  return 'href' in link && link.href === shown;
}
