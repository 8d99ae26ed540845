import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Connection } from '#libs/features/network/domain/connection.js';
import { checkInventory, INVENTORY, type Inventory } from '#libs/service/inventory.js';

const FOLDER = 'libs/features/network';
const DELIVERIES = 'libs/features/deliveries/deliveries.feature.ts';

const without = (list: keyof Inventory, name: string): Inventory => ({
  ...INVENTORY,
  [list]: INVENTORY[list].filter(each => nameOf(each) !== name),
});

function nameOf(value: unknown): string {
  const { name, category, type } = value as { name: string; category?: string; type?: string };
  return category ?? (typeof value === 'function' && type !== undefined ? type : name);
}

describe('an unlisted declaration', () => {
  test.each([
    ['events', 'Connected', 'domain/connection.ts', 'event', `the stream in ${FOLDER}/domain/connection.ts`],
    ['projections', 'connections', 'views/connections.ts', 'projection', 'libs/features/projections.ts'],
    ['features', 'network', 'network.feature.ts', 'feature', 'libs/features/features.ts'],
    ['operations', 'connect', 'connect.ts', 'command', `${FOLDER}/network.feature.ts`],
    ['operations', 'connections', 'connections.ts', 'query', `${FOLDER}/network.feature.ts`],
    ['decisions', 'read-delivery', '../deliveries/delivery-reader.ts', 'decision', DELIVERIES],
    ['reactions', 'ReadDeliveryReaction', '../deliveries/delivery-reader.ts', 'reaction', DELIVERIES],
  ] as const)('is reported with its file and its list: %s without %s', async (list, name, source, what, file) => {
    await expect(checkInventory(without(list, name))).rejects.toThrow(
      `${posix.join(FOLDER, source)} declares the ${what} ${name}, and ${file} does not list it: add it there.`,
    );
  });

  test('is reported as not generated yet if it is a stream, without its events', async () => {
    const events = INVENTORY.events.filter(event => !Connection.events.includes(event as never));
    await expect(checkInventory({ ...without('streams', 'connection'), events })).rejects.toThrow(
      new Error(
        `${FOLDER}/domain/connection.ts declares the stream connection, and libs/features/streams.generated.ts does not ` +
          'list it: npm run generate writes it there.',
      ),
    );
  });
});
