import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { append, EMPTY_EDGE, rootOf } from '#libs/platform/signing/merkle.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { generateKey, sign } from '#libs/platform/signing/ed25519.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { checkpointText, parseNote, parseCheckpoint, signedNote } from '#libs/platform/signing/signed-note.js';

const sha = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Merkle tree hash as RFC 9162, section 2.1.1 defines it. */
function mth(leaves: Buffer[]): Buffer {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return sha(Buffer.from([0]), leaves[0]!);
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha(Buffer.from([1]), mth(leaves.slice(0, k)), mth(leaves.slice(k)));
}

describe('the Merkle tree of the log', () => {
  test('has the root of RFC 9162 at every size', () => {
    const leaves: Buffer[] = [];
    let edge = EMPTY_EDGE;
    for (let size = 0; size < 70; size += 1) {
      expect(rootOf(edge)).toBe(mth(leaves).toString('hex'));
      const digest = sha256Hex(`event ${size}`);
      leaves.push(Buffer.from(digest, 'hex'));
      edge = append(edge, digest);
      expect(edge.roots.length).toBe([...edge.size.toString(2)].filter(bit => bit === '1').length);
    }
  });

  test('has another root after a change, a removal or a swap of leaves', () => {
    const digests = [...'abcdefgh'].map(letter => sha256Hex(letter));
    const root = (all: string[]) => rootOf(all.reduce(append, EMPTY_EDGE));
    const swapped = [digests[1]!, digests[0]!, ...digests.slice(2)];
    const roots = [digests, [...digests.slice(0, 7), sha256Hex('x')], digests.slice(0, 7), swapped].map(root);
    expect(new Set(roots).size).toBe(4);
  });
});

describe('a signed checkpoint', () => {
  test('can be read and verified with its key', () => {
    const { seed, publicKey } = generateKey();
    const checkpoint = { origin: 'jobs.example', size: 12, root: sha256Hex('root') };
    const text = checkpointText(checkpoint);
    const note = parseNote(signedNote(text, 'jobs.example', publicKey, sign(seed, text)))!;
    expect(parseCheckpoint(note.text)).toEqual(checkpoint);
    expect(note.isSignedBy(publicKey)).toBe(true);
    expect(note.isSignedBy(generateKey().publicKey)).toBe(false);
    expect(verifyNoble(publicKey, Buffer.from(note.text), note.signature)).toBe(true);
  });

  test.each(['', 'no note', 'a\n\n— name AAAA', 'a\n— name AAAA\n'])('is not read from %j', text => {
    expect(parseNote(text)).toBeNull();
  });
});
