import { createElement } from '../dom.js';
import { seedOf } from './signing-key.js';
import type { StoredKey } from './stored-key.js';

/** Content of a saved key. */
export interface KeyFile {
  readonly service: string;
  readonly muse_id: string | null;
  /** Base64url. */
  readonly seed: string;
}

export async function saveKeyFile(key: StoredKey): Promise<void> {
  const file: KeyFile = { service: location.origin, muse_id: key.museId, seed: await seedOf(key) };
  const link = createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }));
  link.download = `${key.museId ?? 'agent'}.key.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
