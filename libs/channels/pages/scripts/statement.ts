import type { MuseKey } from '#libs/client/keys.js';
import type { StatementAnswer } from '#libs/client/operations.generated.js';
import { element } from './dom.js';
import { sendSigned } from './join/signing.js';
import { saveFile } from './save-file.js';

const MONTH_CHARACTERS = '2026-11'.length;

/** Saves the payments of a month as CSV. */
export function startStatement(key: MuseKey, museId: string): void {
  const month = element<HTMLInputElement>('statement-month');
  month.value = new Date().toISOString().slice(0, MONTH_CHARACTERS);
  element<HTMLFormElement>('statement-form').addEventListener('submit', event => {
    event.preventDefault();
    void saveStatement(key, museId, month.value);
  });
}

async function saveStatement(key: MuseKey, museId: string, month: string): Promise<void> {
  const state = element('statement-state');
  state.textContent = '';
  try {
    const answer = (await sendSigned(key, 'statement', { month })).answer as unknown as StatementAnswer;
    saveFile(`${museId}.${month}.csv`, 'text/csv', answer.csv);
    state.textContent = `Paid ${answer.paid_usd} USD, received ${answer.received_usd} USD.`;
  } catch (error) {
    state.textContent = (error as Error).message;
  }
}
