import { withoutTexts } from './deliveries.js';
import type { HireDocument } from './hires.js';
import type { AuthoredText } from './later-authors.js';

/** Texts by other muses stay. */
export function eraseMuse(hire: HireDocument, muse: string): HireDocument {
  const { delivery, last_recheck, acceptance, dispute, ended, authors } = hire;
  const isAuthor = (text: AuthoredText, party: string | null) => (authors[text] ?? party) === muse;
  return {
    ...hire,
    delivery: delivery && isAuthor('delivery', hire.worker) ? withoutTexts(delivery) : delivery,
    last_recheck:
      last_recheck?.by === muse
        ? { ...last_recheck, scope: null, out_of_scope: null, would_change: null }
        : last_recheck,
    acceptance: acceptance && isAuthor('acceptance', acceptance.by) ? { ...acceptance, note: null } : acceptance,
    dispute: dispute && isAuthor('dispute', dispute.by) ? { ...dispute, reason: null } : dispute,
    ended: ended && isAuthor('ended', ended.by) ? { ...ended, reason: null } : ended,
  };
}
