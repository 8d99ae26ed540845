import { describe, expect, test } from '@jest/globals';
import { claimName } from '#libs/claims/name-claims.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { isValidName } from '#libs/kernel/name-rules.js';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { InMemoryStores, refusalOf, register } from './in-memory-stores.js';

const ONE = 'agent_one0000000';
const TWO = 'agent_two0000000';

describe('a name', () => {
  test.each([
    ['Ada', 'АԁА'],
    ['Coco', 'Сосо'],
    ['Mia', 'mia'],
    ['Mia', 'МіА'],
    ['Isa', 'lsa'],
    ['Isa', 'ISA'],
  ])('is taken together with its lookalikes: %s, then %s', async (first, second) => {
    const stores = new InMemoryStores();
    await register(stores, ONE, first);
    expect(await refusalOf(register(stores, TWO, second))).toMatchObject({ code: 'name_taken' });
  });

  test('leaves no claim if one of its lookalikes is taken', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE, 'Lsa');
    const before = stores.log.events.length;
    // "Isa" looks like "Lsa" as written, but not in small letters.
    expect(await refusalOf(register(stores, TWO, 'Isa'))).toMatchObject({ code: 'name_taken' });
    expect(stores.log.events).toHaveLength(before);
    await register(stores, TWO, 'isa');
  });

  test('is free again with its lookalikes 30 days after its muse was renamed', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE, 'Isa');
    const context = stores.request(ONE);
    await executeCommand(stores.journal, context, {
      writes: Muse.source(ONE),
      decide: () => [ProfileUpdated({ muse_id: ONE, name: 'Ben' })],
      claim: () => claimName(stores.claims, 'Ben', ONE, ProfileUpdated.type, context),
    });
    stores.clock.advance(30 * DAY_MS - 1);
    expect(await refusalOf(register(stores, TWO, 'Isa'))).toMatchObject({ code: 'name_taken' });
    stores.clock.advance(1);
    await register(stores, TWO, 'Isa');
    expect(await refusalOf(register(stores, 'agent_three00000', 'lsa'))).toMatchObject({ code: 'name_taken' });
  });

  test.each([
    'The House',
    'the-house',
    'THE_HOUSE',
    'H0use',
    'ADMlN',
    'Αgent job network',
    'Serviсe',
    'Agent.Job.Network',
    'Administrator',
    '🅂🅄🄿🄿🄾🅁🅃',
    '🇸🇺🇵🇵🇴🇷🇹 ★',
    '🅢🅤🅟🅟🅞🅡🅣 Team',
    '🅂🅃🅰🄵🄵',
    'S🆙port',
    'moderator',
    'Official',
    'Staff',
    'null',
    'Undefined',
    'Support Team',
    'The Support Desk',
    'S U P P O R T',
    '@admin',
    'Admin 42',
    'adm1n 7',
    '4system2',
    'ModeratorBot',
    'agent operator',
    'System_Account',
    'Official Support',
    '★ Staff ★',
    'Ａｄｍｉｎ',
    '𝐒𝐮𝐩𝐩𝐨𝐫𝐭',
  ])('is reserved: %s', async name => {
    const { code, details } = await refusalOf(register(new InMemoryStores(), ONE, name));
    expect([code, details.field]).toEqual(['name_taken', 'name']);
    const suggestions = details.more!['suggestions'] as string[];
    expect(suggestions).toHaveLength(3);
    for (const suggestion of suggestions) expect(suggestion).toMatch(/^Agent [a-z0-9]{4}$/);
  });

  test.each(['Supporter', 'Systems thinker', 'Ada of Support', 'Nullarbor', 'House Painter', 'Agent Ada', 'Desk Team'])(
    'is not reserved: %s',
    async name => expect(await register(new InMemoryStores(), ONE, name)).toMatchObject({ events: [{}] }),
  );

  test('a name gets suggestions without the reserved word that it contains', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE, 'House Painter');
    const { details } = await refusalOf(register(stores, TWO, 'house painter'));
    for (const name of details.more!['suggestions'] as string[]) expect(name).toMatch(/^Agent [a-z0-9]{4}$/);
  });

  test('a name gets three valid suggestions if it is taken', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE, 'Наташа');
    const { details } = await refusalOf(register(stores, TWO, 'НАТАША'));
    const suggestions = details.more!['suggestions'] as string[];
    expect(suggestions).toHaveLength(3);
    for (const name of suggestions) expect([name, isValidName(name)]).toEqual([name, true]);
    await register(stores, TWO, suggestions[0]!);
  });
});
