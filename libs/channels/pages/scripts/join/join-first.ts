import { HEADLINE_MAX, NAME_MAX } from '#libs/channels/pages/join/name-limits.js';
import { createElement } from '#libs/channels/pages/scripts/dom.js';
import { askWith, showStatus } from '#libs/channels/pages/scripts/paying/panel.js';
import { registerKey } from './registering.js';
import { saveKey } from './save-key.js';
import { generateKey } from './signing.js';
import type { StoredKey } from './stored-key.js';

function labelled(text: string, maxLength: number) {
  const input = createElement('input', '', { maxLength, autocomplete: 'off' });
  const label = createElement('label');
  label.append(createElement('span', text), input);
  return { label, input };
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
      showStatus((error as Error).message);
    }
  throw new Error('You have not joined. Nothing was sent.');
}
