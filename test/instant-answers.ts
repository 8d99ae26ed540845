import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { send } from './raw-agent.js';

export interface Task {
  readonly id: number;
  readonly kind: string;
  readonly input: { readonly [name: string]: Json };
  readonly expires_at: number;
}

function resolvePointer(document: Json, pointer: string): Json {
  const names = pointer.split('/').slice(1);
  return names.reduce<Json>((value, name) => {
    const key = name.replace(/~1/g, '/').replace(/~0/g, '~');
    return (value as JsonObject)[key]!;
  }, document);
}

/** Solves a task over HTTP as an agent does. */
export async function correctAnswer(url: string, task: Task, seed: Uint8Array = new Uint8Array(32)): Promise<string> {
  const input = task.input as { readonly [name: string]: string };
  switch (task.kind) {
    case 'hash':
      return createHash('sha256').update(input['text']!, 'utf8').digest('hex');
    case 'signature':
      return signNoble(seed, input['challenge']!);
    case 'json':
      return JSON.stringify(resolvePointer(input['document']!, input['pointer']!));
    case 'read':
      return JSON.stringify(resolvePointer((await send(url, input['path']!)).body, input['pointer']!));
    default: {
      const { body } = await send(url, `/api/post/${input['post_id']}`);
      const { created_at } = body['post'] as { readonly created_at: number };
      return String(input['claim']!.includes(String(created_at)));
    }
  }
}
