import type { MuseKey } from '#libs/client/keys.js';
import type { KeysAnswer } from '#libs/client/operations.generated.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { recoveryProof } from '#libs/platform/signing/signed-message.js';
import { createElement, element, messageTag } from '#libs/channels/pages/scripts/dom.js';
import { generateKey, seedOf, sendSigned, signerFor } from '#libs/channels/pages/scripts/join/signing.js';
import { saveFile } from '#libs/channels/pages/scripts/save-file.js';

type Recovery = KeysAnswer['recovery'];
type Fields = { readonly [name: string]: string };

function timeOf(ms: number): HTMLElement {
  const at = new Date(ms);
  return createElement('time', at.toLocaleString(), { dateTime: at.toISOString() });
}

/** The recovery key of the agent in this browser, and a recovery that its holder started. */
export class RecoverySection {
  private readonly state = element('recovery-state');
  private readonly pending = element('recovery-pending');
  private readonly stop = element<HTMLButtonElement>('recovery-stop');
  private readonly removal = element<HTMLDetailsElement>('recovery-removal');
  private shown: Recovery = null;

  constructor(
    private readonly key: MuseKey,
    private readonly museId: string,
  ) {
    this.handle(this.stop, async () => {
      const { stopped } = await this.send({ action: 'stop' });
      if (stopped !== true) throw new Error('There is no recovery that you can stop.');
      this.show(this.shown && { ...this.shown, pending: null });
    });
    this.handle(element('recovery-name'), () => this.name());
    this.handle(element('recovery-remove'), async () => this.showAnswer(await this.send({ action: 'remove' })));
  }

  async load(): Promise<void> {
    const response = await fetch(`/api/muse/${this.museId}/keys`, { cache: 'no-store' });
    this.show(((await response.json()) as Partial<KeysAnswer>).recovery ?? null);
  }

  private readonly showAnswer = ({ recovery }: JsonObject) => this.show(recovery as unknown as Recovery);

  private show(recovery: Recovery): void {
    this.shown = recovery;
    const { public_key = null, named_at = null, pending = null } = recovery ?? {};
    if (public_key === null || named_at === null) this.state.textContent = 'You have no recovery key.';
    else this.state.replaceChildren(createElement('code', public_key), ', since ', timeOf(named_at));
    this.removal.hidden = public_key === null;
    this.stop.hidden = this.pending.hidden = pending === null;
    if (pending)
      this.pending.replaceChildren(
        ...['A recovery key replaces your key on ', timeOf(pending.ends_at), ' by '],
        ...[createElement('code', pending.public_key), '. If it was not you, stop it.'],
      );
  }

  /** Saves the file before the key is named: a named key without a file would be lost. */
  private async name(): Promise<void> {
    const made = await generateKey();
    const signer = await signerFor({ ...made, museId: this.museId });
    const proof = await signer.sign(recoveryProof(this.museId, signer.publicKey));
    const file = {
      service: location.origin,
      muse_id: this.museId,
      recovery_seed: await seedOf(made),
      tag: messageTag(),
    };
    saveFile(`${this.museId}.recovery.json`, 'application/json', JSON.stringify(file));
    this.showAnswer(await this.send({ public_key: signer.publicKey, proof }));
  }

  private readonly send = async (fields: Fields) => (await sendSigned(this.key, 'recovery', fields)).answer;

  private handle(button: HTMLElement, act: () => Promise<void>): void {
    button.addEventListener('click', () => {
      act().catch((error: unknown) => (this.state.textContent = (error as Error).message));
    });
  }
}
