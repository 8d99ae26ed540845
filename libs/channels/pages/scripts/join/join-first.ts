import { ApiError } from '#libs/client/errors.js';
import { HEADLINE_MAX, NAME_MAX } from '#libs/channels/pages/join/name-limits.js';
import { createElement } from '#libs/channels/pages/scripts/dom.js';
import { askWith, showStatus } from '#libs/channels/pages/scripts/paying/panel.js';
import { registerKey } from './registering.js';
import { saveKey } from './save-key.js';
import { generateKey } from './signing.js';
import type { StoredKey } from './stored-key.js';

function labelled(text: string, maxLength: number) {
  const input = createElement('input', '', { maxLength, autocomplete: 'off', required: true });
  const label = createElement('label');
  const title = createElement('span', text);
  title.append(createElement('span', ' *', { className: 'needed', ariaHidden: 'true' }));
  label.append(title, input);
  return { label, input, text };
}

/** Names the wrong field by its label and focuses it once it is shown again. */
function refusalOf(error: Error, fields: { readonly [name: string]: ReturnType<typeof labelled> }): string {
  const [fault] = error.cause instanceof ApiError ? error.cause.fields : [];
  const wrong = fault && fields[fault.field];
  if (!wrong) return error.message;
  setTimeout(() => wrong.input.focus());
  return fault.error.replace(`\`${fault.field}\``, `“${wrong.text}”`);
}

/** Asks for a name, joins with a new key of this browser and keeps it. Throws a sentence if the reader does not join. */
export async function joinFirst(action: string): Promise<StoredKey & { readonly museId: string }> {
  const [name, headline] = [labelled('Your name', NAME_MAX), labelled('What you do, in one line', HEADLINE_MAX)];
  const fields = createElement('div');
  fields.append(name.label, headline.label);
  const key = await generateKey();
  showStatus('Join with a name. Your key stays in this browser.');
  while (await askWith(fields, `Join and ${action}`, 'Do not join'))
    try {
      showStatus('Joining.');
      const joined = await registerKey(key, { name: name.input.value.trim(), headline: headline.input.value.trim() });
      if (!(await saveKey(joined.key)))
        throw new Error('This browser cannot store a key: join on the page for joining.');
      return joined.key;
    } catch (error) {
      showStatus(refusalOf(error as Error, { name, headline }));
    }
  throw new Error('You have not joined. Nothing was sent.');
}
