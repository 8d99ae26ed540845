import { describe, expect, test } from '@jest/globals';
import { post } from '#libs/features/feed/post.js';
import { postDelete } from '#libs/features/feed/post-delete.js';
import { react } from '#libs/features/feed/react.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { EarlierLinked, Muse } from '#libs/domain/muse.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { Reaction } from '#libs/features/feed/domain/reaction.js';
import { POST, REPLY } from '../../vectors/event-story.js';
import { given, stateOf } from '../../given.js';
import { decides } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, HIRE, POSTER, ROLE, WORKER } = world;
const NOTHING = { mentions: [], item: undefined, isBoard: true };
const ITEM = 2_000_000_000_001;

const posted = world.told('Posted');
const deleted = PostDeleted({ post: POST, muse_id: WORKER, parent_id: null, board: 'show' });

const says = (fields: object, reads: object = {}, findings: object = {}) =>
  decides(post, { text: 'Hello.', ...fields }, POSTER, { reads, given: { ...NOTHING, ...findings } });

describe('a post', () => {
  test('records its text, tags and mentions', () => {
    const [fact] = given(Post)
      .when(says({ text: 'Hello #You' }, {}, { mentions: [WORKER] }))
      .thenTypes('Posted');
    const nothing = { parent_id: null, parent_by: null, board: null, title: null, proofs: [] };
    expect(fact!.data).toMatchObject({
      ...nothing,
      muse_id: POSTER,
      text: 'Hello #You',
      tags: ['you'],
      mentions: [WORKER],
    });
  });

  test('throws if another request took its id', () => {
    given(Post, posted).when(says({})).thenThrows(IdCollision);
  });

  test('has at most 1,000 characters, or 2,000 and a title on a board', () => {
    const long = 'é'.repeat(1_001);
    given(Post)
      .when(says({ text: long }))
      .thenRefused('text', 'text');
    given(Post)
      .when(says({ text: long, board: 'dev', title: 'Long' }))
      .thenTypes('Posted');
    given(Post)
      .when(says({ text: 'é'.repeat(2_001), board: 'dev' }))
      .thenRefused('text', 'text');
    given(Post)
      .when(says({ title: 'Short' }))
      .thenRefused('title', 'title');
  });

  test('needs an existing board', () => {
    given(Post)
      .when(says({ board: 'dev' }, {}, { isBoard: false }))
      .thenRefused('not_found', 'board');
  });

  test('replies to an existing post or item and records its author', () => {
    const parent = stateOf(Post, posted);
    const [reply] = given(Post)
      .when(says({ parent_id: String(POST) }, { parent }))
      .thenTypes('Posted');
    expect(reply!.data).toMatchObject({ parent_id: POST, parent_by: WORKER });
    const item = { by: CHECKER };
    const [other] = given(Post)
      .when(says({ parent_id: String(ITEM) }, {}, { item }))
      .thenTypes('Posted');
    expect(other!.data).toMatchObject({ parent_id: ITEM, parent_by: CHECKER });
    for (const gone of [stateOf(Post), stateOf(Post, posted, deleted)])
      given(Post)
        .when(says({ parent_id: String(POST) }, { parent: gone }))
        .thenRefused('not_found', 'parent_id');
    given(Post)
      .when(says({ parent_id: String(ITEM) }))
      .thenRefused('not_found', 'parent_id');
  });

  test('a post can only use hires of its author as proofs', () => {
    const proving = (...facts: Parameters<typeof stateOf<Hire>>[1][]) =>
      says({ proofs: `${HIRE}, ${HIRE}` }, { [`hire-${HIRE}`]: stateOf(Hire, ...facts) });
    const [fact] = given(Post).when(proving(world.hired(), world.delivered())).thenTypes('Posted');
    expect(fact!.data).toMatchObject({ proofs: [{ hire: HIRE, role: ROLE, worker: WORKER }] });
    given(Post)
      .when(proving(world.hired({ poster: CHECKER })))
      .thenRefused('not_a_party', 'proofs');
    given(Post).when(proving(world.hired())).thenRefused('not_delivered', 'proofs');
    given(Post).when(proving()).thenRefused('not_found', 'proofs');
  });

  test('a post can use hires of an earlier identity of its author as proofs', () => {
    const own = stateOf(
      Muse,
      world.told('Registered', { muse_id: POSTER }),
      EarlierLinked({ muse_id: POSTER, earlier: WORKER }),
    );
    const proving = (changed: object) =>
      says({ proofs: String(HIRE) }, { own, [`hire-${HIRE}`]: stateOf(Hire, world.hired(changed), world.delivered()) });
    const [fact] = given(Post)
      .when(proving({ poster: CHECKER }))
      .thenTypes('Posted');
    expect(fact!.data).toMatchObject({ muse_id: POSTER, proofs: [{ hire: HIRE, worker: WORKER }] });
    given(Post)
      .when(proving({ poster: CHECKER, worker: CHECKER }))
      .thenRefused('not_a_party', 'proofs');
  });
});

describe('a deletion', () => {
  const deletes = (actor: string) => decides(postDelete, { post_id: String(REPLY) }, actor);
  const reply = world.told('Posted', { post: REPLY, muse_id: POSTER, parent_id: POST, board: null });

  test('works once, for the author only', () => {
    const facts = PostDeleted({ post: REPLY, muse_id: POSTER, parent_id: POST, board: null });
    given(Post, reply).when(deletes(POSTER)).then(facts);
    given(Post, reply, facts).when(deletes(POSTER)).thenNothing();
    given(Post, reply).when(deletes(WORKER)).thenRefused('not_the_author');
    given(Post).when(deletes(POSTER)).thenRefused('not_found', 'post_id');
  });
});

describe('a reaction', () => {
  const reacts = (type: string | undefined, parent = stateOf(Post, posted)) => {
    const sent = { post_id: String(POST), ...(type !== undefined && { type }) };
    return decides(react, sent, CHECKER, { reads: { post: parent } });
  };
  const liked = world.told('Reacted');

  test('can be added, changed and removed, and records the earlier reaction', () => {
    const [first] = given(Reaction).when(reacts('like')).thenTypes('Reacted');
    expect(first!.data).toEqual({ item: POST, muse_id: CHECKER, to: WORKER, reaction: 'like', was: null });
    given(Reaction, liked).when(reacts('like')).thenNothing();
    const [second] = given(Reaction, liked).when(reacts('funny')).thenTypes('Reacted');
    expect(second!.data).toMatchObject({ reaction: 'funny', was: 'like' });
    const [none] = given(Reaction, liked).when(reacts('')).thenTypes('Reacted');
    expect(none!.data).toMatchObject({ reaction: null, was: 'like' });
    given(Reaction).when(reacts('')).thenNothing();
  });

  test('needs a type and an existing post', () => {
    given(Reaction).when(reacts(undefined)).thenRefused('type', 'type');
    given(Reaction)
      .when(reacts('like', stateOf(Post)))
      .thenRefused('not_found', 'post_id');
    given(Reaction)
      .when(reacts('like', stateOf(Post, posted, deleted)))
      .thenRefused('not_found', 'post_id');
  });
});
