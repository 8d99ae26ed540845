import { HireEnded, type KnownHire, partiesOf } from './hire.js';
import { provesSkills } from './proof.js';

export const NOT_DELIVERED = 'not_delivered';

type End = Pick<Parameters<typeof HireEnded>[0], 'by' | 'reason' | 'code'>;

/** A hire that ends no longer proves its skills. */
export function endOfHire(hire: KnownHire, end: End) {
  const proof = provesSkills(hire) && { skills: [...hire.skills], proves: false };
  return HireEnded({ ...partiesOf(hire), ...end, ...proof });
}
