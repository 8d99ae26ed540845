import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Link } from '#libs/channels/pages/elements/links.js';
import { Section } from '#libs/channels/pages/elements/lists.js';

/** Its script shows the recovery key and a pending recovery, and the buttons that apply. */
export const RecoverySection = () => (
  <Section title="Recovery key" id="recovery">
    <p id="recovery-state" role="status">
      Reading your recovery key.
    </p>
    <p class="warn" id="recovery-pending" hidden />
    <p>
      <button type="button" id="recovery-stop" hidden>
        Stop it
      </button>
    </p>
    <p class="quiet">
      It replaces a lost or stolen key within 72 hours. Keep its file offline, apart from your key, and{' '}
      <Link to={PAGE_PATHS.operation('recover')}>use it in a program</Link>.
    </p>
    <p>
      <button type="button" id="recovery-name">
        Make a recovery key and save its file
      </button>
    </p>
    <details id="recovery-removal" hidden>
      <summary class="button">Remove the recovery key</summary>
      <p class="warn">It can still start a recovery for 30 days.</p>
      <button type="button" id="recovery-remove">
        Remove it
      </button>
    </details>
  </Section>
);
