import { createCipheriv, createPublicKey, type KeyObject, randomBytes, randomUUID, verify } from 'node:crypto';
import { Application, Applied } from '#libs/features/jobs/domain/application.js';
import { Job, JobPosted } from '#libs/features/jobs/domain/job.js';
import { Inbox, InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import { Message, MessageSent } from '#libs/features/messages/domain/message.js';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { Post, Posted } from '#libs/features/feed/domain/post.js';
import { Reacted, Reaction, type ReactionKind } from '#libs/features/feed/domain/reaction.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { newSalt } from '#libs/platform/signing/fresh-bytes.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';
import type { BareStore } from './bare.store.js';
import { NO_ASK } from '#libs/features/jobs/ask.js';

const UNSEALED = '';
const ITEM_MAX = 1_000_000_000_000;

export class BareRequests {
  private readonly keys = new Map<string, KeyObject>();
  private readonly sealingKey = randomBytes(32);
  private readonly waiting = new Map<string, () => void>();

  constructor(
    private readonly store: BareStore,
    private readonly isSealed: boolean,
  ) {}

  async apply(authorization: string | undefined, fields: RequestFields) {
    const museId = this.caller('apply', authorization, fields);
    const { role, note } = fields;
    const salt = this.isSealed ? newSalt() : UNSEALED;
    const applied = Applied({
      role: role!,
      muse_id: museId,
      poster: null,
      note: note!,
      note_commitment: this.isSealed ? computeCommitment(salt, note!) : UNSEALED,
      note_salt: salt,
      trial_answer: null,
      crew: null,
      ...NO_ASK,
      item: item(),
    });
    const position = await this.append(applied, Application.streamName(role!, museId), museId, fields, [role!]);
    return {
      position,
      body: { ok: true, role, status: 'applied', evidence: `/api/record/${role}:${museId}`, edited: false },
    };
  }

  async post(authorization: string | undefined, fields: RequestFields) {
    const museId = this.caller('post', authorization, fields);
    const id = item();
    const post = { parent_id: null, parent_by: null, board: null, title: null, text: fields['text']! };
    const posted = Posted({ post: id, muse_id: museId, ...post, tags: [], mentions: [], proofs: [] });
    const position = await this.append(posted, Post.streamName(id), museId, fields);
    return { position, body: { ok: true, id, url: `/api/post/${id}`, mentions: [], tags: [] } };
  }

  async job(authorization: string | undefined, fields: RequestFields) {
    const poster = this.caller('job', authorization, fields);
    const role = `job-${item()}`;
    const { title, summary, done } = fields;
    const free = { trial: null, terms: null, budget: null, payment: null, project: null, again_of: null };
    const job = {
      title: title!,
      summary: summary!,
      done: done!,
      skills: [fields['skills']!],
      seats: 1,
      deliver_hours: null,
      pay_within_days: null,
    };
    const posted = JobPosted({ role, item: item(), poster, ...job, ...free, expires_at: null });
    const position = await this.append(posted, Job.streamName(role), poster, fields);
    return { position, body: { ok: true, role, url: `/api/role/${role}`, paid: false } };
  }

  async react(authorization: string | undefined, fields: RequestFields) {
    const museId = this.caller('react', authorization, fields);
    const [on, reaction] = [Number(fields['post_id']), fields['type'] as ReactionKind];
    const reacted = Reacted({ item: on, muse_id: museId, to: null, reaction, was: null });
    const position = await this.append(reacted, Reaction.streamName(on, museId), museId, fields);
    return { position, body: { ok: true, type: reaction, reactions: { [reaction]: 1 } } };
  }

  async profile(authorization: string | undefined, fields: RequestFields) {
    const museId = this.caller('profile', authorization, fields);
    const updated = ProfileUpdated({ muse_id: museId, headline: fields['headline']! });
    const position = await this.append(updated, Muse.streamName(museId), museId, fields);
    return { position, body: { ok: true, profile: `/api/muse/${museId}`, changed: ['headline'] } };
  }

  async message(authorization: string | undefined, fields: RequestFields) {
    const from = this.caller('message', authorization, fields);
    const [id, to] = [item(), fields['to']!];
    const sent = MessageSent({ message: id, from, to, text: fields['text']!, payment: null });
    const position = await this.append(sent, Message.streamName(id), from, fields);
    this.waiting.get(to)?.();
    return { position, body: { ok: true, id, to, paid: false } };
  }

  /** With `limit` it returns and marks an item; with `wait` it returns once a message arrives. */
  async inbox(authorization: string | undefined, fields: RequestFields) {
    const museId = this.caller('inbox', authorization, fields);
    if (fields['wait']) await new Promise<void>(resolve => this.waiting.set(museId, resolve));
    if (!fields['limit']) {
      await this.store.claim(nonceOf(museId, fields), [museId]);
      return { position: undefined, body: { ok: true, items: [], more: false } };
    }
    const marked = InboxHandedOut({ muse_id: museId, after: '', upto: museId, applications: [] });
    const position = await this.append(marked, Inbox.streamName(museId), museId, fields);
    return { position, body: { ok: true, items: [this.store.agent(museId)], more: true } };
  }

  /** A request with a token claims no nonce. */
  async whoami(authorization: string | undefined, fields: RequestFields) {
    const museId = this.caller('whoami', authorization, fields);
    if (!authorization) await this.store.claim(nonceOf(museId, fields), [museId]);
    const body = { ok: true, auth: authorization ? 'bearer' : 'signature', ...this.store.agent(museId) };
    return { position: undefined, body };
  }

  private append(fact: Fact, stream: string, museId: string, fields: RequestFields, counted: readonly string[] = []) {
    const event = {
      ...fact,
      id: randomUUID(),
      stream,
      at: Date.now(),
      actor: museId,
      cause: randomUUID(),
      decided_by: 'test@1',
      based_on: {},
      authorization: { mode: 'signature', ...this.proof(museId, fields) },
    };
    return this.store.append(event as never, nonceOf(museId, fields), [museId, ...counted]);
  }

  private proof(museId: string, fields: RequestFields) {
    if (!this.isSealed) return { fields };
    const salt = newSalt();
    return { commitment: computeCommitment(salt, museId), sealed: this.seal({ fields, salt }) };
  }

  private caller(endpoint: string, authorization: string | undefined, fields: RequestFields): string {
    return authorization ? this.bearer(authorization) : this.signed(endpoint, fields);
  }

  private signed(endpoint: string, fields: RequestFields): string {
    const { muse_id: museId = '', timestamp = '', nonce = '', signature = '' } = fields;
    const message = Buffer.from(signedMessage({ tag: 'service-v1', endpoint, timestamp, nonce, museId, fields }));
    if (Math.abs(Date.now() - Number(timestamp)) > 300_000) throw new Error('Too old.');
    const valid = verify(null, message, this.key(museId), Buffer.from(signature, 'base64url'));
    if (!valid) throw new Error('The signature does not verify.');
    return museId;
  }

  private bearer(authorization: string): string {
    const museId = this.store.ownerOf(sha256Hex(authorization.slice('Bearer '.length)));
    if (!museId) throw new Error('The token is unknown.');
    return museId;
  }

  private key(museId: string): KeyObject {
    let key = this.keys.get(museId);
    if (!key) {
      const x = this.store.agent(museId).public_key!;
      this.keys.set(museId, (key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })));
    }
    return key;
  }

  private seal(value: object): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.sealingKey, nonce);
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
  }
}

const item = () => Math.floor(Math.random() * ITEM_MAX) + ITEM_MAX;
const nonceOf = (museId: string, { nonce }: RequestFields) => `${museId}/${nonce ?? randomUUID()}`;
