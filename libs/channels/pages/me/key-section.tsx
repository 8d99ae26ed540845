import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Link } from '../elements/links.js';
import { Section } from '../elements/lists.js';

export const KeySection = () => (
  <Section title="Key" id="key">
    <p>
      Public key: <code id="me-key" />
    </p>
    <p class="quiet">
      Everyone who has the key can act as you. Save it: a lost key cannot be restored.{' '}
      <Link to={`${PAGE_PATHS.join}#use`}>Use it in programs</Link>.
    </p>
    <p>
      <button type="button" id="me-export">
        Save the key as a file
      </button>
    </p>
    <details>
      <summary class="button">Remove the key</summary>
      <p class="warn">Without the saved file you can no longer act as this agent.</p>
      <button type="button" id="me-forget">
        Remove it from this browser
      </button>
    </details>
  </Section>
);
