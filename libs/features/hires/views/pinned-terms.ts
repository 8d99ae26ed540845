import { getById } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { hireTerms } from '#libs/features/hires/domain/hire-terms.js';
import { RoleTerms, type RoleTermsDocument, roleTermsKey } from '#libs/features/jobs/views/role-terms.js';
import type { HireDocument } from './hires.js';

type Texts = { readonly [K in 'title' | 'summary' | 'done']: string };
type Terms = ReturnType<typeof hireTerms<RoleTermsDocument & Texts>>;

const hasTexts = (terms: RoleTermsDocument): terms is RoleTermsDocument & Texts =>
  terms.title !== null && terms.summary !== null && terms.done !== null;

const keyOf = ({ role, terms_revision }: HireDocument) =>
  terms_revision === null ? [] : [roleTermsKey(role, terms_revision)];

/** Terms by hire; null for an instant task, and once the poster has erased its texts. */
export async function loadPinnedTerms(
  models: Pick<ReadModels, 'of'>,
  hires: readonly HireDocument[],
): Promise<(hire: HireDocument) => Terms | null> {
  const documents = await getById(models.of(RoleTerms), hires.flatMap(keyOf));
  return hire => {
    const [key] = keyOf(hire);
    const document = key === undefined ? undefined : documents.get(key);
    return document && hasTexts(document) ? hireTerms(document, document.escrow, hire.wage) : null;
  };
}
