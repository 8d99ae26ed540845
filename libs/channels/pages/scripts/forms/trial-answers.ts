import type { WireFields } from '#libs/client/wire.js';
import { sendSigned } from '../join/signed-request.js';
import { signerFor } from '../join/signing-key.js';
import { loadKey } from '../join/stored-key.js';
import { element } from '../dom.js';

interface Answered {
  readonly applications: readonly { readonly muse_id: string; readonly trial_answer: string | null }[];
  readonly next: string | null;
}

/** Most applications in one answer. */
const LIMIT = '50';
const ANSWERS_MAX = 20;

function showAnswer(museId: string, answer: string): void {
  const place = Array.from(document.querySelectorAll<HTMLElement>('[data-trial-of]')).find(
    ({ dataset }) => dataset['trialOf'] === museId,
  );
  if (!place) return;
  place.querySelector('.said')!.textContent = answer;
  place.hidden = false;
}

/** Shows the private trial answers on this page to the poster of the job. */
export async function showTrialAnswers(): Promise<void> {
  const { role = '', poster } = element('applications-part').dataset;
  const storedKey = await loadKey();
  if (!storedKey?.museId || storedKey.museId !== poster) return;
  const key = await signerFor(storedKey);
  let next: string | null = '';
  for (let answers = 0; next !== null && answers < ANSWERS_MAX; answers += 1) {
    const fields: WireFields = { role, limit: LIMIT, ...(next !== '' && { after: next }) };
    const answer: Answered = (await sendSigned(key, 'applications', fields)).answer as unknown as Answered;
    for (const { muse_id, trial_answer } of answer.applications)
      if (trial_answer !== null) showAnswer(muse_id, trial_answer);
    ({ next } = answer);
  }
}
